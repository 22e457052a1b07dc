import type { SeriesConstructor } from '../tabular/data-frame.js';
import type { Cell } from '../vector/vector.js';
import { danfoLabel, type Internals, isInPlace, type Method, replaceMethods, rowOrder } from './danfo-internals.js';
import { cumulate, isCumulation } from './mend-computing.js';
import { checkPositions, positionsOf } from './mend-selection.js';

/** Danfo's series, as their own methods see them. */
interface SeriesInternals {
  readonly values: readonly Cell[];
  readonly index: readonly (string | number)[];
  readonly $data: readonly Cell[];
  $dtypes: readonly string[];
  copy(): SeriesInternals;
  $setValues(values: readonly Cell[], ...checks: unknown[]): void;
  $setIndex(index: readonly (string | number)[]): void;
}

/**
 * Mends danfo's Series class in place:
 * - `sortValues` (and so `argSort`) sorts text upwards when asked to, is stable, and puts missing values last;
 * - `cumSum` and similar methods leave a missing value missing and continue after it;
 * - `dropDuplicates` does not reorder the values of the frame that the Series is a column of;
 * - `iloc` takes booleans by position; `iloc` and `iat` refuse positions that do not exist, like those of a frame;
 * - text is never labelled a number, and labels are inferred over all values.
 */
export function mendSeries(seriesClass: SeriesConstructor): SeriesConstructor {
  replaceMethods(seriesClass.prototype as unknown as Internals, {
    $setDtypes: (original) =>
      function (dtypes) {
        return original.call(this, dtypes ?? [danfoLabel(seriesOf(this).$data)]);
      },
    $setValues: (original) =>
      function (values, ...checks) {
        original.call(this, values, ...checks);
        this.$dtypes = [danfoLabel(values as readonly Cell[])];
      },
    iloc: (original) =>
      function (rows) {
        const chosen = positionsOf(rows, this.index.length);
        checkPositions('iloc', 'rows', chosen, this.index.length);
        return original.call(this, chosen);
      },
    iat: (original) =>
      function (row) {
        checkPositions('iat', 'rows', [row], this.index.length);
        return original.call(this, row);
      },
    sortValues: () => sorted,
    dropDuplicates: withoutRepeats,
    cumOps: cumulating,
  });
  return seriesClass;
}

function cumulating(original: Method): Method {
  return function (operation, options) {
    const series = seriesOf(this);
    if (series.$dtypes[0] === 'string' || !isCumulation(operation)) return original.call(this, operation, options);
    const target = isInPlace(options) ? series : series.copy();
    target.$setValues(cumulate(operation, series.values));
    return isInPlace(options) ? undefined : target;
  };
}

const sorted: Method = function (options) {
  const { ascending = true } = (options ?? {}) as { ascending?: boolean };
  return taken(seriesOf(this), rowOrder(seriesOf(this).values, ascending), options);
};

function withoutRepeats(original: Method): Method {
  return function (options) {
    const { keep = 'first' } = (options ?? {}) as { keep?: string };
    if (keep !== 'first' && keep !== 'last') return original.call(this, options);
    const series = seriesOf(this);
    const places = new Map<Cell, number>();
    for (const [row, value] of series.values.entries()) {
      if (keep === 'last' || !places.has(value)) places.set(value, row);
    }
    return taken(
      series,
      [...places.values()].sort((a, b) => a - b),
      options,
    );
  };
}

/** The values at some positions with their labels, in the series itself if asked for, else in a new one. */
function taken(series: SeriesInternals, rows: readonly number[], options: unknown): SeriesInternals | undefined {
  const { values, index, $dtypes: labels } = series;
  const target = isInPlace(options) ? series : series.copy();
  target.$setValues(
    rows.map((row) => values[row]),
    false,
  );
  target.$setIndex(rows.map((row) => index[row] ?? row));
  target.$dtypes = labels;
  return isInPlace(options) ? undefined : target;
}

function seriesOf(self: Internals): SeriesInternals {
  return self as unknown as SeriesInternals;
}
