import { UsageError } from '../../base/errors.js';
import { showValue } from '../../base/texts.js';
import type { Column, Dtype } from '../../contract/definition.js';
import type { DataFrame } from '../danfo/danfo.js';
import { FrameBuilder } from './frame-builder.js';

/**
 * Builds a frame from decoded JSON records. Fields are found by their names, in any order; decimal text becomes a
 * number of full double precision if the column is numeric, and `True`, `true`, `False` or `false` a boolean if it is
 * boolean. NaN is missing, as in the records of a frame.
 *
 * @param columns Descriptions of the fields; with `[]`, all columns are inferred from all records.
 * @throws {AnswerError} If a value has the wrong type or a required one is missing: names row, field and value.
 * @throws {UsageError} If the columns or the records are missing, or are not lists of them.
 * @example frameFromRecords([{ name: 'pnl', dtype: 'float64', nullable: false, meaning: '' }], [{ pnl: '12.5' }]);
 */
export function frameFromRecords<Row extends object = object>(
  columns: readonly Column[],
  records: readonly unknown[],
): DataFrame<Row> {
  checkGiven(columns, records);
  const builder = new FrameBuilder<Row>(columns);
  builder.append(records);
  return builder.build();
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
  const found = Array.isArray(columns) ? `${showValue(columns[odd])} as a column` : `${showValue(columns)} as columns`;
  throw new UsageError(
    `frameFromRecords got ${found}: a column is { name: 'pnl', dtype: 'float64', nullable: false, meaning: '' }, as ` +
      `columnsOf(frame) tells them; ${remedy}.`,
  );
}

function isColumn(column: unknown): boolean {
  if (typeof column !== 'object' || column === null) return false;
  const { name, dtype } = column as Partial<Column>;
  return typeof name === 'string' && typeof dtype === 'string' && DTYPES.includes(dtype);
}

const DTYPES: readonly Dtype[] = ['string', 'boolean', 'int32', 'float64', 'datetime'];
