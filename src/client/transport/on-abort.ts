import { Stop, type StopSignal } from './stop.js';

interface Watch {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls back once when a signal is aborted. However many requests share a signal, it gets only one listener, since
 * Node.js warns of a leak beyond ten.
 *
 * @param signal Not aborted yet.
 * @returns A function that removes the callback.
 */
export function onAbort(signal: StopSignal, callback: () => void): () => void {
  if (signal instanceof Stop) return signal.onAbort(callback);
  const watch = watches.get(signal) ?? startWatch(signal);
  watch.callbacks.add(callback);
  return () => {
    watch.callbacks.delete(callback);
    if (watch.callbacks.size > 0) return;
    signal.removeEventListener('abort', watch.listener);
    if (watches.get(signal) === watch) watches.delete(signal);
  };
}

function startWatch(signal: AbortSignal): Watch {
  const callbacks = new Set<() => void>();
  const watch = { callbacks, listener: () => callAll(callbacks) };
  watches.set(signal, watch);
  signal.addEventListener('abort', watch.listener, { once: true });
  return watch;
}

function callAll(callbacks: ReadonlySet<() => void>): void {
  for (const callback of [...callbacks]) callback();
}
