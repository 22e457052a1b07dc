/** What decorates a class or a member. */
type Decorator = (value: unknown, context: object) => unknown;
type Method = (this: unknown, ...parameters: unknown[]) => unknown;
type Key = string | symbol;

/** A member that decorators change, in the order of the source. */
interface Member {
  kind: string;
  isStatic: boolean;
  decorators: Decorator[];
  /** How it is called: `#name` for a private one. */
  name: Key;
  /** Where its function is found while the class is made. */
  key: Key;
  /** Of a private member: how decorators reach it. */
  access: object | undefined;
  /** Of a private member: what has its place, unlike that of a public one, in the class's record alone. */
  descriptor: PropertyDescriptor | undefined;
  /** What makes a field's first value from the one that is written. */
  initializers: Method[];
  /** What its decorators have asked to be called once it has its value. */
  added: Method[];
}

/** What decorates first, as the standard has it. */
const ORDER = [
  ({ isStatic, kind }: Member) => isStatic && kind !== 'field',
  ({ isStatic, kind }: Member) => !isStatic && kind !== 'field',
  ({ isStatic, kind }: Member) => isStatic && kind === 'field',
  ({ isStatic, kind }: Member) => !isStatic && kind === 'field',
];

/** The symbol under which a decorated class keeps what its decorators tell of it; older Node.js has none. */
export function defineMetadataSymbol(): void {
  if (typeof Reflect.get(Symbol, 'metadata') === 'symbol') return;
  Object.defineProperty(Symbol, 'metadata', { value: Symbol('Symbol.metadata'), writable: true, configurable: true });
}

/**
 * The record of one decorated class: what the code that `lower-decorators.ts` writes calls while the class is made and,
 * for its fields and private members, while it is used.
 */
class DecoratedClass {
  /** The class as it was written. */
  original: object = Object;
  /** The class, or what a decorator has put in its place. */
  out: unknown;
  #receiver: unknown;
  #decorators: Decorator[] = [];
  readonly #members: Member[] = [];
  readonly #added: { static: Method[]; instance: Method[]; class: Method[] } = { static: [], instance: [], class: [] };

  /** Takes what decorates the class itself. */
  of(decorators: Decorator[]): void {
    this.#decorators = decorators;
  }

  /** Notes the object from which a decorator is read. */
  on(receiver: unknown): unknown {
    this.#receiver = receiver;
    return receiver;
  }

  /** A decorator that is called as a method of the object last noted. */
  called(decorator: unknown): unknown {
    return this.bound(this.#receiver, decorator);
  }

  bound(receiver: unknown, decorator: unknown): unknown {
    return typeof decorator === 'function' ? decorator.bind(receiver) : decorator;
  }

  /** Takes a member's decorators; returns its key. */
  named(kind: string, decorators: Decorator[], name: unknown): Key {
    const [key = ''] = Reflect.ownKeys({ [name as string]: undefined });
    this.#members.push(memberOf(kind, decorators, key, key));
    return key;
  }

  /** Takes those of a private member; returns the key of a method that is there for as long as the class is made. */
  hidden(kind: string, decorators: Decorator[], name: string, access: object, accessor?: PropertyDescriptor): Key {
    const member = memberOf(kind, decorators, name, Symbol(name));
    member.access = access;
    if (accessor) {
      nameFunction(accessor.get, `get ${name}`);
      nameFunction(accessor.set, `set ${name}`);
    }
    member.descriptor = accessor;
    this.#members.push(member);
    return member.key;
  }

  key(n: number): Key {
    return this.#member(n).key;
  }

  /** Decorates the members and the class; returns the class, or what is to be in its place. */
  apply(made: object & { prototype: object }): unknown {
    this.original = made;
    this.out = made;
    for (const member of this.#members) if (member.access) takeOut(member, made);
    const isDecorated = this.#decorators.length > 0 || this.#members.some(({ decorators }) => decorators.length > 0);
    if (!isDecorated) return made;
    const symbol = Reflect.get(Symbol, 'metadata') as symbol | undefined;
    const metadata: unknown =
      symbol && Object.create((Reflect.get(Object.getPrototypeOf(made), symbol) as object) ?? null);
    for (const isNext of ORDER)
      for (const member of this.#members) if (isNext(member)) this.#decorateMember(member, made, metadata);
    const tell = (of: object): void => {
      if (symbol)
        Object.defineProperty(of, symbol, { value: metadata, enumerable: true, configurable: true, writable: true });
    };
    // Before its decorators run, which may seal or freeze it.
    tell(made);
    const context = { kind: 'class', name: Reflect.get(made, 'name'), metadata };
    decorate(this.#decorators, context, this.#added.class, {
      value: () => this.out,
      take: (result) => {
        this.out = accepted(result) ?? this.out;
      },
    });
    const out = this.out as object;
    if (out !== made && Object.isExtensible(out)) tell(out);
    run(this.#added.static, out);
    return out;
  }

  #decorateMember(member: Member, made: { prototype: object }, metadata: unknown): void {
    const { kind, isStatic, decorators, name, access, initializers } = member;
    if (decorators.length === 0) return;
    const target = isStatic ? made : made.prototype;
    const descriptor =
      member.descriptor ?? (kind === 'field' ? {} : Object.getOwnPropertyDescriptor(target, name)) ?? {};
    const part = kind === 'getter' ? 'get' : kind === 'setter' ? 'set' : 'value';
    const reach = access ?? accessOf(kind, name);
    const isPrivate = access !== undefined;
    const context = { kind, name, static: isStatic, private: isPrivate, access: reach, metadata };
    const added = isValue(kind) ? member.added : isStatic ? this.#added.static : this.#added.instance;
    decorate(decorators, context, added, {
      value: () => (kind === 'accessor' ? { get: descriptor.get, set: descriptor.set } : descriptor[part]),
      take: (result) => {
        if (kind === 'accessor') takeAccessor(result, descriptor, initializers);
        else if (kind === 'field') takeInit(result, initializers);
        else descriptor[part] = accepted(result) ?? descriptor[part];
      },
    });
    if (!isPrivate && kind !== 'field') Object.defineProperty(target, name, descriptor);
  }

  /** The first value of a field. */
  init(n: number, target: unknown, value?: unknown): unknown {
    return this.#member(n).initializers.reduce((before, each) => each.call(target, before), value);
  }

  /** Calls what a field's decorators have added, now that it has its value. */
  added(n: number, target: unknown): void {
    const { isStatic, added } = this.#member(n);
    run(added, isStatic ? this.out : target);
  }

  /** Calls what the decorators of methods have added for each object. */
  begin(target: unknown): void {
    run(this.#added.instance, target);
  }

  /** Calls what the class's decorators have added, now that the class is there. */
  done(): void {
    run(this.#added.class, this.out);
  }

  /** The private method that decorators have made. */
  method(n: number): unknown {
    return this.#member(n).descriptor?.value;
  }

  get(n: number, target: unknown): unknown {
    return this.#member(n).descriptor?.get?.call(target);
  }

  set(n: number, target: unknown, value: unknown): void {
    this.#member(n).descriptor?.set?.call(target, value);
  }

  /** The object that has the static private members of the given one. */
  holder(target: unknown): unknown {
    return target === this.out ? this.original : target;
  }

  #member(n: number): Member {
    const member = this.#members[n];
    if (!member) throw new ReferenceError('The class is used before its names are known.');
    return member;
  }
}

/** Begins the record of a class. */
export function decorated(): DecoratedClass {
  return new DecoratedClass();
}

function memberOf(text: string, decorators: Decorator[], name: Key, key: Key): Member {
  const kind = text.replace('static ', '');
  const isStatic = kind !== text;
  return {
    kind,
    isStatic,
    decorators,
    name,
    key,
    access: undefined,
    descriptor: undefined,
    initializers: [],
    added: [],
  };
}

function isValue(kind: string): boolean {
  return kind === 'field' || kind === 'accessor';
}

/** Takes the function of a private member out of the class, where it had a key for a moment. */
function takeOut(member: Member, made: { prototype: object }): void {
  const isElsewhere = isValue(member.kind);
  const holder = member.isStatic || isElsewhere ? made : made.prototype;
  const found = Object.getOwnPropertyDescriptor(holder, member.key);
  Reflect.deleteProperty(holder, member.key);
  if (isElsewhere || !found) return;
  for (const [part, prefix] of [
    ['value', ''],
    ['get', 'get '],
    ['set', 'set '],
  ] as const)
    nameFunction(found[part], `${prefix}${String(member.name)}`);
  member.descriptor = found;
}

function nameFunction(named: unknown, value: string): void {
  if (typeof named === 'function') Object.defineProperty(named, 'name', { value, configurable: true });
}

/** How decorators reach a public member. */
function accessOf(kind: string, key: Key): object {
  return {
    has: (object: object) => key in object,
    ...(kind === 'setter' ? {} : { get: (object: Record<Key, unknown>) => object[key] }),
    ...(kind === 'setter' || isValue(kind) ? { set: write(key) } : {}),
  };
}

function write(key: Key) {
  return (object: Record<Key, unknown>, value: unknown): void => {
    object[key] = value;
  };
}

/** Where the results of decorators go, the innermost first. */
interface Decorating {
  value(): unknown;
  take(result: unknown): void;
}

function decorate(
  decorators: Decorator[],
  context: { kind: string; name: unknown },
  added: Method[],
  { value, take }: Decorating,
): void {
  let isOver = false;
  const addInitializer = (initializer: unknown): void => {
    if (isOver) throw new TypeError('Cannot add initializers after decoration has completed');
    added.push(accepted(initializer ?? null) as Method);
  };
  for (const decorator of [...decorators].reverse()) {
    if (typeof decorator !== 'function')
      throw new TypeError(
        `What decorates ${context.kind} '${String(context.name)}' is of type ${typeof decorator}, not a function`,
      );
    const access = 'access' in context ? { access: { ...(context.access as object) } } : {};
    take(decorator(value(), { ...context, ...access, addInitializer }));
  }
  isOver = true;
}

/** A function, or nothing, that a decorator returned. */
function accepted(result: unknown): Method | undefined {
  if (result !== undefined && typeof result !== 'function') throw new TypeError('Function expected');
  return result as Method | undefined;
}

function takeInit(result: unknown, initializers: Method[]): void {
  const init = accepted(result);
  if (init) initializers.unshift(init);
}

function takeAccessor(result: unknown, descriptor: PropertyDescriptor, initializers: Method[]): void {
  if (result === undefined) return;
  if (result === null || typeof result !== 'object') throw new TypeError('Object expected');
  const given = result as { get?: unknown; set?: unknown; init?: unknown };
  const [get, set, init] = [accepted(given.get), accepted(given.set), accepted(given.init)];
  if (get) descriptor.get = get;
  if (set) descriptor.set = set;
  if (init) initializers.unshift(init);
}

function run(methods: readonly Method[], target: unknown): void {
  for (const method of methods) method.call(target);
}
