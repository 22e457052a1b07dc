import { type MetricsSnapshot, sumMetrics } from '../operation/metrics.js';
import { type Allowance, type Taken, TokenBuckets } from '../operation/token-buckets.js';
import type { Member } from './worker-process.js';

/** How long a worker may take to report what it has counted; then its last report is used. */
const ANSWER_MS = 1000;

/** What is counted for all workers together: the tokens of rate limits, and their metrics. */
export class SharedCounts {
  readonly #members: ReadonlyMap<number, Member>;
  readonly #buckets = new Map<string, TokenBuckets>();
  /** By worker, called once it has reported, or cannot any more. */
  readonly #waiting = new Map<number, () => void>();
  #collecting: Promise<MetricsSnapshot[]> | undefined;
  /** The last metrics of workers that have ended. */
  #ended: MetricsSnapshot[] = [];
  #deaths = 0;

  constructor(members: ReadonlyMap<number, Member>) {
    this.#members = members;
  }

  /** Takes a token for each name, in this order. The first call for a sort sets its allowance. */
  take(sort: string, allowance: Allowance, names: readonly string[]): Taken[] {
    const buckets = this.#buckets.get(sort) ?? new TokenBuckets(allowance);
    this.#buckets.set(sort, buckets);
    return names.map((name) => buckets.take(name));
  }

  /** What all workers have counted, also those that have ended; calls at the same time share one answer. */
  metrics(): Promise<MetricsSnapshot[]> {
    this.#collecting ??= this.#collect().finally(() => {
      this.#collecting = undefined;
    });
    return this.#collecting;
  }

  settled(id: number): void {
    this.#waiting.get(id)?.();
  }

  /**
   * Keeps the last metrics of a worker that has ended, since counters must never fall.
   *
   * @param isDeath Whether it ended without being told to.
   */
  ended(id: number, snapshot: MetricsSnapshot | undefined, isDeath: boolean): void {
    if (isDeath) this.#deaths++;
    const kept = snapshot?.filter(({ type }) => type === 'counter' || type === 'histogram');
    if (kept) this.#ended.push(kept);
    this.settled(id);
  }

  async #collect(): Promise<MetricsSnapshot[]> {
    const ready = [...this.#members.values()].filter(({ readyAtMs }) => readyAtMs !== undefined);
    await Promise.all(ready.map((member) => this.#ask(member)));
    const there = ready.filter(({ worker }) => this.#members.has(worker.id));
    const snapshots = there.flatMap(({ snapshot }) => (snapshot ? [snapshot] : []));
    const ended = this.#ended;
    if (ended.length > 1) {
      const { snapshot } = await sumMetrics(ended);
      // More workers may have ended meanwhile.
      this.#ended = [snapshot, ...this.#ended.slice(ended.length)];
    }
    const own = [
      metricOf('oddslab_workers', 'gauge', 'Workers that answer.', snapshots.length),
      metricOf('oddslab_worker_deaths_total', 'counter', 'Workers that ended without being told to.', this.#deaths),
    ];
    return [...snapshots, ...this.#ended, own];
  }

  #ask({ worker, tell }: Member): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(late);
        this.#waiting.delete(worker.id);
        resolve();
      };
      const late = setTimeout(done, ANSWER_MS);
      this.#waiting.set(worker.id, done);
      tell({ type: 'metricsWanted' });
    });
  }
}

function metricOf(name: string, type: 'gauge' | 'counter', help: string, value: number): MetricsSnapshot[number] {
  return { name, help, type, aggregator: 'sum', values: [{ value, labels: {} }] };
}
