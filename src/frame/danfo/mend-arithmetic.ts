import { UsageError } from '../../base/errors.js';
import { refuseLocalDays, refuseLocalMidnight } from '../../base/local-midnight.js';
import type { SeriesConstructor } from '../tabular/data-frame.js';
import { toIsoTime } from '../vector/iso-time.js';
import { type Cell, isMissing } from '../vector/vector.js';
import {
  danfoLabels,
  frameLike,
  type Internals,
  isInPlace,
  type Mending,
  type Method,
  plainValues,
  replaceMethods,
} from './danfo-internals.js';

type Operation = (left: number, right: number) => number;

/** What is computed of two numbers; `mod` of a Series has the sign of the left one, as `%` has. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  add: (left, right) => left + right,
  sub: (left, right) => left - right,
  mul: (left, right) => left * right,
  div: (left, right) => left / right,
  pow: (left, right) => left ** right,
  mod: (left, right) => left % right,
  minimum: (left, right) => Math.min(left, right),
  maximum: (left, right) => Math.max(left, right),
};

/** A series as its arithmetic sees it. */
interface Column {
  readonly values: readonly Cell[];
  readonly index: readonly (string | number)[];
  readonly columns: readonly string[];
  readonly constructor: new (values: readonly unknown[], options: object) => Column;
  $dtypes: readonly string[];
  copy(): Column;
  $setValues(values: readonly Cell[]): void;
}

/**
 * Mends arithmetic and comparison of series: a missing value gives a missing number and is neither less, equal nor
 * greater than anything, whereas danfo takes null for 0; text is never glued to numbers; times are compared by moment;
 * booleans and text may be compared with one value; the labels are those of the results.
 */
export function mendSeriesArithmetic(seriesClass: SeriesConstructor): void {
  const prototype = seriesClass.prototype as unknown as Internals;
  const names = [...Object.keys(OPERATIONS), 'abs'];
  replaceMethods(
    prototype,
    Object.fromEntries(names.map((name) => [name, name === 'abs' ? absolute : operating(name)])),
  );
  replaceMethods(prototype, { boolOps: () => comparing, and: logical('and'), or: logical('or') });
}

function columnOf(self: Internals): Column {
  return self as unknown as Column;
}

function operating(name: string): Mending {
  const operation = OPERATIONS[name] as Operation;
  return () =>
    function (other, options) {
      const series = columnOf(this);
      const left = numbersOf(series.values, name);
      const right = typeof other === 'number' ? other : numbersOf(listFor(series, other, name), name);
      const values = left.map((value, row) =>
        operation(value, typeof right === 'number' ? right : (right[row] ?? Number.NaN)),
      );
      return settled(series, values, options);
    };
}

function absolute(): Method {
  return function (options) {
    return settled(columnOf(this), numbersOf(columnOf(this).values, 'abs').map(Math.abs), options);
  };
}

function settled(series: Column, values: readonly Cell[], options: unknown): Column | undefined {
  const target = isInPlace(options) ? series : series.copy();
  target.$setValues(values);
  return isInPlace(options) ? undefined : target;
}

/** The other side of an operation, as long as the series. @throws {UsageError} If it is not, or no list at all. */
function listFor(series: Column, other: unknown, name: string): readonly Cell[] {
  const list = plainValues(other) ?? other;
  if (!Array.isArray(list)) {
    const found = other === null ? 'null' : Array.isArray(other) ? 'a list' : `a value of type ${typeof other}`;
    throw new UsageError(`${name} takes one value, a list of values or a Series; got ${found}.`);
  }
  const { length } = series.values;
  if (list.length === length) return list as Cell[];
  throw new UsageError(`${name} takes one value a row, ${length} in all; got ${list.length}.`);
}

/** Cells as numbers: booleans are 0 and 1, what is missing is NaN. @throws {UsageError} If one is text or a date. */
function numbersOf(cells: readonly Cell[], name: string): number[] {
  return cells.map((cell) => {
    if (isMissing(cell)) return Number.NaN;
    if (typeof cell !== 'string' && !(cell instanceof Date)) return Number(cell);
    throw new UsageError(
      `${name} needs numbers; got ${JSON.stringify(cell)}. Text becomes numbers by asType('float32'); of text and times ` +
        'withColumns computes new columns.',
    );
  });
}

const COMPARISONS: Readonly<Record<string, (left: Cell, right: Cell) => boolean>> = {
  lt: (left, right) => (left as number) < (right as number),
  le: (left, right) => (left as number) <= (right as number),
  gt: (left, right) => (left as number) > (right as number),
  ge: (left, right) => (left as number) >= (right as number),
  eq: (left, right) => left === right,
  ne: (left, right) => left !== right,
};

const comparing: Method = function (other, name) {
  const series = columnOf(this);
  const compare = COMPARISONS[String(name)] as (left: Cell, right: Cell) => boolean;
  const isOne = ['string', 'number', 'boolean', 'bigint'].includes(typeof other) || other instanceof Date;
  const list = isOne ? undefined : listFor(series, other, String(name));
  // Dates of both sides are moments, wherever the machine stands; text has no zone but UTC.
  if (list && !series.values.every(isDateOrMissing)) refuseLocalDays(`what ${String(name)} compares with`, list, true);
  else if (!list) refuseLocalMidnight(`What ${String(name)} compares with`, other, true);
  if ((list ?? [other]).some((cell) => typeof cell === 'string'))
    refuseLocalDays('a Series that is compared with text', series.values, true);
  const values = series.values.map((cell, row): boolean => {
    const right = list ? list[row] : (other as Cell);
    if (isMissing(cell) || isMissing(right)) return name === 'ne';
    return compare(...comparable(cell, right, String(name)));
  });
  return new series.constructor(values, { index: [...series.index], columns: [...series.columns] });
};

function isDateOrMissing(cell: Cell): boolean {
  return cell instanceof Date || isMissing(cell);
}

/** Two values in a form that compares them as what they are. @throws {UsageError} If one is text and one a number. */
function comparable(left: Cell, right: Cell, name: string): [left: Cell, right: Cell] {
  if (typeof left === typeof right && typeof left === 'number') return [left, right];
  const [from, to] = [momentOf(left), momentOf(right)];
  if (from !== undefined && to !== undefined) return [from, to];
  const isText = (cell: Cell) => typeof cell === 'string' || cell instanceof Date;
  if (isText(left) === isText(right) || name === 'eq' || name === 'ne') return [left, right];
  throw new UsageError(
    `${name} compares values of one kind; got ${JSON.stringify(left)} and ${JSON.stringify(right)}: ` +
      "a time is compared with text such as '2026-01-31' or with a Date, a number with a number.",
  );
}

function momentOf(cell: Cell): number | undefined {
  if (cell instanceof Date) return cell.getTime();
  const iso = typeof cell === 'string' && cell.charCodeAt(4) === 45 ? toIsoTime(cell) : undefined;
  return iso === undefined ? undefined : Date.parse(iso);
}

/** `and` and `or`: as danfo's, but a list or Series must be as long as the series itself. */
function logical(name: 'and' | 'or'): Mending {
  return (original) =>
    function (other) {
      const list = plainValues(other) ?? other;
      if (Array.isArray(list)) listFor(columnOf(this), list, name);
      return original.call(this, Array.isArray(list) ? list : other);
    };
}

/**
 * Mends arithmetic and comparison of frames: the labels of results are theirs, changes against 0 are infinite as in
 * pandas, whereas danfo says −100%, and `abs` refuses text and keeps missing values.
 */
export function mendFrameArithmetic(prototype: Internals): void {
  const relabelling: Mending = (original) =>
    function (...given) {
      const result = original.apply(this, given) as Internals | undefined;
      if (result) result.$dtypes = danfoLabels(result.values);
      return result;
    };
  replaceMethods(prototype, {
    $MathOps: relabelling,
    $logicalOps: relabelling,
    applyMap: relabelling,
    replace: relabelling,
    append: relabelling,
    diff: changing('diff', (value, before) => value - before),
    pctChange: changing('pctChange', (value, before) => value / before - 1),
    abs: () =>
      function (options) {
        const rows = this.values.map((row) => numbersOf(row, 'abs').map(Math.abs));
        if (isInPlace(options)) return this.$setValues(rows);
        return frameLike(this, rows, { dtypes: danfoLabels(rows) });
      },
  });
}

/** `diff` and `pctChange` against the row, or with axis 0 the column, so many places before; against others as danfo. */
function changing(name: string, change: Operation): Mending {
  return (original) =>
    function (other, options) {
      const { axis = 1 } = (options ?? {}) as { axis?: number };
      if (typeof other !== 'number' || this.$dtypes.includes('string') || (axis !== 0 && axis !== 1))
        return original.call(this, other, options);
      if (!Number.isInteger(other)) throw new UsageError(`${name} takes a whole number of places; got ${other}.`);
      const cells = this.values.map((row) => numbersOf(row, name));
      const at = (row: number, place: number) => cells[row]?.[place] ?? Number.NaN;
      const rows = cells.map((row, above) =>
        row.map((value, place) => change(value, axis === 1 ? at(above - other, place) : at(above, place - other))),
      );
      if (isInPlace(options)) return this.$setValues(rows);
      return frameLike(this, rows, { dtypes: danfoLabels(rows) });
    };
}
