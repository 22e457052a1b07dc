/**
 * A Vega-Lite specification as JSON; members that are not listed here are Vega-Lite's. For closer types use those of
 * the package `vega-lite`: `chart.spec as TopLevelSpec`, with `import type { TopLevelSpec } from 'vega-lite'`.
 */
export interface ChartSpec {
  /** What the chart shows, for readers who cannot see it. */
  readonly description?: string;
  readonly title?: unknown;
  readonly data?: unknown;
  readonly mark?: unknown;
  readonly [member: string]: unknown;
}
