import { types } from 'node:util';
import { withUsersOwn } from './built-ins.js';
import { inheritedValue, isObject, ownValue } from './property.js';
import { rowsTable } from './rows-table.js';
import { knownTable, saysTable, type Table } from './table.js';
import { heldBy } from './value-parts.js';

/**
 * Whether {@link tableOf} finds a table in a value, without running any code of it: one that says so, an array with an
 * object in its first place, and what gives rows when it is iterated, such as a table of Arrow, any number of times.
 */
export function hasTable(value: unknown): boolean {
  if (!isObject(value) || types.isProxy(value) || typeof value === 'function') return false;
  if (types.isTypedArray(value)) return true;
  if (Array.isArray(value)) return Number(ownValue(value, 'length')) > 0;
  return saysTable(value) || isRepeatable(value);
}

/** Whether a value can be iterated; not those that are used up by it. */
function isRepeatable(value: object): boolean {
  if (types.isBoxedPrimitive(value) || typeof inheritedValue(value, 'next') === 'function') return false;
  return typeof inheritedValue(value, Symbol.iterator) === 'function';
}

/** The most rows that are taken from what has to be iterated. */
const MOST_ROWS = 1_000_000;

/**
 * A value as a table: what it says by itself, else the rows that it holds or gives. Rows that are objects have their own
 * properties as columns, rows that are arrays their places; any other value is a column called `value`.
 *
 * @returns Undefined if there is no table in it.
 */
export function tableOf(value: unknown): Table | undefined {
  if (!isObject(value) || !hasTable(value)) return undefined;
  const known = knownTable(value);
  if (known) return known;
  if (Array.isArray(value) || types.isTypedArray(value)) return rowsTable(value);
  const held = types.isMap(value) || types.isSet(value) ? heldBy(value, MOST_ROWS) : undefined;
  if (held) return rowsTable(held);
  const rows: unknown[] = [];
  withUsersOwn(() => {
    for (const row of value as Iterable<unknown>) {
      rows.push(plainRow(row));
      if (rows.length === MOST_ROWS) break;
    }
  });
  return rowsTable(rows);
}

/** A row as an object with properties of its own: rows of Arrow read them from the table when they are asked. */
function plainRow(row: unknown): unknown {
  if (!isObject(row) || Array.isArray(row)) return row;
  const toJson: unknown = Reflect.get(row, 'toJSON');
  return typeof toJson === 'function' && !types.isDate(row) ? Reflect.apply(toJson, row, []) : row;
}
