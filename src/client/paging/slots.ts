import { onAbort } from '../transport/on-abort.js';
import type { StopSignal } from '../transport/stop.js';

/** Bounds how much runs at the same time: the rest waits, in the order in which it came. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  /** @param count How many may run at once, 1 or more. */
  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Runs work as soon as there is a slot for it.
   *
   * @param signal Ends the wait for a slot; work that runs already has to look at it itself.
   * @throws The signal's reason, or what the work throws.
   */
  async run<T>(work: () => Promise<T>, signal: StopSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#give();
    }
  }

  #turn(signal: StopSignal): Promise<void> {
    return new Promise((done, fail) => {
      const leave = () => {
        this.#waiting.delete(enter);
        fail(signal.reason);
      };
      const enter = () => {
        forget();
        done();
      };
      this.#waiting.add(enter);
      const forget = onAbort(signal, leave);
    });
  }

  #give(): void {
    for (const enter of this.#waiting) {
      this.#waiting.delete(enter);
      enter();
      return;
    }
    this.#free += 1;
  }
}
