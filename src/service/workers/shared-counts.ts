import { type MetricsSnapshot, sumMetrics } from '../operation/sum-metrics.js';
import { type Allowance, type Taken, TokenBuckets } from '../operation/token-buckets.js';

/** What is counted for all workers together: the tokens of rate limits, and the metrics of workers that have ended. */
export class SharedCounts {
  readonly #buckets = new Map<string, TokenBuckets>();
  #ended: MetricsSnapshot[] = [];
  #deaths = 0;

  /** Takes a token for each name, in this order. The first call for a sort sets its allowance. */
  take(sort: string, allowance: Allowance, names: readonly string[]): Taken[] {
    let buckets = this.#buckets.get(sort);
    if (!buckets) {
      buckets = new TokenBuckets(allowance);
      this.#buckets.set(sort, buckets);
    }
    return names.map((name) => buckets.take(name));
  }

  /**
   * Keeps the last metrics of a worker that has ended, since counters must never fall.
   *
   * @param isDeath Whether it ended without being told to.
   */
  workerEnded(snapshot: MetricsSnapshot | undefined, isDeath: boolean): void {
    if (isDeath) this.#deaths++;
    const kept = snapshot?.filter(({ type }) => type === 'counter' || type === 'histogram');
    if (kept) this.#ended.push(kept);
  }

  /** The metrics of the running workers, of those that have ended, and of how many there are. */
  async metrics(ofWorkers: readonly MetricsSnapshot[]): Promise<MetricsSnapshot[]> {
    const ended = this.#ended;
    if (ended.length > 1) {
      const { snapshot } = await sumMetrics(ended);
      // More workers may have ended meanwhile.
      this.#ended = [snapshot, ...this.#ended.slice(ended.length)];
    }
    return [...ofWorkers, ...this.#ended, this.#own(ofWorkers.length)];
  }

  #own(workers: number): MetricsSnapshot {
    return [
      metricOf('oddslab_workers', 'gauge', 'Workers that answer.', workers),
      metricOf('oddslab_worker_deaths_total', 'counter', 'Workers that ended without being told to.', this.#deaths),
    ];
  }
}

function metricOf(name: string, type: 'gauge' | 'counter', help: string, value: number): MetricsSnapshot[number] {
  return { name, help, type, aggregator: 'sum', values: [{ value, labels: {} }] };
}
