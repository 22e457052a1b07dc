import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import { callBounded } from './cell-scripts.js';
import type { CellContext } from './cell-work.js';
import { hasTimerEnded, isInterval, type Timer } from './node-internals.js';

type Callback = (this: unknown, ...parameters: unknown[]) => unknown;
type Start = (callback: unknown, ...rest: unknown[]) => Timer;
type Wait = (...parameters: unknown[]) => Promise<unknown>;

const NAMES = ['setTimeout', 'setInterval', 'setImmediate'] as const;
const SWEEP_AT = 1000;

/** Tracks the timers of each cell, so that those of an interrupted cell can be cancelled. */
export class CellTimers {
  readonly #context: CellContext;
  readonly #byCell = new Map<number, Set<Timer>>();
  /** Pending promises that a timer resolves. */
  readonly #waits = new Set<{ cell: number }>();
  readonly #cancelled = new Set<number>();

  /**
   * Replaces the functions that start timers, wherever code gets them from.
   *
   * @param onError Gets what a microtask throws, while its cell is known; Node forgets the cell before it reports.
   */
  constructor(context: CellContext, onError: (thrown: unknown) => void) {
    this.#context = context;
    for (const name of NAMES) {
      const watched = this.#watched(timers[name] as Start);
      Object.assign(timers, { [name]: watched });
      Object.defineProperty(globalThis, name, { value: watched, configurable: true, writable: true, enumerable: true });
    }
    for (const name of ['setTimeout', 'setImmediate'] as const) {
      const promised = this.#lasting(timersPromises[name] as Wait);
      Object.assign(timersPromises, { [name]: promised });
      Object.defineProperty(timers[name], promisify.custom, { value: promised, configurable: true });
    }
    syncBuiltinESMExports();
    this.#watchMicrotasks(onError);
  }

  /** Cancels the timers that a cell has started and the timer promises that it awaits. */
  cancel(cell: number): void {
    for (const timer of this.#byCell.get(cell) ?? []) timers.clearTimeout(timer as NodeJS.Timeout);
    for (const timer of this.#byCell.get(cell) ?? []) timers.clearImmediate(timer as NodeJS.Immediate);
    this.#byCell.delete(cell);
    this.#cancelled.add(cell);
  }

  /** Forgets the timers that have ended. */
  sweep(): void {
    for (const [cell, live] of this.#byCell) {
      for (const timer of live) if (hasTimerEnded(timer)) live.delete(timer);
      if (live.size === 0) this.#byCell.delete(cell);
    }
  }

  /** The cells with a pending timer, apart from intervals and unref'd timers. */
  waiting(): Set<number> {
    const isWaiting = (timer: Timer): boolean => !hasTimerEnded(timer) && timer.hasRef() && !isInterval(timer);
    const cells = new Set([...this.#waits].map(({ cell }) => cell));
    for (const [cell, timers] of this.#byCell) if ([...timers].some(isWaiting)) cells.add(cell);
    return cells;
  }

  #watchMicrotasks(onError: (thrown: unknown) => void): void {
    const queue = globalThis.queueMicrotask;
    const watched = (task: () => void): void => {
      // Node itself reports best what is not a function.
      if (typeof task !== 'function') queue(task);
      queue(() => {
        try {
          task();
        } catch (thrown) {
          onError(thrown);
        }
      });
    };
    Object.defineProperty(globalThis, 'queueMicrotask', { value: watched, configurable: true, writable: true });
  }

  #watched(start: Start): Start {
    return (callback, ...rest) => {
      const timer = start(isUsers(callback) ? bounded(callback) : callback, ...rest);
      const cell = this.#context.current();
      const own = this.#byCell.get(cell) ?? new Set();
      this.#byCell.set(cell, own.add(timer));
      if (own.size % SWEEP_AT === 0) this.sweep();
      return timer;
    };
  }

  /**
   * Wraps a promise-based timer. For a cancelled cell, the promise never resolves, so that nothing awaiting it goes on.
   */
  #lasting(start: Wait): Wait {
    return async (...parameters) => {
      const wait = { cell: this.#context.current() };
      const { cell } = wait;
      this.#waits.add(wait);
      const value = await start(...parameters).finally(() => this.#waits.delete(wait));
      return this.#cancelled.has(cell) ? new Promise(() => {}) : value;
    };
  }
}

const NATIVE = /\{ \[native code\] \}$/;

/** Whether a callback can hold code that runs long: a native function, such as a promise's resolver, cannot. */
function isUsers(callback: unknown): callback is Callback {
  return typeof callback === 'function' && !NATIVE.test(Function.prototype.toString.call(callback));
}

/** Lets an interrupt end only the callback, not the Node code that calls it, whose state would be corrupted. */
function bounded(callback: Callback): Callback {
  return function (...parameters) {
    callBounded(() => Reflect.apply(callback, this, parameters));
  };
}
