import { ColumnError, UsageError } from '../../base/errors.js';
import { shownValue } from '../../base/option-types.js';
import { comparedColumn, inheritColumns } from '../tabular/columns-of.js';
import { inheritProvenance } from '../tabular/provenance.js';
import { placeOf, type Tabular } from '../tabular/tabular.js';
import { cellsOf, isMissing } from '../vector/vector.js';
import {
  frameLike,
  type Internals,
  isInPlace,
  type Method,
  plainValues,
  replaceMethods,
  rowOrder,
} from './danfo-internals.js';

/** Danfo methods that return rows or columns of the same frame, so that its column descriptions stay true. */
const SELECTING = [
  ...['head', 'tail', 'iloc', 'loc', 'query', 'copy', 'drop', 'dropNa', 'fillNa'],
  ...['sortValues', 'sortIndex', 'resetIndex', 'setIndex', 'append', 'selectDtypes'],
];

/**
 * Mends how rows and columns are chosen:
 * - `query` and `iloc` take booleans by position, whereas danfo takes row labels for positions and returns wrong rows
 *   after a sort or a filter; they refuse a list without exactly one boolean per row, whereas danfo drops the other rows;
 * - `iloc` and `iat` refuse positions that do not exist, whereas danfo fails at undefined or returns it;
 * - `drop` takes a single name or label exactly, whereas danfo drops every column whose name is a part of it;
 * - `fillNa` for some columns changes the frame itself only if told to work in place;
 * - `dropNa` with axis 0 leaves out each column with a missing value of any kind, whereas danfo sees NaN alone;
 * - `sample` chooses among positions, whereas danfo takes row labels for positions;
 * - `loc` and `at` refuse labels and columns that there are not, whereas danfo answers undefined or fails at it;
 * - what would leave no column says so, whereas danfo fails at an empty range or leaves rows of nothing;
 * - selecting methods keep what {@link columnsOf} and {@link provenanceOf} know.
 */
export function mendSelection(prototype: Internals): void {
  replaceMethods(prototype, {
    query: (original) =>
      function (condition, options) {
        const rows = conditionOf(condition);
        if (this.index.length === 0 && rows.length === 0) return isInPlace(options) ? undefined : copied(this);
        return original.call(this, positionsOf(rows, this.index.length), options);
      },
    iloc: (original) =>
      function (part) {
        if (typeof part !== 'object' || part === null)
          throw new UsageError(`iloc takes positions, as in iloc({ rows: [0, 1] }); got ${shownValue(part)}.`);
        const { rows, columns } = part as { rows?: unknown; columns?: unknown };
        refuseNoColumn('iloc', this, columns);
        // Danfo cannot count from 0 to 0.
        const named = this.columns.length === 0 ? (columns ?? []) : columns;
        const chosen = this.index.length === 0 ? (rows ?? []) : positionsOf(rows, this.index.length);
        checkPositions('iloc', 'rows', chosen, this.index.length);
        checkPositions('iloc', 'columns', columns, this.columns.length);
        return original.call(this, { rows: chosen, columns: named });
      },
    iat: (original) =>
      function (row, column) {
        checkPositions('iat', 'rows', [row], this.index.length);
        checkPositions('iat', 'columns', [column], this.columns.length);
        return original.call(this, row, column);
      },
    sortIndex: (original) =>
      function (options) {
        if (this.index.length > 0) return original.call(this, options);
        return isInPlace(options) ? undefined : copied(this);
      },
    drop: dropExactly,
    fillNa: fillOthers,
    head: counting('head'),
    tail: counting('tail'),
    selectDtypes: (original) =>
      function (include) {
        const kept = this.columns.filter((_, at) => Array.isArray(include) && include.includes(this.$dtypes[at]));
        if (Array.isArray(include)) refuseNoColumn('selectDtypes', this, kept);
        return original.call(this, include);
      },
    dropNa: droppingColumns,
    sample: (original) => counting('sample')(sampling((frame, rows) => frame.iloc({ rows }))(original)),
    loc: (original) =>
      function (part) {
        const { rows, columns } = (part ?? {}) as { rows?: unknown; columns?: unknown };
        refuseNoColumn('loc', this, columns);
        const [only] = Array.isArray(columns) && columns.length === 1 ? (columns as string[]) : [];
        if (typeof only === 'string' && !only.includes(':')) placeOf(this, only);
        return original.call(this, { rows: positionsOfLabels(rows, this.index.length), columns });
      },
    at: (original) =>
      function (row, column) {
        if (typeof column === 'string') placeOf(this, column);
        if (!this.index.includes(row as string))
          throw new UsageError(`at finds rows by their labels; there is none ${shownValue(row)}.`);
        return original.call(this, row, column);
      },
  });
  replaceMethods(prototype, Object.fromEntries(SELECTING.map((name) => [name, inheriting])));
}

function fillOthers(original: Method): Method {
  return function (values, options) {
    // Danfo writes into the rows that it reads, so it gets a copy.
    const rows = this.values.map((row) => [...row]);
    const self = isInPlace(options) ? this : (Object.create(this, { values: { value: rows } }) as Internals);
    return original.call(self, values, options);
  };
}

function copied(frame: Internals): unknown {
  return (frame.copy as () => unknown)();
}

/** @throws {UsageError} If a condition is no list of booleans. */
function conditionOf(condition: unknown): readonly unknown[] {
  const rows = plainValues(condition) ?? condition;
  if (Array.isArray(rows) && rows.every((row) => typeof row === 'boolean')) return rows;
  throw new UsageError(
    `query takes one boolean a row, as in query(frame.column('pnl').gt(0)); got ${
      Array.isArray(rows) ? `a list with ${shownValue(rows.find((row) => typeof row !== 'boolean'))}` : shownValue(rows)
    }.`,
  );
}

/** A method that takes a number of rows, or nothing. */
function counting(name: string): (original: Method) => Method {
  return (original) =>
    function (count, ...others) {
      if (count !== undefined && !Number.isInteger(count))
        throw new UsageError(`${name} takes a number of rows, as in ${name}(5); got ${shownValue(count)}.`);
      return original.call(this, count, ...others);
    };
}

/** @throws {ColumnError} If the columns that would be left are none. */
function refuseNoColumn(method: string, { columns, $dtypes }: Internals, left: unknown): void {
  if (!Array.isArray(left) || left.length > 0 || columns.length === 0) return;
  const has = columns.map((name, at) => `${name} (${$dtypes[at]})`).join(', ');
  throw new ColumnError(`${method} would leave no column: keep one at least. The frame has ${has}.`);
}

/** A list of booleans must have one for each row; other selections are passed on. */
function positionsOfLabels(rows: unknown, count: number): unknown {
  const list = plainValues(rows) ?? rows;
  if (Array.isArray(list) && typeof list[0] === 'boolean') positionsOf(list, count);
  return list;
}

/** A method that answers so many rows, chosen at random by a seed, in random order. */
export function sampling(choose: (self: Sampled, rows: readonly number[]) => unknown): (original: Method) => Method {
  return (original) =>
    async function (count, options) {
      const self = this as unknown as Sampled;
      const byPosition = Object.create(self, {
        $index: { value: self.index.map((_, row) => row) },
        index: { value: self.index.map((_, row) => row) },
        iloc: { value: (part: readonly number[] | { rows: readonly number[] }) => ('rows' in part ? part.rows : part) },
      }) as Internals;
      return choose(self, (await original.call(byPosition, count, options)) as number[]);
    };
}

/** What can be sampled. */
interface Sampled {
  readonly index: readonly (string | number)[];
  iloc(part: unknown): unknown;
}

function droppingColumns(original: Method): Method {
  return function (options) {
    const { axis = 1 } = (options ?? {}) as { axis?: unknown };
    if (axis !== 0) return original.call(this, options);
    const whole = this.columns.filter((_, at) => !(this.getColumnData[at] ?? []).some(isMissing));
    const missing = this.columns.filter((name) => !whole.includes(name));
    refuseNoColumn('dropNa', this, whole);
    if (missing.length === 0) return isInPlace(options) ? undefined : copied(this);
    return (this.drop as (options: object) => unknown)({ columns: missing, inplace: isInPlace(options) });
  };
}

function dropExactly(original: Method): Method {
  return function (options) {
    const { columns, index, ...rest } = (options ?? {}) as { columns?: unknown; index?: unknown };
    const dropped = listOf(columns);
    if (Array.isArray(dropped))
      refuseNoColumn(
        'drop',
        this,
        this.columns.filter((name) => !dropped.includes(name)),
      );
    const labels = new Map(this.columns.map((name, at) => [name, this.$dtypes[at] ?? 'undefined']));
    const result = original.call(this, { ...rest, columns: dropped, index: listOf(index) });
    if (isInPlace(options)) this.$dtypes = this.columns.map((name) => labels.get(name) ?? 'undefined');
    return result;
  };
}

function listOf(names: unknown): unknown {
  return names === undefined || names === null || Array.isArray(names) ? names : [names];
}

/**
 * Checks positions that select rows or columns.
 *
 * @throws {UsageError} If one of them is not the position of a row or a column.
 */
export function checkPositions(method: 'iloc' | 'iat', what: 'rows' | 'columns', chosen: unknown, count: number): void {
  // iat takes one position alone, but iloc also slices, such as '0:2'.
  const isOther = (at: unknown) => typeof at !== 'number' && method === 'iat';
  const isStray = (at: unknown) => typeof at === 'number' && !(Number.isInteger(at) && at >= 0 && at < count);
  const place = Array.isArray(chosen) ? chosen.findIndex((at) => isOther(at) || isStray(at)) : -1;
  if (place < 0) return;
  const stray: unknown = (chosen as readonly unknown[])[place];
  const end = what === 'rows' ? ' The last ones come by tail(n).' : '';
  throw new UsageError(
    `${method} takes ${what} by their positions, from 0 to below ${count}; got ${shownValue(stray)}.${end}`,
  );
}

/**
 * The row positions at which a list of booleans is true; returns any other selection as it is.
 *
 * @throws {UsageError} If the list does not have exactly one boolean for each row.
 */
export function positionsOf(selection: unknown, count: number): unknown {
  const rows = plainValues(selection) ?? selection;
  if (!Array.isArray(rows) || typeof rows[0] !== 'boolean') return rows;
  if (rows.length !== count) {
    throw new UsageError(`A condition has one boolean a row, ${count} in all; got ${rows.length}.`);
  }
  return rows.flatMap((chosen, row) => (chosen === true ? [row] : []));
}

function inheriting(original: Method): Method {
  return function (...given) {
    const result = original.apply(this, given);
    if (result && typeof result === 'object' && 'getColumnData' in result) inheritFacts(this, result as Tabular);
    return result;
  };
}

function inheritFacts(from: Tabular, to: Tabular): void {
  if (from === to) return;
  inheritColumns(from, to);
  inheritProvenance([from], to);
}

/**
 * Mends `sortValues`: stable, numbers by size, times by moment, other text by code units, missing values last in either
 * direction, in O(n log n). Danfo misplaces missing values, ignores the case of text and takes O(n²).
 */
export function mendSorting(prototype: Internals): void {
  replaceMethods(prototype, { sortValues: sorting });
}

function sorting(): Method {
  return function (by, options) {
    if (!this.columns.includes(by as string)) placeOf(this, by as string);
    const { ascending = true } = (options ?? {}) as { ascending?: boolean };
    const order = rowOrder(cellsOf(comparedColumn(this, by as string)), ascending);
    const { values, index, $dtypes: labels } = this;
    const rows = order.map((row) => values[row] ?? []);
    const moved = order.map((row) => index[row] ?? row);
    if (!isInPlace(options)) return frameLike(this, rows, { index: moved });
    this.$setValues(rows);
    this.$setIndex(moved);
    this.$dtypes = labels;
    return undefined;
  };
}
