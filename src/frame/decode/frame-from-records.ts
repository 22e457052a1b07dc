import { AnswerError, UsageError } from '../../base/errors.js';
import type { Column } from '../../contract/definition.js';
import type { DataFrame } from '../danfo/danfo.js';
import { isColumn } from '../tabular/columns-of.js';
import { jsonShown } from './decode-records.js';
import { FrameBuilder } from './frame-builder.js';

/**
 * Builds a frame from decoded JSON records. Fields are found by their names, in any order; decimal text becomes a
 * number of full double precision if the column is numeric, and `True`, `true`, `False` or `false` a boolean if it is
 * boolean. NaN is missing, as in the records of a frame, and a `Date` is its moment, as in `new DataFrame`.
 *
 * @param columns Descriptions of the fields; with `[]`, all columns are inferred from all records.
 * @throws {AnswerError} If a value has the wrong type, as functions, symbols, maps and sets have in any column, or a
 * required one is missing: names row, field and value.
 * @throws {UsageError} If the columns or the records are missing, or are not lists of them.
 * @example frameFromRecords([{ name: 'pnl', dtype: 'float64', nullable: false, meaning: '' }], [{ pnl: '12.5' }]);
 */
export function frameFromRecords<Row extends object = object>(
  columns: readonly Column[],
  records: readonly unknown[],
): DataFrame<Row> {
  checkGiven(columns, records);
  const builder = new FrameBuilder<Row>(columns);
  builder.append(records.map(writtenOut));
  return builder.build();
}

/** A record with its Dates as text: the builder reads what JSON can hold. */
function writtenOut(record: unknown, at: number): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
  let written: Record<string, unknown> | undefined;
  for (const name of Object.keys(record)) {
    const value: unknown = Reflect.get(record, name);
    if (value instanceof Date && !Number.isNaN(value.getTime())) {
      written = { ...(written ?? record), [name]: value.toISOString() };
      continue;
    }
    const odd = oddKind(value);
    if (odd === undefined) continue;
    throw new AnswerError(
      `frameFromRecords got ${odd} in the field "${name}" of row ${at}, counted from 0, but a column holds numbers, text, ` +
        'booleans and dates: give a part of it, or text such as JSON.stringify makes.',
    );
  }
  return written ?? record;
}

/** What a value is that no JSON can hold, in words. */
function oddKind(value: unknown): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (value instanceof Date) return 'a Date of no time';
  if (value instanceof Map || value instanceof WeakMap) return 'a Map';
  if (value instanceof Set || value instanceof WeakSet) return 'a Set';
  return value instanceof Promise ? 'a promise' : undefined;
}

/** Checks the arguments, for callers without TypeScript. */
function checkGiven(columns: unknown, records: unknown): void {
  const remedy =
    'give frameFromRecords(columns, records), with [] for columns to infer them, or make new DataFrame(records)';
  if (!Array.isArray(records)) {
    const found =
      records === undefined ? 'no records' : `records of type ${records === null ? 'null' : typeof records}`;
    throw new UsageError(`frameFromRecords got ${found}: ${remedy}.`);
  }
  const odd = Array.isArray(columns) ? columns.findIndex((column) => !isColumn(column)) : -1;
  if (Array.isArray(columns) && odd < 0) return;
  const found = Array.isArray(columns) ? `${jsonShown(columns[odd])} as a column` : `${jsonShown(columns)} as columns`;
  throw new UsageError(
    `frameFromRecords got ${found}: a column is { name: 'pnl', dtype: 'float64', nullable: false, meaning: '' }, as ` +
      `columnsOf(frame) tells them; ${remedy}.`,
  );
}
