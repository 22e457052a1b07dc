import { itemAt } from '../../base/item-at.js';
import type { MetricsSnapshot, Peer } from '../operation/metrics.js';
import type { Allowance, Buckets, Taken } from '../operation/token-buckets.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

type TokenWaiter = (taken: Taken) => void;

/** The other workers, as one worker reaches them: through the primary. */
export class WorkerPeers {
  readonly #say: (message: FromWorker) => void;
  #self: Peer | undefined;
  /** Callers that wait for tokens, by the message that asks for them. */
  readonly #asked = new Map<number, readonly TokenWaiter[]>();
  #last = 0;
  #onUnbound = () => {};
  #isLacking = false;
  /** Callers that wait for the metrics; one answer serves all of them. */
  #metricsWaiters: ((snapshots: MetricsSnapshot[]) => void)[] = [];

  constructor(say: (message: FromWorker) => void) {
    this.#say = say;
  }

  /** Registers this process with the others; to be called once. */
  join(self: Peer): void {
    this.#self = self;
  }

  /** Token buckets of one sort that count for all processes. Requests of one turn of the event loop go together. */
  buckets(sort: string, allowance: Allowance): Buckets {
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

  /** What all processes have counted, including this one and those that have ended. */
  metrics(): Promise<MetricsSnapshot[]> {
    return new Promise((resolve) => {
      if (this.#metricsWaiters.push(resolve) === 1) this.#say({ type: 'metricsWanted' });
    });
  }

  /** Says whether this process can answer all queries, or has no data yet. */
  tellData(isWhole: boolean): void {
    this.#say({ type: 'data', isWhole });
  }

  /** Whether another process cannot answer all queries: whoever asks one of them may get to that. */
  get isLacking(): boolean {
    return this.#isLacking;
  }

  /** Says that this process listens no longer. Settles once none does. */
  unbound(): Promise<void> {
    return new Promise((resolve) => {
      this.#onUnbound = resolve;
      this.#say({ type: 'unbound' });
    });
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
        for (const [at, tell] of (this.#asked.get(message.id) ?? []).entries()) tell(itemAt(message.taken, at));
        this.#asked.delete(message.id);
        break;
      case 'metricsWanted':
        void this.tellMetrics();
        break;
      case 'metricsOfAll':
        for (const resolve of this.#metricsWaiters.splice(0)) resolve([...message.snapshots]);
        break;
      case 'othersLack':
        this.#isLacking = message.isSo;
        break;
      case 'allUnbound':
        this.#onUnbound();
        break;
    }
  }
}
