import { ColumnError } from '../../base/errors.js';
import type { Series } from '../tabular/data-frame.js';
import { type Cell, isMissing } from '../vector/vector.js';
import { frameLike, type Internals, type Method, replaceMethods } from './danfo-internals.js';

/**
 * Mends what danfo computes along rows and columns:
 * - `apply` passes every value at its position, whereas danfo leaves out missing ones, so that the others move up;
 * - `cumSum`, `cumMin`, `cumMax` and `cumProd` leave a missing value missing and continue after it;
 * - `describe` leaves out missing values, as `mean` and `std` do, and accepts a column named `constructor`.
 */
export function mendComputing(prototype: Internals): void {
  replaceMethods(prototype, { apply: applyToAll, cumOps: cumulateAll, describe: () => describing });
}

const STATISTICS = ['count', 'mean', 'std', 'min', 'median', 'max', 'variance'];

/** Summarizes each column separately, which danfo does correctly, unless a column has no value. */
const describing: Method = function () {
  const columns = this.columns.filter((_, at) => this.$dtypes[at] !== 'string');
  if (columns.length === 0) {
    throw new ColumnError('No column holds numbers or booleans to be summarized: describe(frame) tells of text, too.');
  }
  const summaries = columns.map((name) => {
    const series = this.$getColumnData(name) as Series<number>;
    return series.count() > 0 ? series.describe().values : [0];
  });
  const rows = STATISTICS.map((_, at) => summaries.map((summary) => summary[at] ?? Number.NaN));
  return frameLike(this, rows, { columns, index: STATISTICS, dtypes: columns.map(() => 'float32') });
};

function applyToAll(original: Method): Method {
  return function (callable, options) {
    const lines = (axis: unknown) => this.$getDataArraysByAxis(axis).map((line) => [...line]);
    const whole = { $getDataByAxisWithMissingValuesRemoved: { value: lines } };
    return original.call(Object.create(this, whole) as Internals, callable, options);
  };
}

function cumulateAll(original: Method): Method {
  return function (operation, axis, inplace) {
    if (this.$dtypes.includes('string') || !isCumulation(operation)) {
      return original.call(this, operation, axis, inplace);
    }
    const lines = this.$getDataArraysByAxis(axis).map((line) => cumulate(operation, line));
    const rows = axis === 0 ? this.values.map((_, row) => lines.map((line) => line[row])) : lines;
    return inplace ? this.$setValues(rows) : frameLike(this, rows);
  };
}

type Step = (total: number, value: number) => number;

const STEPS: Readonly<Record<string, Step>> = {
  sum: (total, value) => total + value,
  prod: (total, value) => total * value,
  min: (total, value) => Math.min(total, value),
  max: (total, value) => Math.max(total, value),
};

/** Whether {@link cumulate} knows an operation. */
export function isCumulation(operation: unknown): operation is string {
  return typeof operation === 'string' && Object.hasOwn(STEPS, operation);
}

/**
 * Running totals: a missing value stays missing, and the total continues after it.
 *
 * @param operation `sum`, `prod`, `min` or `max`.
 * @example cumulate('sum', [1, NaN, 2]); // [1, NaN, 3]
 */
export function cumulate(operation: string, cells: readonly Cell[]): Cell[] {
  const step = STEPS[operation];
  let total: number | undefined;
  return cells.map((cell) => {
    if (isMissing(cell) || !step) return Number.NaN;
    total = total === undefined ? Number(cell) : step(total, Number(cell));
    return total;
  });
}
