import { UsageError } from '../../base/errors.js';
import { comparedColumn, inheritColumns } from '../tabular/columns-of.js';
import { inheritProvenance } from '../tabular/provenance.js';
import type { Tabular } from '../tabular/tabular.js';
import { cellsOf } from '../vector/vector.js';
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
 * - selecting methods keep what {@link columnsOf} and {@link provenanceOf} know.
 */
export function mendSelection(prototype: Internals): void {
  replaceMethods(prototype, {
    query: (original) =>
      function (condition, options) {
        return original.call(this, positionsOf(condition, this.index.length), options);
      },
    iloc: (original) =>
      function (part) {
        const { rows, columns } = part as { rows?: unknown; columns?: unknown };
        const chosen = positionsOf(rows, this.index.length);
        checkPositions('iloc', 'rows', chosen, this.index.length);
        checkPositions('iloc', 'columns', columns, this.columns.length);
        return original.call(this, { rows: chosen, columns });
      },
    iat: (original) =>
      function (row, column) {
        checkPositions('iat', 'rows', [row], this.index.length);
        checkPositions('iat', 'columns', [column], this.columns.length);
        return original.call(this, row, column);
      },
    drop: dropExactly,
    fillNa: fillOthers,
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

function dropExactly(original: Method): Method {
  return function (options) {
    const { columns, index, ...rest } = (options ?? {}) as { columns?: unknown; index?: unknown };
    const labels = new Map(this.columns.map((name, at) => [name, this.$dtypes[at] ?? 'undefined']));
    const result = original.call(this, { ...rest, columns: listOf(columns), index: listOf(index) });
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
  const isStray = (at: unknown) => typeof at === 'number' && !(Number.isInteger(at) && at >= 0 && at < count);
  const stray: unknown = Array.isArray(chosen) ? chosen.find(isStray) : undefined;
  if (stray === undefined) return;
  const end = what === 'rows' ? ' The last ones come by tail(n).' : '';
  throw new UsageError(
    `${method} takes ${what} by their positions, from 0 to below ${count}; got ${String(stray)}.${end}`,
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

function sorting(original: Method): Method {
  return function (by, options) {
    if (!this.columns.includes(by as string)) return original.call(this, by, options);
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
