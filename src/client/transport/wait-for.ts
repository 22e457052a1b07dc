import { onAbort } from './on-abort.js';
import type { StopSignal } from './stop.js';

/**
 * Waits; leaves no timer behind if it is stopped.
 *
 * @throws The signal's reason as soon as it is aborted.
 */
export async function waitFor(waitMs: number, signal: StopSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((done) => {
    const end = () => {
      clearTimeout(timer);
      forget?.();
      done();
    };
    const timer = setTimeout(end, waitMs);
    const forget = signal && onAbort(signal, end);
  });
  signal?.throwIfAborted();
}
