import type {
  AccessorProperty,
  Class,
  Decorator,
  MethodDefinition,
  Node,
  Program,
  PropertyDefinition,
} from 'oxc-parser';
import { isClass, isLowered, isMember, type Member, needsLowering, outerParts, within } from './decorated-parts.js';
import { Edits, type Rewritten } from './edits.js';
import { childrenOf, walk } from './syntax-tree.js';

/**
 * Rewrites classes with standard decorators, or with `accessor`, to JavaScript that calls `babelHelpers.decorated`. Only
 * inserts text and removes modifiers, so that what the user wrote keeps its order: decorators are evaluated where they
 * stand, as parts of computed names. Undefined if there is nothing to do.
 *
 * @param program The parse of `code`, which is JavaScript.
 */
export function lowerDecorators(program: Program, code: string): Rewritten | undefined {
  let base = '$d';
  while (code.includes(base)) base += '_';
  const edits = new Edits(code);
  let count = 0;
  walk(program, (node, parent) => {
    if (!isClass(node) || !needsLowering(node)) return true;
    count += 1;
    new ClassLowering(node, { code, edits, own: `${base}${count}` }).lower(parent);
    return true;
  });
  return count > 0 ? edits.apply() : undefined;
}

/** What the lowering of a class works on; `own` is the variable that holds the class's record at run time. */
interface Place {
  code: string;
  edits: Edits;
  own: string;
}

class ClassLowering {
  readonly #class: Class;
  readonly #code: string;
  readonly #edits: Edits;
  readonly #own: string;
  /** How many members have been lowered. */
  #count = 0;

  constructor(node: Class, { code, edits, own }: Place) {
    this.#class = node;
    this.#code = code;
    this.#edits = edits;
    this.#own = own;
  }

  lower(parent: Node | undefined): void {
    const { id, decorators, body } = this.#class;
    const isDecorated = decorators.length > 0;
    this.#enclose(parent);
    // What decorates the class may replace it: the class's name then means what replaces it, within the class as well.
    const bound = isDecorated && id ? `${id.name} = ` : '';
    const methods = body.body.filter((each) => each.type === 'MethodDefinition' && isLowered(each) && !each.static);
    const first = methods.length > 0 ? `#${this.#own}m = ${this.#own}.begin(this);` : '';
    this.#insert(body.start + 1, `static { ${bound}${this.#own}.apply(this); }${first}`);
    for (const member of body.body) if (isLowered(member)) this.#member(member);
    if (!isDecorated) return;
    this.#insert(body.end - 1, `;static { ${this.#own}.done(); }`);
    for (const member of body.body) this.#redirectThis(member);
    this.#redirectStatics();
  }

  /** Puts the class into a function that gives it its record, after what decorates the class. */
  #enclose(parent: Node | undefined): void {
    const { id, decorators, start, end } = this.#class;
    const last = decorators.at(-1);
    const from = decorators[0]?.start ?? start;
    const isWaiting = outerParts(this.#class).some((part) => within(part, 'AwaitExpression').length > 0);
    // Without its name the class does not bind it for itself, so that it can mean what replaces the class.
    const name = id && !last ? undefined : (id?.name ?? givenName(this.#class, parent));
    const isStatement = this.#class.type === 'ClassDeclaration' && parent?.type !== 'ExportDefaultDeclaration';
    const isDefault = this.#class.type === 'ClassDeclaration' && parent?.type === 'ExportDefaultDeclaration';
    const parameters = last && id ? `${this.#own}, ${id.name}` : this.#own;
    const open = `${isWaiting ? '(await (async ' : '(('}(${parameters}) => (`;
    const close = '))(babelHelpers.decorated()))';
    const declared = id && (isStatement || isDefault) ? `let ${id.name} = ` : '';
    const exported = id && isDefault ? `export { ${id.name} as default };` : '';
    if (id && isDefault) this.#edits.replace(parent.start, from, '');
    const [named, after] = name === undefined ? ['', ''] : naming(name);
    const result = last ? `, ${this.#own}.out` : '';
    const stop = isStatement || isDefault ? ';' : '';
    this.#edits.wrap(from, end, `${declared}${open}`, `${after}${result}${close}${stop}${exported}`);
    if (!last) {
      this.#edits.wrap(start, end, named, '');
      return;
    }
    this.#list(decorators, `${this.#own}.of([`);
    const keyword = this.#code.indexOf('class', last.end);
    this.#edits.replace(last.end, id?.end ?? keyword + 'class'.length, `]), ${named}class`);
  }

  /** Writes decorators as the parts of a list, whose beginning is given. */
  #list(decorators: readonly Decorator[], begin: string): void {
    for (const [index, { start, expression }] of decorators.entries()) {
      this.#edits.replace(start, start + 1, index === 0 ? begin : ', ');
      this.#keepReceiver(expression);
    }
  }

  /** A decorator that is read from an object, `@owner.method`, is called as its method. */
  #keepReceiver(expression: Node): void {
    let member: Node = expression;
    while (member.type === 'ParenthesizedExpression' || member.type === 'ChainExpression') member = member.expression;
    if (member.type !== 'MemberExpression') return;
    const { object, start, end } = member;
    if (object.type === 'Super') this.#edits.wrap(start, end, `${this.#own}.bound(this, `, ')');
    else {
      this.#edits.wrap(start, end, `${this.#own}.called(`, ')');
      this.#edits.wrap(object.start, object.end, `${this.#own}.on(`, ')');
    }
  }

  #member(member: Member): void {
    const n = this.#count++;
    if (member.type === 'MethodDefinition') this.#method(member, n);
    else if (member.type === 'AccessorProperty') this.#accessor(member, n);
    else if (member.type === 'PropertyDefinition') this.#field(member, n);
  }

  #method(member: MethodDefinition, n: number): void {
    const { kind, value, key, start, end } = member;
    const accessed = kind === 'get' ? 'getter' : kind === 'set' ? 'setter' : 'method';
    const prefix = kind === 'method' ? `${value.async ? 'async ' : ''}${value.generator ? '*' : ''}` : `${kind} `;
    this.#name(member, accessed, prefix);
    if (key.type !== 'PrivateIdentifier') return;
    // A private method cannot be replaced: a getter reads what takes its place.
    const name = `#${key.name}`;
    const own = {
      method: `get ${name}() { return ${this.#own}.method(${n}); }`,
      getter: `get ${name}() { return ${this.#own}.get(${n}, this); }`,
      setter: `set ${name}(value) { ${this.#own}.set(${n}, this, value); }`,
    };
    this.#edits.wrap(start, end, '', `${staticOf(member)}${own[accessed]}`);
  }

  #field(member: PropertyDefinition, n: number): void {
    const { key, value, start, end } = member;
    this.#name(member, 'field', '');
    if (key.type === 'PrivateIdentifier') this.#insert(key.end, `() {} ${staticOf(member)}#${key.name}`);
    if (!value)
      this.#insert(
        key.type === 'PrivateIdentifier' ? key.end : this.#nameEnd(member),
        ` = ${this.#own}.init(${n}, this)`,
      );
    this.#value(member, n);
    this.#edits.wrap(start, end, '', this.#after(member, n));
  }

  #accessor(member: AccessorProperty, n: number): void {
    const { key, value, start, end } = member;
    const state = `#${this.#own}v${n}`;
    // Those of the class itself, whichever class inherits them.
    const holder = member.static ? `${this.#own}.original` : 'this';
    const isPrivate = key.type === 'PrivateIdentifier';
    this.#name(member, 'accessor', isPrivate ? '' : 'get ', state);
    const [name, read, write] = isPrivate
      ? [`#${key.name}`, `${this.#own}.get(${n}, this)`, `${this.#own}.set(${n}, this, value)`]
      : [`[${this.#own}.key(${n})]`, `${holder}.${state}`, `${holder}.${state} = value`];
    const modifier = staticOf(member);
    const getter = isPrivate ? `() {} ${modifier}get ${name}() { return ${read}; }` : `() { return ${read}; }`;
    const text = `${getter} ${modifier}set ${name}(value) { ${write}; } ${modifier}${state} = `;
    const from = isPrivate ? key.end : this.#nameEnd(member);
    if (value) this.#edits.replace(from, value.start, text);
    else this.#insert(from, `${text}${this.#own}.init(${n}, this)`);
    this.#value(member, n);
    this.#edits.wrap(start, end, '', this.#after(member, n));
  }

  /** The code after a field, which calls what its decorators have added for when it has its value. */
  #after(member: Member, n: number): string {
    if (member.decorators.length === 0) return '';
    const call = `${this.#own}.added(${n}, this)`;
    return member.static ? `;static { ${call}; }` : `;#${this.#own}a${n} = ${call};`;
  }

  #value(member: PropertyDefinition | AccessorProperty, n: number): void {
    const { value, key, computed } = member;
    if (!value) return;
    const target = member.static && this.#class.decorators.length > 0 ? `${this.#own}.out` : 'this';
    const name = computed ? undefined : nameOf(key);
    const isNamed = name !== undefined && isAnonymous(value);
    const [before, after] = isNamed ? naming(name) : ['', ''];
    this.#edits.wrap(value.start, value.end, `${this.#own}.init(${n}, ${target}, ${before}`, `${after})`);
  }

  /** Makes the name of a member one that is computed, together with its decorators. */
  #name(member: Member, kind: string, prefix: string, state?: string): void {
    const { key, computed, decorators, start } = member;
    const isPrivate = key.type === 'PrivateIdentifier';
    const isMethod = isPrivate && kind !== 'field' && kind !== 'accessor';
    // What has no name to be computed gets a method before it, which is taken away again.
    const modifier = isPrivate && !isMethod ? 'static ' : `${staticOf(member)}${prefix}`;
    const call = `${modifier}[${this.#own}.${isPrivate ? 'hidden' : 'named'}(${JSON.stringify(staticOf(member) + kind)}, [`;
    const last = decorators.at(-1);
    if (last) this.#list(decorators, call);
    const open = last ? '' : call;
    const from = last?.end ?? start;
    if (computed) {
      this.#edits.replace(from, key.start, `${open}], `);
      this.#edits.replace(key.end, this.#nameEnd(member), ')]');
    } else if (isPrivate) {
      this.#edits.replace(
        from,
        key.end,
        `${open}], ${JSON.stringify(`#${key.name}`)}, ${accessText(key.name, kind, state)})]`,
      );
    } else this.#edits.replace(from, key.end, `${open}], ${JSON.stringify(nameOf(key))})]`);
  }

  #nameEnd({ key, computed }: Member): number {
    return computed ? this.#code.indexOf(']', key.end) + 1 : key.end;
  }

  /** In the static parts of a class that decorators may replace, `this` is what replaces it. */
  #redirectThis(member: Node): void {
    const isStatic = member.type === 'StaticBlock' || (isMember(member) && member.static);
    if (!isStatic || member.type === 'MethodDefinition') return;
    const parts = isMember(member) ? (member.value ? [member.value] : []) : childrenOf(member);
    const visit = (node: Node): boolean => {
      if (node.type === 'ThisExpression') this.#edits.replace(node.start, node.end, `${this.#own}.out`);
      if (isClass(node)) for (const part of outerParts(node)) walk(part, visit);
      return !isClass(node) && node.type !== 'FunctionDeclaration' && node.type !== 'FunctionExpression';
    };
    for (const part of parts) walk(part, visit);
  }

  /** Static private members stay with the class that was written, even if another replaces it. */
  #redirectStatics(): void {
    const members = this.#class.body.body.filter(isMember);
    const keys = members.flatMap(({ key, static: isStatic }) =>
      isStatic && key.type === 'PrivateIdentifier' ? [key.name] : [],
    );
    if (keys.length === 0) return;
    const redirect = ({ start, end }: Node): void => this.#edits.wrap(start, end, `${this.#own}.holder(`, ')');
    walk(this.#class.body, (node) => {
      const isOwn = (name: Node): boolean => name.type === 'PrivateIdentifier' && keys.includes(name.name);
      if (node.type === 'MemberExpression' && isOwn(node.property)) redirect(node.object);
      if (node.type === 'BinaryExpression' && isOwn(node.left)) redirect(node.right);
      return true;
    });
  }

  #insert(at: number, text: string): void {
    if (text !== '') this.#edits.replace(at, at, text);
  }
}

function staticOf(member: Member): string {
  return member.static ? 'static ' : '';
}

/** What stands around a function or class that takes a name. */
function naming(name: string): [before: string, after: string] {
  return [`({ [${JSON.stringify(name)}]: `, ` })[${JSON.stringify(name)}]`];
}

/** The name of a property as text. */
function nameOf(key: Node): string | undefined {
  if (key.type === 'Identifier') return key.name;
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  return key.type === 'Literal' ? String(key.value) : undefined;
}

/** How decorators read and write a private member; `state` is the variable of an accessor. */
function accessText(name: string, kind: string, state: string | undefined): string {
  const parts = [`has: (object) => #${name} in object`];
  if (kind !== 'setter') parts.push(`get: (object) => object.#${name}`);
  if (kind === 'setter' || kind === 'field' || kind === 'accessor')
    parts.push(`set: (object, value) => { object.#${name} = value; }`);
  const own = `, { get() { return this.${state}; }, set(value) { this.${state} = value; } }`;
  return `{ ${parts.join(', ')} }${state === undefined ? '' : own}`;
}

/** Whether an expression is a function or class that takes its name from where it stands. */
function isAnonymous(node: Node): boolean {
  if (node.type === 'ParenthesizedExpression') return isAnonymous(node.expression);
  const hasName = 'id' in node && node.id !== null;
  return !hasName && /^(FunctionExpression|ArrowFunctionExpression|ClassExpression)$/.test(node.type);
}

/** The name that a class without one takes from where it stands; undefined if there is none. */
function givenName(node: Class, parent: Node | undefined): string | undefined {
  switch (parent?.type) {
    case 'ExportDefaultDeclaration':
      return 'default';
    case 'VariableDeclarator':
      return nameOf(parent.id);
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      return parent.right === node && parent.left.type === 'Identifier' ? parent.left.name : undefined;
    case 'Property':
    case 'PropertyDefinition':
    case 'AccessorProperty':
      return parent.computed || parent.value !== node ? undefined : nameOf(parent.key);
    default:
      return undefined;
  }
}
