import type { Allowance, Buckets } from './token-buckets.js';

/** What a process offers to the other processes of its service. */
export interface Peer {
  /** What this process has counted. */
  metrics(): Promise<MetricsSnapshot>;
  /** Has the keys read anew at the next request, because another process has made or revoked one. */
  forgetKeys(): void;
}

/** The processes of one service, seen from one of them. */
export interface Peers {
  /** Registers this process with the others; to be called once. */
  join(peer: Peer): void;
  /**
   * Token buckets that count for all processes together.
   *
   * @param sort What is counted; each sort has its own buckets.
   */
  buckets(sort: string, allowance: Allowance): Buckets;
  /** What all processes have counted, including this one and those that have ended. */
  metrics(): Promise<MetricsSnapshot[]>;
  /** Tells the others that a key was made or revoked here. */
  keysChanged(): void;
}

/** A metric of one process as it is sent to another: prom-client's JSON. */
interface SentMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** How the values of several processes are combined. */
  readonly aggregator: string;
  /** A value is null if it was NaN, which JSON does not know. */
  readonly values: readonly { readonly value: number | null; readonly labels: Readonly<Record<string, unknown>> }[];
}

/** The metrics of one process at a moment. */
export type MetricsSnapshot = readonly SentMetric[];

/**
 * Combines the metrics of several processes: counters and histograms are added up, gauges follow their own aggregator.
 *
 * @returns The text in Prometheus' format with its content type, and a snapshot.
 */
export async function sumMetrics(
  snapshots: readonly MetricsSnapshot[],
): Promise<{ text: string; type: string; snapshot: MetricsSnapshot }> {
  const { AggregatorRegistry } = await import('prom-client');
  // Its declarations call a metric's type a number, where it is text.
  const registry = AggregatorRegistry.aggregate(snapshots.map((each) => each.map(withNumbers)) as unknown as object[]);
  const snapshot = (await registry.getMetricsAsJSON()) as unknown as MetricsSnapshot;
  return { text: await registry.metrics(), type: registry.contentType, snapshot };
}

function withNumbers(metric: SentMetric): SentMetric {
  return { ...metric, values: metric.values.map((each) => ({ ...each, value: each.value ?? Number.NaN })) };
}
