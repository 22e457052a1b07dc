import type { Column } from '../contract/column.js';
import { FrameBuilder } from './build/frame-builder.js';
import type { DataFrame } from './danfo/danfo.js';

/**
 * Builds a frame from decoded JSON records, by key: the order of keys does not matter, and decimal text becomes numbers
 * of full double precision where the column is numeric.
 *
 * @param columns What the fields are; without any, all columns are inferred over all records.
 * @throws {AnswerError} If a value has the wrong type or a required one is missing: names row, field and value.
 * @example frameFromRecords([{ name: 'pnl', dtype: 'float64', nullable: false, meaning: '' }], [{ pnl: '12.5' }]);
 */
export function frameFromRecords<Row extends object = object>(
  columns: readonly Column[],
  records: readonly unknown[],
): DataFrame<Row> {
  const builder = new FrameBuilder<Row>(columns);
  builder.append(records);
  return builder.build();
}
