type Decorator = (...parameters: unknown[]) => unknown;
type Disposer = () => unknown;

/**
 * What transformed code calls as the global `babelHelpers` for syntax that Node lacks: legacy decorators and `using`.
 */
export const loweredSyntax = { decorate, decorateParam, usingCtx };

/** As TypeScript does: what a decorator returns, also for a field, is the member's descriptor from then on. */
function decorate(decorators: Decorator[], target: object, key?: string | symbol, descriptor?: unknown): unknown {
  const ordered = [...decorators].reverse();
  if (key === undefined) return ordered.reduce<unknown>((seen, decorator) => decorator(seen) || seen, target);
  const first = descriptor === null ? Object.getOwnPropertyDescriptor(target, key) : descriptor;
  const last = ordered.reduce<unknown>((current, decorator) => decorator(target, key, current) || current, first);
  if (last) Object.defineProperty(target, key, last);
  return last;
}

/** What the decorator of a parameter returns is ignored, as in TypeScript. */
function decorateParam(index: number, decorator: Decorator): Decorator {
  return (target, key) => {
    decorator(target, key, index);
  };
}

const NOTHING = Symbol('nothing thrown');

/** The resources of one block: `u` opens one, `a` an async one, `e` takes what the block threw, `d` closes them all. */
function usingCtx(): { e: unknown; u: (value: unknown) => unknown; a: (value: unknown) => unknown; d: () => unknown } {
  const disposers: { dispose: Disposer; isAsync: boolean }[] = [];
  const open = (isAsync: boolean) => (value: unknown) => {
    if (value === null || value === undefined) return value;
    disposers.push({ dispose: disposerOf(value, isAsync), isAsync });
    return value;
  };
  const context = { e: NOTHING as unknown, u: open(false), a: open(true), d: close };
  function close(): unknown {
    const entry = disposers.pop();
    if (!entry) {
      if (context.e !== NOTHING) throw context.e;
      return undefined;
    }
    try {
      const closed = entry.dispose();
      if (entry.isAsync) return Promise.resolve(closed).then(close, (error: unknown) => failed(error));
    } catch (error) {
      return failed(error);
    }
    return close();
  }
  function failed(error: unknown): unknown {
    context.e = context.e === NOTHING ? error : suppressing(error, context.e);
    return close();
  }
  return context;
}

/**
 * The error thrown when closing a resource fails after an earlier error: Node's own class, if there is one, with both
 * errors enumerable so that they are printed.
 */
function suppressing(error: unknown, suppressed: unknown): Error {
  const native: unknown = Reflect.get(globalThis, 'SuppressedError');
  const made = typeof native === 'function' ? native : Suppressed;
  const thrown: Error = Reflect.construct(made, [error, suppressed, 'An error was suppressed during disposal.']);
  return Object.defineProperties(thrown, { error: { enumerable: true }, suppressed: { enumerable: true } });
}

class Suppressed extends Error {
  readonly error: unknown;
  readonly suppressed: unknown;

  constructor(error: unknown, suppressed: unknown, message: string) {
    super(message);
    this.error = error;
    this.suppressed = suppressed;
  }
}

for (const named of [Suppressed, Suppressed.prototype])
  Object.defineProperty(named, 'name', { value: 'SuppressedError' });

function disposerOf(value: unknown, isAsync: boolean): Disposer {
  const target = Object(value) as object;
  const asyncMethod: unknown = isAsync && Symbol.asyncDispose ? Reflect.get(target, Symbol.asyncDispose) : undefined;
  const method = asyncMethod ?? Reflect.get(target, Symbol.dispose);
  if (typeof method !== 'function') throw new TypeError('A value given to `using` has no method [Symbol.dispose].');
  return () => Reflect.apply(method, value, []);
}
