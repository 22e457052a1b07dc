import { ColumnError, UsageError } from '../../base/errors.js';
import { shownValue } from '../../base/option-types.js';
import type { Series } from '../tabular/data-frame.js';
import { type Cell, isMissing } from '../vector/vector.js';
import { frameLike, type Internals, isInPlace, type Method, replaceMethods } from './danfo-internals.js';

/**
 * Mends what danfo computes along rows and columns:
 * - `apply` passes every value at its position, whereas danfo leaves out missing ones, so that the others move up;
 * - `apply` and `applyMap` give NaN where a number is missing, whereas danfo gives null, which is 0 to arithmetic;
 * - `cumSum`, `cumMin`, `cumMax` and `cumProd` leave a missing value missing and continue after it;
 * - `describe` leaves out missing values, as `mean` and `std` do, and accepts a column named `constructor`;
 * - statistics count booleans as 0 and 1, and are NaN where there is no value, whereas danfo fails or answers undefined;
 * - `sum` refuses text, as the others do, whereas danfo reads it as numbers.
 */
export function mendComputing(prototype: Internals): void {
  const names = ['mean', 'median', 'mode', 'min', 'max', 'std', 'var'];
  replaceMethods(prototype, Object.fromEntries(names.map((name) => [name, ofNumbers])));
  replaceMethods(prototype, {
    apply: applyToAll,
    applyMap: (original) =>
      function (callable, options) {
        refuseNoFunction('applyMap', callable);
        const isNumeric = this.$dtypes.map((label) => label === 'int32' || label === 'float32');
        const rows = this.values.map((row) =>
          row.map((cell, at) => (isMissing(cell) && isNumeric[at] ? Number.NaN : cell)),
        );
        const self = isInPlace(options) ? this : (Object.create(this, { values: { value: rows } }) as Internals);
        return original.call(self, callable, options);
      },
    cumOps: cumulateAll,
    describe: () => describing,
    sum: (original) =>
      function (options) {
        if (!this.$dtypes.includes('string')) return original.call(this, options);
        const text = this.columns[this.$dtypes.indexOf('string')];
        throw new ColumnError(
          `sum needs numbers, and the column "${text}" holds text: groupBy(frame, []).rollup({ total: sum('…') }) adds up one column.`,
        );
      },
  });
}

function ofNumbers(original: Method): Method {
  return function (options) {
    const lines = (axis: unknown) =>
      this.$getDataArraysByAxis(axis).map((line) => {
        const present = line
          .filter((cell) => !isMissing(cell))
          .map((cell) => (typeof cell === 'boolean' ? Number(cell) : cell));
        return present.length > 0 ? present : [Number.NaN];
      });
    const whole = { $getDataByAxisWithMissingValuesRemoved: { value: lines } };
    return original.call(Object.create(this, whole) as Internals, options);
  };
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

function refuseNoFunction(name: string, callable: unknown): void {
  if (typeof callable !== 'function') throw new UsageError(`${name} takes a function; got ${shownValue(callable)}.`);
}

function applyToAll(original: Method): Method {
  return function (callable, options) {
    refuseNoFunction('apply', callable);
    const isNumeric = this.$dtypes.map((label) => label === 'int32' || label === 'float32');
    const lines = (axis: unknown) =>
      this.$getDataArraysByAxis(axis).map((line, at) =>
        line.map((cell, place) => (isMissing(cell) && isNumeric[axis === 1 ? at : place] ? Number.NaN : cell)),
      );
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
