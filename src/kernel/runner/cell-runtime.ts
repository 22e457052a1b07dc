import type { Cells } from './cell-work.js';
import { decorated } from './decorated-class.js';
import { awaitedBy, noteAwaited } from './stack.js';

/** Makes what the awaits and assignments of one notebook's cells call, under the global name `__oddslab__`. */
export function createResumption({ current, hasStruck }: Cells) {
  let kept: unknown;
  return {
    /** Records the offset in the cell at which an `await` is about to wait for a value; returns the value. */
    waitsFor(value: unknown, at: number | undefined): unknown {
      noteAwaited(current(), at);
      return value;
    },
    /** The offset at which the cell waits. */
    awaited: (): number | undefined => awaitedBy(current()),
    /** Keeps the value of a finished `await`; false if the cell that awaited it must not go on. */
    goesOn(value?: unknown): boolean {
      const cell = current();
      noteAwaited(cell, undefined);
      kept = value;
      return !hasStruck(cell);
    },
    /** Returns the kept value and forgets it. */
    taken(): unknown {
      const value = kept;
      kept = undefined;
      return value;
    },
    /** Whether the calling cell must not go on. */
    isOver: (): boolean => hasStruck(current()),
    /** A promise that never resolves. */
    never: (): Promise<never> => new Promise(() => {}),
    /** Stands for a constant where it is assigned to: reading it gives the constant's value, writing it throws. */
    constant: (read: () => unknown) => ({
      get value() {
        return read();
      },
      set value(_) {
        throw new TypeError('Assignment to constant variable.');
      },
    }),
    /** Makes the text of a function that is declared without its name say it, so that the text may be run elsewhere. */
    namedInText(declared: (...parameters: never[]) => unknown): void {
      const { name } = declared;
      const { toString: value } = {
        toString(): string {
          const text = Function.prototype.toString.call(this);
          // A class that extends the function inherits this method.
          return (this as unknown) === declared
            ? text.replace(/^(async )?function\*? /, (start) => start + name)
            : text;
        },
      };
      Object.defineProperty(declared, 'toString', { value, configurable: true, writable: true });
    },
  };
}

type Decorator = (...parameters: unknown[]) => unknown;
type Disposer = () => unknown;

const NOTHING = Symbol('nothing thrown');

class Suppressed extends Error {
  readonly error: unknown;
  readonly suppressed: unknown;

  constructor(error: unknown, suppressed: unknown, message: string) {
    super(message);
    this.error = error;
    this.suppressed = suppressed;
  }
}

/** The global `babelHelpers`, which transformed code calls for syntax that Node lacks: decorators, `using`. */
export const loweredSyntax = { decorated, decorate, decorateParam, decorateMetadata, usingCtx };

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

/** Tells a type, as TypeScript does: by the function that reflect-metadata adds, if that is loaded. */
function decorateMetadata(key: string, value: unknown): Decorator {
  const tell: unknown = Reflect.get(Reflect, 'metadata');
  return typeof tell === 'function' ? (tell(key, value) as Decorator) : () => undefined;
}

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

/** The error thrown when closing a resource fails after an earlier error; both errors are enumerable, to be printed. */
function suppressing(error: unknown, suppressed: unknown): Error {
  const native: unknown = Reflect.get(globalThis, 'SuppressedError');
  const made = typeof native === 'function' ? native : Suppressed;
  const thrown: Error = Reflect.construct(made, [error, suppressed, 'An error was suppressed during disposal.']);
  return Object.defineProperties(thrown, { error: { enumerable: true }, suppressed: { enumerable: true } });
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
