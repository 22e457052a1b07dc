import { AnswerError } from '../../base/errors.js';
import { checkRecord, type JsonRecord } from './check-record.js';
import type { ColumnBuilder } from './column-builder.js';
import type { RowStore } from './row-store.js';
import { showValue } from './show-value.js';

/**
 * Puts decoded records into a store, by field name. All errors about the records of a page are worded here.
 *
 * @param page Number of the page, for errors.
 * @throws {AnswerError} If a record is no object, a value has the wrong type or is missing, or the store is strict and
 * a field is no column. The message names page, row (both counted from 1), field and value.
 */
export function decodeRecords(store: RowStore, records: readonly unknown[], page: number): void {
  const start = store.rows;
  const checked = records.map((record, at) => checkRecord(record, page, at));
  store.reserve(start + checked.length);
  for (const builder of store.builders) decodeColumn(builder, checked, start, page);
  takeExtra(store, checked, start, page);
  store.rows += checked.length;
}

function decodeColumn(builder: ColumnBuilder, records: readonly JsonRecord[], start: number, page: number): void {
  const { column } = builder;
  const own = fieldReader(column.name);
  const other = column.alias === undefined ? undefined : fieldReader(column.alias);
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? {};
    const value = other === undefined ? own(record) : (own(record) ?? other(record));
    if (builder.put(start + at, value)) continue;
    const what = value === undefined ? 'is missing' : `is ${showValue(value)}`;
    const expected = column.nullable ? `${builder.expected}, or null` : builder.expected;
    throw new AnswerError(`Page ${page}, row ${at + 1}: the field "${column.name}" ${what}; it should be ${expected}.`);
  }
}

/** Makes a function that reads a field from a record. Inherited members such as `constructor` are no fields. */
function fieldReader(name: string): (record: JsonRecord) => unknown {
  if (!(name in Object.prototype)) return (record) => record[name];
  return (record) => (Object.hasOwn(record, name) ? record[name] : undefined);
}

function takeExtra(store: RowStore, records: readonly JsonRecord[], start: number, page: number): void {
  let plain: readonly string[] = [];
  for (const [at, record] of records.entries()) {
    const keys = Object.keys(record);
    if (sameKeys(keys, plain)) continue;
    const extra = keys.filter((key) => !store.places.has(key));
    if (extra.length === 0) plain = keys;
    for (const name of extra) {
      if (store.strict) refuseField(store, name, record[name], page, at);
      store.extra.put(start + at, name, record[name]);
    }
  }
}

/** Whether two lists of keys are equal. Records of one answer mostly have the same keys and need no further check. */
function sameKeys(keys: readonly string[], others: readonly string[]): boolean {
  if (keys.length !== others.length || keys.length === 0) return false;
  for (let at = 0; at < keys.length; at += 1) if (keys[at] !== others[at]) return false;
  return true;
}

function refuseField(store: RowStore, name: string, value: unknown, page: number, at: number): never {
  const known = store.builders.map(({ column }) => column.name).join(', ') || 'none';
  const where = `Page ${page}, row ${at + 1}: the field "${name}"`;
  throw new AnswerError(`${where} is ${showValue(value)}, but it is no column of the dataset. Its columns: ${known}.`);
}
