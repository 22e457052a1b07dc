import { onAbort } from '../transport/on-abort.js';
import type { StopSignal } from '../transport/stop.js';

/** Limits how many tasks run at the same time; the others wait in order. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  /** @param count How many tasks may run at once, 1 or more. */
  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Runs work as soon as there is a free slot.
   *
   * @param signal Ends the wait for a slot; work that already runs must watch it itself.
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
