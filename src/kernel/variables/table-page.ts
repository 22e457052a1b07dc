import { InputError } from '../../base/errors.js';
import type { TablePage, TableRequest } from '../wire/variables.js';
import { whyNoRow } from './no-row.js';
import { keysOf, type Table, type TableColumn } from './table.js';
import { columnList, keptRows } from './table-filter.js';
import { tableOf } from './table-of.js';

/** The most rows of one page. */
const MOST_ROWS = 1000;

/** A value's table, and the order of its rows that was last asked for. */
interface Held {
  value: object;
  table: Table;
  columns: Map<number, TableColumn>;
  order?: { asked: string; rows: Uint32Array } | undefined;
}

/**
 * Makes the function that answers for tables a page at a time. It keeps what it made of the value that it was last asked
 * for, and the last order of its rows, so that the next page of the same costs little.
 */
export function tablePages() {
  let held: Held | undefined;
  const hold = (value: object, name: string): Held => {
    if (held?.value === value) return held;
    held = undefined;
    const table = tableOf(value);
    if (!table) throw noTable(name);
    held = { value, table, columns: new Map() };
    return held;
  };
  return {
    /**
     * Some rows of a value.
     *
     * @throws {InputError} If the value is no table, the column to sort by is missing, or the filter makes no sense.
     */
    page(value: unknown, { name, from, count, sort, filter }: TableRequest): TablePage {
      if (typeof value !== 'object' || value === null) throw noTable(name);
      const current = hold(value, name);
      const { table, columns: made } = current;
      const columnAt = (at: number): TableColumn => {
        const column = made.get(at) ?? table.column(at);
        made.set(at, column);
        return column;
      };
      const order = orderOf(current, columnAt, { sort, filter });
      const matched = order?.length ?? table.rows;
      const begin = Math.min(Math.max(0, from), matched);
      const end = Math.min(begin + Math.min(Math.max(0, count), MOST_ROWS), matched);
      const positions = Array.from({ length: end - begin }, (_, at) => order?.[begin + at] ?? begin + at);
      const columns = table.columns.map((_, at) => columnAt(at));
      const cells = columns.map((column) => column.shown(positions));
      const whole = columns.map((column, at) => column.whole?.(positions) ?? cells[at] ?? []);
      const rowsOf = (texts: readonly string[][]): string[][] =>
        positions.map((_, row) => texts.map((column) => column[row] ?? ''));
      return {
        columns: columns.map(({ name, type }) => ({ name, type })),
        rows: rowsOf(cells),
        whole: rowsOf(whole),
        positions,
        total: table.rows,
        matched,
        ...(matched === 0 && filter && table.rows > 0 && { why: whyNoRow(table, columnAt, filter) }),
      };
    },
    /** Forgets what it keeps: to be called once the value may have changed. */
    forget(): void {
      held = undefined;
    },
  };
}

function noTable(name: string): InputError {
  return new InputError(
    `"${name}" has no rows to show: it is neither a frame, nor an array, nor anything that gives rows.`,
  );
}

type Asked = Pick<TableRequest, 'sort' | 'filter'>;

/** The rows that the filter leaves, in order; undefined if those are all rows as they come. */
function orderOf(
  held: Held,
  columnAt: (at: number) => TableColumn,
  { sort, filter = '' }: { [Key in keyof Asked]: Asked[Key] | undefined },
): Uint32Array | undefined {
  if (!sort && filter.trim() === '') return undefined;
  const asked = JSON.stringify([sort?.column, sort?.descending, filter]);
  if (held.order?.asked === asked) return held.order.rows;
  const { table } = held;
  const kept = filter.trim() === '' ? undefined : keptRows(table, columnAt, filter);
  const rows = placesOf(table.rows, kept);
  if (sort) {
    const at = table.columns.indexOf(sort.column);
    if (at < 0) throw new InputError(`There is no column "${sort.column}" to sort by: there are ${columnList(table)}.`);
    sortRows(rows, keysOf(columnAt(at)), sort.descending);
  }
  held.order = { asked, rows };
  return rows;
}

function placesOf(rows: number, kept: Uint8Array | undefined): Uint32Array {
  const places = new Uint32Array(rows);
  let many = 0;
  for (let row = 0; row < rows; row += 1) {
    if (kept && kept[row] === 0) continue;
    places[many] = row;
    many += 1;
  }
  return places.slice(0, many);
}

/** Sorts rows by their keys: stable in both directions, and those without a key last. */
function sortRows(rows: Uint32Array, keys: Float64Array, descending: boolean): void {
  const sign = descending ? -1 : 1;
  const key = (row: number): number => keys[row] ?? Number.NaN;
  rows.sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    if (left < right) return -sign;
    if (left > right) return sign;
    if (left === right) return a - b;
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || a - b;
  });
}
