import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import { type CellContext, raise } from './cell-work.js';
import { hasTimerEnded, isInterval, type Timer } from './node-internals.js';
import { callBounded } from './repl-scripts.js';

type Callback = (this: unknown, ...parameters: unknown[]) => unknown;
type Start = (callback: unknown, ...rest: unknown[]) => Timer;
type Wait = (...parameters: unknown[]) => Promise<unknown>;

const SWEEP_AT = 1000;

/**
 * Replaces the functions that start timers, wherever code gets them from, so that the timers of an interrupted cell can
 * be cancelled. What a microtask throws is raised while its cell is known; Node forgets the cell before it reports.
 */
export function watchTimers(context: CellContext) {
  const byCell = new Map<number, Set<Timer>>();
  /** Pending promises that a timer resolves. */
  const waits = new Set<{ cell: number }>();
  const cancelled = new Set<number>();
  const sweep = (): void => {
    for (const [cell, live] of byCell) {
      for (const timer of live) if (hasTimerEnded(timer)) live.delete(timer);
      if (live.size === 0) byCell.delete(cell);
    }
  };
  const watched =
    (start: Start): Start =>
    (callback, ...rest) => {
      const timer = start(isUsers(callback) ? bounded(callback) : callback, ...rest);
      const cell = context.current();
      const own = byCell.get(cell) ?? new Set();
      byCell.set(cell, own.add(timer));
      if (own.size % SWEEP_AT === 0) sweep();
      return timer;
    };
  // For a cancelled cell, the promise never resolves, so that nothing awaiting it goes on.
  const lasting =
    (start: Wait): Wait =>
    async (...parameters) => {
      const wait = { cell: context.current() };
      waits.add(wait);
      const value = await start(...parameters).finally(() => waits.delete(wait));
      return cancelled.has(wait.cell) ? new Promise(() => {}) : value;
    };
  for (const name of ['setTimeout', 'setInterval', 'setImmediate'] as const) {
    const value = watched(timers[name] as Start);
    Object.assign(timers, { [name]: value });
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: true });
  }
  for (const name of ['setTimeout', 'setImmediate'] as const) {
    const value = lasting(timersPromises[name] as Wait);
    Object.assign(timersPromises, { [name]: value });
    Object.defineProperty(timers[name], promisify.custom, { value, configurable: true });
  }
  syncBuiltinESMExports();
  watchMicrotasks();
  return {
    /** Cancels the timers that a cell has started and the timer promises that it awaits. */
    cancel(cell: number): void {
      for (const timer of byCell.get(cell) ?? []) timers.clearTimeout(timer as NodeJS.Timeout);
      for (const timer of byCell.get(cell) ?? []) timers.clearImmediate(timer as NodeJS.Immediate);
      byCell.delete(cell);
      cancelled.add(cell);
    },
    /** Forgets the timers that have ended. */
    sweep,
    /** The cells with a pending timer, apart from intervals and unref'd timers. */
    waiting(): Set<number> {
      const isWaiting = (timer: Timer): boolean => !hasTimerEnded(timer) && timer.hasRef() && !isInterval(timer);
      const cells = new Set([...waits].map(({ cell }) => cell));
      for (const [cell, live] of byCell) if ([...live].some(isWaiting)) cells.add(cell);
      return cells;
    },
  };
}

function watchMicrotasks(): void {
  const queue = globalThis.queueMicrotask;
  const value = (task: () => void): void => {
    // Node itself reports best what is not a function.
    if (typeof task !== 'function') queue(task);
    queue(() => {
      try {
        task();
      } catch (thrown) {
        raise(thrown);
      }
    });
  };
  Object.defineProperty(globalThis, 'queueMicrotask', { value, configurable: true, writable: true });
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
