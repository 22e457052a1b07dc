import { ProblemError } from '../problems.js';

/** How much work may go on and wait at a time. */
export interface GateLimits {
  /** Pieces of work that go on at a time. */
  concurrent: number;
  /** Pieces that may wait; more are refused at once. */
  queued: number;
  /** Milliseconds that a piece may take, waiting included. */
  timeMs: number;
}

interface Waiter {
  readonly isWanted: () => boolean;
  readonly begin: () => void;
}

/** Limits how many queries run and how many wait; refuses those beyond that, and those that take too long. */
export class Gate {
  readonly #limits: GateLimits;
  #working = 0;
  readonly #waiting = new Set<Waiter>();

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Whether a query could begin at once. */
  get hasRoom(): boolean {
    return this.#working < this.#limits.concurrent;
  }

  /** How many queries wait. */
  get queued(): number {
    return this.#waiting.size;
  }

  /**
   * Runs work once there is room for it. If it takes too long, the promise is rejected, but its room stays taken until
   * it has really ended: otherwise slow queries would pile up beyond the limit.
   *
   * @param isWanted Asked before waiting work begins; returns false if its client has gone.
   * @param onLate Called when the time is over, so that the work can be ended.
   * @throws {ProblemError} 503 with `Retry-After` if too many wait or the time is over.
   */
  run<T>(work: () => Promise<T>, isWanted: () => boolean, onLate: () => void = () => {}): Promise<T> {
    const { queued, timeMs } = this.#limits;
    const { hasRoom } = this;
    if (!hasRoom && this.#waiting.size >= queued) {
      return Promise.reject(busy('Too many queries are waiting for their turn: ask again in a second.'));
    }
    return new Promise<T>((resolve, reject) => {
      const late = setTimeout(() => {
        reject(tooLate(this.#waiting.delete(waiter), timeMs));
        onLate();
      }, timeMs);
      const begin = () => {
        this.#working++;
        work()
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(late);
            this.#leave();
          });
      };
      const waiter = { isWanted, begin };
      if (hasRoom) begin();
      else this.#waiting.add(waiter);
    });
  }

  #leave(): void {
    this.#working--;
    for (const waiter of this.#waiting) {
      this.#waiting.delete(waiter);
      if (!waiter.isWanted()) continue;
      waiter.begin();
      return;
    }
  }
}

function tooLate(waited: boolean, timeMs: number): ProblemError {
  return busy(
    waited
      ? `The query waited ${timeMs / 1000} s for its turn: ask again in a second.`
      : `The query took longer than ${timeMs / 1000} s: ask for fewer records or a shorter range.`,
  );
}

function busy(detail: string): ProblemError {
  return new ProblemError(503, detail, { headers: { 'Retry-After': '1' } });
}
