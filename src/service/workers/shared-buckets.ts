import type { Allowance, Buckets, Taken } from '../operation/token-buckets.js';
import type { FromWorker } from './messages.js';

type Waiter = (taken: Taken) => void;

/** Token buckets that the primary keeps for all workers, as one worker uses them. */
export class SharedBuckets {
  readonly #say: (message: FromWorker) => void;
  readonly #asked = new Map<number, readonly Waiter[]>();
  #last = 0;

  constructor(say: (message: FromWorker) => void) {
    this.#say = say;
  }

  /** The buckets of one sort. Requests of one turn of the event loop are sent together. */
  of(sort: string, allowance: Allowance): Buckets {
    let names: string[] = [];
    let waiters: Waiter[] = [];
    const send = () => {
      this.#last++;
      this.#asked.set(this.#last, waiters);
      this.#say({ type: 'take', id: this.#last, sort, allowance, names });
      [names, waiters] = [[], []];
    };
    return {
      take(name) {
        if (names.length === 0) setImmediate(send);
        names.push(name);
        return new Promise((resolve) => waiters.push(resolve));
      },
    };
  }

  /** Passes on an answer of the primary. */
  answered(id: number, taken: readonly Taken[]): void {
    const waiters = this.#asked.get(id) ?? [];
    this.#asked.delete(id);
    for (const [at, each] of taken.entries()) waiters[at]?.(each);
  }
}
