/** A metric of one process as it travels between processes: what prom-client gives as JSON. */
interface SentMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** How the values of several processes make one. */
  readonly aggregator: string;
  /** A value is null where it was NaN, which JSON does not know. */
  readonly values: readonly { readonly value: number | null; readonly labels: Readonly<Record<string, unknown>> }[];
}

/** The metrics of one process at a moment. */
export type MetricsSnapshot = readonly SentMetric[];

/**
 * The metrics of several processes as those of one: counters and histograms are added up, gauges as each one says.
 *
 * @returns As text in Prometheus' format with its content type, and as a snapshot again.
 */
export async function sumMetrics(
  snapshots: readonly MetricsSnapshot[],
): Promise<{ text: string; type: string; snapshot: MetricsSnapshot }> {
  const { AggregatorRegistry } = await import('prom-client');
  // Its declarations say a number where it has a metric's type as text.
  const registry = AggregatorRegistry.aggregate(snapshots.map((each) => each.map(withNumbers)) as unknown as object[]);
  const snapshot = (await registry.getMetricsAsJSON()) as unknown as MetricsSnapshot;
  return { text: await registry.metrics(), type: registry.contentType, snapshot };
}

function withNumbers(metric: SentMetric): SentMetric {
  return { ...metric, values: metric.values.map((each) => ({ ...each, value: each.value ?? Number.NaN })) };
}
