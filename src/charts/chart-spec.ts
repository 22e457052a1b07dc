/**
 * A Vega-Lite specification as the JSON that it is: what is in a chart besides these members is Vega-Lite's to say. Its own
 * package types it more closely: `chart.spec as TopLevelSpec`, of `import type { TopLevelSpec } from 'vega-lite'`.
 */
export interface ChartSpec {
  /** What the chart shows, for who cannot see it. */
  readonly description?: string;
  readonly title?: unknown;
  readonly data?: unknown;
  readonly mark?: unknown;
  readonly [member: string]: unknown;
}
