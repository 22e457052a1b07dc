import { UsageError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { knownOptions } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import type { Column } from '../../contract/definition.js';
import { frameFromColumns } from '../danfo/frame-from-vectors.js';
import { columnsOf } from '../tabular/columns-of.js';
import type { ColumnNameOf, DataFrame } from '../tabular/data-frame.js';
import { numericVector } from '../tabular/tabular.js';
import { doublesOf } from '../vector/plain-vector.js';
import { keyNames } from './group-by.js';

/** Pearson's coefficient of the values, or Spearman's: Pearson's of their ranks. */
export type CorrelationMethod = 'pearson' | 'spearman';

/** Options of `correlate`. */
export interface CorrelateOptions<Name extends string> {
  /** The columns of numbers. Default: all that the frame has. */
  readonly columns?: readonly Name[];
  /** `pearson` for how near values lie to a line, `spearman` for how near their order is to the same. Default `pearson`. */
  readonly method?: CorrelationMethod;
}

/**
 * The correlations of columns with each other, from −1 to 1. Of two columns the rows count in which neither is missing;
 * equal values share the mean of their ranks.
 *
 * @returns One row a column: its name in the column `column`, then its correlation with each column; NaN for fewer than
 * two rows, or where one of both has the same value throughout. A frame has no row where no column is numeric.
 * @throws {ColumnError} If the frame lacks a column, or it is not numeric.
 * @throws {UsageError} If an option is unknown, or the method is another one.
 * @see Spearman (1904), The proof and measurement of association between two things.
 * @example correlate(lifetimes, { columns: ['total_trades', 'roi_pct', 'win_rate_pct'], method: 'spearman' });
 */
export function correlate<Row extends object, const Name extends ColumnNameOf<Row, number | bigint>>(
  frame: DataFrame<Row>,
  options: CorrelateOptions<Name> = {},
): DataFrame<{ column: string } & { [Column in Name]: number }> {
  knownOptions('correlate', options, ['columns', 'method'], { columns: 'list' });
  const { method = 'pearson' } = options;
  if (method !== 'pearson' && method !== 'spearman') {
    throw new UsageError(`The method of correlate must be pearson or spearman; got ${shownValue(method)}.`);
  }
  const numeric = columnsOf(frame).filter(({ dtype }) => dtype === 'float64' || dtype === 'int32');
  const names =
    options.columns === undefined ? numeric.map(({ name }) => name) : keyNames('columns of correlate', options.columns);
  if (names.includes('column'))
    throw new UsageError('correlate names its first column "column": rename that of the frame.');
  const values = names.map((name) => doublesOf(numericVector(frame, name)));
  const lines = values.map(() => new Array<number>(names.length).fill(Number.NaN));
  for (let one = 0; one < values.length; one += 1) {
    for (let other = one; other < values.length; other += 1) {
      const both = complete(itemAt(values, one), itemAt(values, other));
      const [a, b] = method === 'spearman' ? [ranks(both[0]), ranks(both[1])] : both;
      const whole = pearson(a, b);
      // Rounding must not part a column from itself.
      const found = one === other && !Number.isNaN(whole) ? 1 : whole;
      itemAt(lines, one)[other] = found;
      itemAt(lines, other)[one] = found;
    }
  }
  const label: Column = { name: 'column', dtype: 'string', nullable: false, meaning: 'Name of a column.' };
  const title = method === 'pearson' ? 'Correlation (Pearson)' : 'Rank correlation (Spearman)';
  const columns = names.map(
    (name): Column => ({ name, dtype: 'float64', nullable: true, meaning: `${title} with ${name}.` }),
  );
  return frameFromColumns(
    [label, ...columns],
    [names, ...names.map((_, at) => lines.map((line) => itemAt(line, at)))],
    frame,
  );
}

/** The values of two columns in the rows in which both have one. */
function complete(a: Float64Array, b: Float64Array): [Float64Array, Float64Array] {
  const isThere = (_: number, row: number) => !Number.isNaN(a[row]) && !Number.isNaN(b[row]);
  return [a.filter(isThere), b.filter(isThere)];
}

/** Covariance over both deviations, of differences to the means, divided first so that squares stay finite. */
function pearson(a: Float64Array, b: Float64Array): number {
  const [x, y] = [scaled(a), scaled(b)];
  let [squaresX, squaresY, products] = [0, 0, 0];
  for (let row = 0; row < x.length; row += 1) {
    const [dx, dy] = [x[row] as number, y[row] as number];
    squaresX += dx * dx;
    squaresY += dy * dy;
    products += dx * dy;
  }
  if (x.length < 2 || squaresX === 0 || squaresY === 0) return Number.NaN;
  return Math.max(-1, Math.min(1, products / Math.sqrt(squaresX) / Math.sqrt(squaresY)));
}

/** Differences to the mean, the greatest of which is 1; 0 where all values are the same. */
function scaled(values: Float64Array): Float64Array {
  if (values.every((value) => value === values[0])) return new Float64Array(values.length);
  const mean = values.reduce((total, value) => total + value / values.length, 0);
  const apart = values.map((value) => value - mean);
  const greatest = apart.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return apart.map((value) => value / greatest);
}

/** Ranks from 1; equal values have the mean of theirs. */
export function ranks(values: Float64Array): Float64Array {
  const order = Uint32Array.from({ length: values.length }, (_, row) => row);
  order.sort((a, b) => (values[a] as number) - (values[b] as number));
  const ranked = new Float64Array(values.length);
  for (let from = 0; from < order.length; ) {
    let end = from + 1;
    while (end < order.length && values[order[end] as number] === values[order[from] as number]) end += 1;
    for (let at = from; at < end; at += 1) ranked[order[at] as number] = (from + end + 1) / 2;
    from = end;
  }
  return ranked;
}
