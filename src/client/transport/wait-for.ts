import { setTimeout as timer } from 'node:timers/promises';

/**
 * Waits, and leaves no timer behind where it is stopped.
 *
 * @throws The signal's reason as soon as it is aborted.
 */
export async function waitFor(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await timer(waitMs, undefined, { signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw cause;
  }
}
