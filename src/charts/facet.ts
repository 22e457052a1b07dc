import { UsageError } from '../base/errors.js';
import { itemAt } from '../base/item-at.js';
import { knownOptions } from '../base/nearest.js';
import { shownNumber, shownValue } from '../base/option-types.js';
import { counted } from '../base/texts.js';
import { shortId } from '../frame/display/cell-formatter.js';
import { anyColumn } from '../frame/tabular/column-values.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Cell } from '../frame/vector/vector.js';
import { filterRows } from '../frame/verbs/filter-rows.js';
import { type ChartSpec, frameOfChart, inParts } from './design/chart-spec.js';
import { columnInWords, groupName, shortLabels } from './design/chart-text.js';
import { titleOf } from './design/title-text.js';
import { Chart } from './drawing/chart.js';

/** Options of {@link facet}: which charts there are, and how they are arranged. */
export interface FacetOptions {
  /** The column; each of its values has a chart. */
  by: string;
  /** Number of charts in a row. Default 2. */
  columns?: number;
  /** The title of the whole. Default: one that says what the charts show, and by which column. */
  title?: string;
}

/** The most charts drawn. */
const MOST = 12;

/** The total width of the charts in a row without their axes, in pixels. */
const ROOM = 960;

/**
 * The same chart for each value of a column, side by side, with the value as its title: the values with most rows
 * first, at most twelve, as the subtitle then says. Each chart has its own axes. All together show no more points than
 * one chart.
 *
 * @param chartOf Makes the chart of the rows of one value.
 * @throws {ColumnError} If the column is missing, or `chartOf` throws it.
 * @throws {UsageError} If the frame has no rows, `by` is missing, `columns` is not a whole number of at least 1, an
 * option is unknown, or `chartOf` does not return a chart.
 * @example facet(pnl, (part) => pnlByPeriodChart(part, { by: 'month' }), { by: 'proxy_wallet' });
 */
export function facet<Row extends object>(
  frame: DataFrame<Row>,
  chartOf: (part: DataFrame<Row>) => Chart,
  options: FacetOptions,
): Chart {
  knownOptions('facet', options, ['by', 'columns', 'title'], { by: 'text', columns: 'number' });
  if (typeof chartOf !== 'function') {
    throw new UsageError(
      `facet takes a function that makes a chart of the rows of one value: (part) => cumulativePnlChart(part); got ${shownValue(chartOf)}.`,
    );
  }
  const { by, columns = 2, title } = options;
  if (!Number.isInteger(columns) || columns < 1)
    throw new UsageError(`columns must be a whole number from 1 on; got ${shownNumber(columns)}.`);
  const keys = Array.from(anyColumn(frame, by) as ArrayLike<Cell>, groupName);
  const shown = mostFrequent(keys);
  const parts = shown.map((key) => {
    const mask = keys.map((other) => other === key);
    return inParts(shown.length, () => specOf(chartOf(filterRows(frame, mask))));
  });
  const [first] = parts;
  if (first === undefined) throw new UsageError(`There is no row to make charts by "${by}" of.`);
  const all = new Set(keys).size;
  const of = shown.length < all ? `The ${shown.length} of ${counted(all, 'value')} with most rows` : '';
  const own = parts.length > 1 ? 'Each with axes of its own' : '';
  const labels = shortLabels(shown);
  const shared = sharedTitle(
    parts.map((part, at) => (titleOf(part) ?? '').replace(` of ${shortId(itemAt(shown, at))}`, '')),
  );
  const about = {
    of: undefined,
    title: title ?? titled(shared, columnInWords(by)),
    subtitle: [of, own],
    width: 640,
    height: 0,
  };
  const { width: _, height: __, autosize: ___, ...whole } = frameOfChart(about);
  return new Chart({
    ...whole,
    columns,
    spacing: 28,
    concat: parts.map((part, at) => partOf(itemAt(labels, at), part, columns)),
  });
}

/** The specification of a chart; refuses other values, for callers without type checks. */
function specOf(chart: unknown): ChartSpec {
  if (chart instanceof Chart) return chart.spec;
  const got = chart instanceof Promise ? 'a promise' : `a value of type ${typeof chart}`;
  throw new UsageError(
    `The function of facet must give a chart, as in facet(pnl, (part) => winRateChart(part), { by: 'proxy_wallet' }); got ${got}.`,
  );
}

function mostFrequent(keys: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return sorted.slice(0, MOST).map(([key]) => key);
}

/** The words that all titles begin with: a part's own name belongs only above that part. */
function sharedTitle(titles: readonly string[]): string {
  const [first = [], ...others] = titles.map((title) => title.split(' '));
  const end = first.findIndex((word, at) => others.some((other) => other[at] !== word));
  return (end < 0 ? first : first.slice(0, end)).join(' ').replace(/[\s,:]*\b(?:of|by|for)?[\s,:]*$/, '');
}

function titled(shared: string, by: string): string {
  return shared === '' ? `By ${by}` : `${shared}, by ${by}`;
}

/** A view without the properties of the whole, narrow enough for its column. */
function partOf(label: string, spec: ChartSpec, columns: number): object {
  const { $schema, config, usermeta, autosize, description, ...view } = spec;
  const title = { ...Object(view.title), text: label, fontSize: 13 };
  const { width, height } = view;
  if (typeof width !== 'number') return { ...view, title };
  const narrow = Math.min(width, Math.floor(ROOM / columns));
  return { ...view, title, width: narrow, height: height === width ? narrow : height };
}
