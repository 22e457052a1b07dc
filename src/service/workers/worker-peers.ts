import type { Peer, Peers } from '../operation/peers.js';
import type { MetricsSnapshot } from '../operation/sum-metrics.js';
import type { Allowance, Buckets } from '../operation/token-buckets.js';
import type { FromWorker, ToWorker } from './messages.js';
import { SharedBuckets } from './shared-buckets.js';

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
