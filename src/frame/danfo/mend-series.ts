import { UsageError } from '../../base/errors.js';
import type { DataFrameConstructor, SeriesConstructor } from '../tabular/data-frame.js';
import { type Cell, isMissing } from '../vector/vector.js';
import { danfoLabel, type Internals, isInPlace, type Method, replaceMethods, rowOrder } from './danfo-internals.js';
import { mendSeriesArithmetic } from './mend-arithmetic.js';
import { conversionTo } from './mend-assignment.js';
import { cumulate, isCumulation } from './mend-computing.js';
import { dummiesOf, dummyOptions } from './mend-dummies.js';
import { checkPositions, positionsOf, sampling } from './mend-selection.js';
import { mendTimes } from './mend-times.js';

/** Danfo's series, as their own methods see them. */
interface SeriesInternals {
  readonly values: readonly Cell[];
  readonly index: readonly (string | number)[];
  readonly $data: readonly Cell[];
  $dtypes: readonly string[];
  readonly constructor: new (values: readonly unknown[], options: object) => SeriesInternals;
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
 * - text is never labelled a number, and labels are inferred over all values;
 * - `valueCounts` tells null from the text "null" and 1.5 from 1.2, and labels each count by its value;
 * - statistics of a series without values are NaN, whereas danfo fails or answers undefined;
 * - `sample` chooses among positions, whereas danfo takes row labels for positions;
 * - `asType` keeps missing values missing, and only plain decimal text becomes a number;
 * - functions of `map` and `apply` get NaN where a number is missing, whereas danfo takes null, which is 0 to arithmetic;
 * - `map` by an object looks at its own names alone; `fillNa` takes an empty text;
 * - `at` finds number labels, too, and `getDummies` has no column for missing values;
 * - methods of texts answer null where a text is missing, and `concat` keeps it missing.
 *
 * {@link mendSeriesArithmetic} and {@link mendTimes} mend its arithmetic and its times.
 */
export function mendSeries(seriesClass: SeriesConstructor, frameClass: DataFrameConstructor): SeriesConstructor {
  const frameOf = (columns: Record<string, Cell[]>) => new frameClass(columns);
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
    valueCounts: () => counting,
    sample: sampling((series, rows) => series.iloc(rows)),
    asType: () => converting,
    at: () =>
      function (label) {
        const { values, index } = seriesOf(this);
        const row = index.indexOf(label as string);
        if (row >= 0) return values[row];
        throw new UsageError(`at finds values by their row labels; there is none ${JSON.stringify(label)}.`);
      },
    getDummies: () =>
      function (options) {
        const { prefix, prefixSeparator } = dummyOptions(options);
        const named = (value: string, at: number) => `${prefix?.[0] ?? at}${prefixSeparator[0] ?? '_'}${value}`;
        return frameOf(dummiesOf(seriesOf(this).values, named));
      },
    map: mapping,
    apply: applying,
    fillNa: filling,
    ...Object.fromEntries(['mean', 'median', 'min', 'max', 'std', 'var'].map((name) => [name, orNaN])),
    mode: (original) =>
      function () {
        return this.$dtypes[0] !== 'string' && seriesOf(this).values.every(isMissing) ? [] : original.call(this);
      },
  });
  mendSeriesArithmetic(seriesClass);
  mendTimes(seriesClass);
  mendTexts(seriesClass);
  return seriesClass;
}

/** A statistic of numbers: NaN where there is none. */
function orNaN(original: Method): Method {
  return function () {
    const { values, $dtypes: labels } = seriesOf(this);
    return labels[0] !== 'string' && values.every(isMissing) ? Number.NaN : original.call(this);
  };
}

/** How often each value occurs, labelled by the value itself (booleans and dates by their text), in order of appearance. */
const counting: Method = function () {
  const series = seriesOf(this);
  const counts = new Map<unknown, number>();
  for (const value of series.values) {
    const label = typeof value === 'boolean' ? String(value) : value instanceof Date ? value.toISOString() : value;
    const key = label === undefined ? null : label;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new series.constructor([...counts.values()], { index: [...counts.keys()] });
};

const converting: Method = function (dtype, options) {
  const convert = conversionTo(dtype);
  const target = isInPlace(options) ? seriesOf(this) : seriesOf(this).copy();
  target.$setValues(target.values.map(convert), false);
  target.$dtypes = [String(dtype)];
  return isInPlace(options) ? undefined : target;
};

function mapping(original: Method): Method {
  return function (callable, options) {
    if (typeof callable !== 'object' || callable === null)
      return original.call(this, ofNumbers(this, callable), options);
    const found = (value: unknown) =>
      Object.hasOwn(callable, String(value)) ? Reflect.get(callable, String(value)) : value;
    return original.call(this, found, options);
  };
}

function applying(original: Method): Method {
  return function (callable, options) {
    if (typeof callable !== 'function') {
      throw new UsageError(
        `apply needs a function of a value, as in apply((value) => value * 2); got ${typeof callable}.`,
      );
    }
    return original.call(this, ofNumbers(this, callable), options);
  };
}

/** A function of a value that gets NaN where a number is missing: arithmetic with null would be that with 0. */
function ofNumbers(self: Internals, callable: unknown): unknown {
  const isNumeric = self.$dtypes[0] === 'int32' || self.$dtypes[0] === 'float32';
  if (!isNumeric || typeof callable !== 'function') return callable;
  return (value: unknown, ...others: unknown[]) => callable(isMissing(value as Cell) ? Number.NaN : value, ...others);
}

function filling(original: Method): Method {
  return function (value, options) {
    if (value !== '') return original.call(this, value, options);
    const target = isInPlace(options) ? seriesOf(this) : seriesOf(this).copy();
    target.$setValues(target.values.map((cell) => (isMissing(cell) ? '' : cell)));
    return isInPlace(options) ? undefined : target;
  };
}

/** Mends the methods of `str`: what is missing stays null, and `concat` with a list keeps what is missing on a side. */
function mendTexts(seriesClass: SeriesConstructor): void {
  const texts = Object.getPrototypeOf(new seriesClass(['a']).str) as Internals;
  const numeric = ['indexOf', 'lastIndexOf', 'search', 'len'];
  const names = Object.getOwnPropertyNames(texts).filter((name) => name !== 'constructor' && !numeric.includes(name));
  const keeping = (original: Method): Method =>
    function (...given) {
      const { series, values } = this as unknown as { series: SeriesInternals; values: readonly Cell[] };
      const list = Array.isArray(given[0]) ? (given[0] as Cell[]) : [];
      const result = original.apply(this, given) as SeriesInternals | undefined;
      const target = result ?? series;
      target.$setValues(
        target.values.map((cell, row) =>
          isMissing(values[row]) || (row < list.length && isMissing(list[row])) ? null : cell,
        ),
      );
      return result;
    };
  replaceMethods(texts, Object.fromEntries(names.map((name) => [name, keeping])));
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
