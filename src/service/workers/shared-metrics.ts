import type { MetricsSnapshot } from '../operation/sum-metrics.js';
import type { Member } from './member.js';
import type { SharedCounts } from './shared-counts.js';

/** How long a worker may take to report what it has counted; then its last report is used. */
const ANSWER_MS = 1000;

/** Collects what all workers have counted. */
export class SharedMetrics {
  readonly #members: ReadonlyMap<number, Member>;
  readonly #counts: SharedCounts;
  /** By worker, called once it has answered, or cannot any more. */
  readonly #waiting = new Map<number, () => void>();
  #collecting: Promise<MetricsSnapshot[]> | undefined;

  constructor(members: ReadonlyMap<number, Member>, counts: SharedCounts) {
    this.#members = members;
    this.#counts = counts;
  }

  /** What all workers have counted; calls at the same time share one answer. */
  collect(): Promise<MetricsSnapshot[]> {
    this.#collecting ??= this.#collect().finally(() => {
      this.#collecting = undefined;
    });
    return this.#collecting;
  }

  /** Notes that a worker has reported, or has ended. */
  settled(id: number): void {
    this.#waiting.get(id)?.();
  }

  async #collect(): Promise<MetricsSnapshot[]> {
    const ready = [...this.#members.values()].filter(({ readyAtMs }) => readyAtMs !== undefined);
    await Promise.all(ready.map((member) => this.#ask(member)));
    const there = ready.filter(({ worker }) => this.#members.has(worker.id));
    return this.#counts.metrics(there.flatMap(({ snapshot }) => (snapshot ? [snapshot] : [])));
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
