import type { MetricsSnapshot, Peer, Peers } from '../operation/peers.js';
import type { Allowance, Buckets, Taken } from '../operation/token-buckets.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

/** The other workers, as one worker reaches them: through the primary. */
export class WorkerPeers implements Peers {
  readonly #say: (message: FromWorker) => void;
  readonly #buckets: SharedBuckets;
  #self: Peer | undefined;
  /** Callers that wait for the metrics; one answer serves all of them. */
  #metricsWaiters: ((snapshots: MetricsSnapshot[]) => void)[] = [];

  constructor(say: (message: FromWorker) => void) {
    this.#say = say;
    this.#buckets = new SharedBuckets(say);
  }

  join(self: Peer): void {
    this.#self = self;
  }

  buckets(sort: string, allowance: Allowance): Buckets {
    return this.#buckets.of(sort, allowance);
  }

  metrics(): Promise<MetricsSnapshot[]> {
    return new Promise((resolve) => {
      if (this.#metricsWaiters.push(resolve) === 1) this.#say({ type: 'metricsWanted' });
    });
  }

  keysChanged(): void {
    this.#say({ type: 'keysChanged' });
  }

  /** Sends the primary what this process has counted; if that cannot be read, the last report stands. Never fails. */
  async tellMetrics(): Promise<void> {
    try {
      const snapshot = await this.#self?.metrics();
      if (snapshot) this.#say({ type: 'metrics', snapshot });
    } catch (error) {
      process.emitWarning(`The metrics of this process cannot be read: ${error}`);
    }
  }

  /** Handles a message of the primary. */
  hear(message: ToWorker): void {
    switch (message.type) {
      case 'taken':
        this.#buckets.answered(message.id, message.taken);
        break;
      case 'keysChanged':
        this.#self?.forgetKeys();
        break;
      case 'metricsWanted':
        void this.tellMetrics();
        break;
      case 'metricsOfAll':
        for (const resolve of this.#metricsWaiters.splice(0)) resolve([...message.snapshots]);
        break;
    }
  }
}

type TokenWaiter = (taken: Taken) => void;

/** Token buckets that the primary keeps for all workers, as one worker uses them. */
class SharedBuckets {
  readonly #say: (message: FromWorker) => void;
  readonly #asked = new Map<number, readonly TokenWaiter[]>();
  #last = 0;

  constructor(say: (message: FromWorker) => void) {
    this.#say = say;
  }

  /** The buckets of one sort. Requests of one turn of the event loop are sent together. */
  of(sort: string, allowance: Allowance): Buckets {
    let names: string[] = [];
    let waiters: TokenWaiter[] = [];
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
