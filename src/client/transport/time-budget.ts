import { onAbort } from './on-abort.js';
import { Stop, type StopSignal } from './stop.js';

/** The time that one request has with all its tries and waits, and its caller's right to stop it. */
export interface TimeBudget {
  /** Aborted when the caller aborts, with the caller's reason, or when the time is over. */
  readonly signal: Stop;
  /** Milliseconds that are left; 0 or less when the time is over. */
  leftMs(): number;
  /** Lets go of the timer and of the caller's signal: call it once the request is done with. */
  end(): void;
}

/**
 * Starts the clock of one request.
 *
 * @param caller Of the caller; where it is aborted, its reason is passed on.
 */
export function startBudget(timeoutMs: number, caller: StopSignal | undefined): TimeBudget {
  const until = performance.now() + timeoutMs;
  const stop = new Stop();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  const pass = () => stop.abort(caller?.reason);
  if (caller?.aborted) pass();
  const forget = caller && !caller.aborted ? onAbort(caller, pass) : undefined;
  return {
    signal: stop,
    leftMs: () => until - performance.now(),
    end() {
      clearTimeout(timer);
      forget?.();
    },
  };
}
