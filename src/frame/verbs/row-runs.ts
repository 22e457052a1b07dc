import { ColumnError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import type { Column } from '../../contract/definition.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import { columnsOf } from '../tabular/columns-of.js';
import type { DataFrame } from '../tabular/data-frame.js';
import { placeOf, rowCount, type Tabular, vectorsOf } from '../tabular/tabular.js';
import type { Vector } from '../vector/vector.js';
import { refuseTaken } from './bucket-by.js';
import { keyNames } from './group-by.js';
import { type RowLists, rowGroups, rowLists } from './row-groups.js';

/**
 * The rows of each group in their order, all in one group without keys; for verbs that look at the rows before.
 *
 * @param of Whose keys they are, for an error: `shift`.
 * @throws {ColumnError} If the frame lacks a key, or one mixes kinds of values.
 */
export function runsOf(frame: Tabular, of: string, by: string | readonly string[] | undefined): RowLists {
  if (by === undefined) {
    const rows = rowCount(frame);
    return { starts: Uint32Array.of(0, rows), rows: Uint32Array.from({ length: rows }, (_, row) => row) };
  }
  const { groupOf, groups } = rowGroups(frame, keyNames(`by of ${of}`, by));
  return rowLists(groupOf, groups, () => false);
}

/** The rows of each run, one run after another. */
export function* eachRun({ starts, rows }: RowLists): Generator<Uint32Array> {
  for (let run = 0; run + 1 < starts.length; run += 1) yield rows.subarray(starts[run], starts[run + 1]);
}

/** Says for which groups a column is computed, for its meaning. */
export function forEach(by: string | readonly string[] | undefined): string {
  if (by === undefined) return '';
  return `, for each ${(typeof by === 'string' ? [by] : by).join(', ')}`;
}

/** A row with a new column beside; of unknown columns where the frame's are not known. */
export type RowBeside<Row extends object, As extends string, Value> = [keyof Row] extends [never]
  ? object
  : Row & { [Added in As]: Value };

/**
 * A frame with one more column, which was made of another one.
 *
 * @throws {ColumnError} If it has a column of that name already.
 */
export function withColumn(frame: Tabular, column: Column, vector: Vector): DataFrame {
  refuseTaken(frame, column.name);
  return frameFromVectors([...columnsOf(frame), column], [...vectorsOf(frame), vector], frame);
}

/** The description of one column of a frame. */
export function describedAs(frame: Tabular, name: string): Column {
  return itemAt(columnsOf(frame), placeOf(frame, name));
}

/**
 * Refuses rows that are not in order of time.
 *
 * @throws {ColumnError} If they are not, or a time is missing: names the rows.
 */
export function refuseDisorder(of: string, name: string, runs: RowLists, seconds: Float64Array): void {
  for (const run of eachRun(runs)) {
    for (let at = 0; at < run.length; at += 1) {
      const row = itemOf(run, at);
      const time = seconds[row] as number;
      if (Number.isNaN(time)) {
        throw new ColumnError(`${of} needs a time in each row, but "${name}" lacks one in row ${row}, counted from 0.`);
      }
      if (at === 0 || time >= (seconds[itemOf(run, at - 1)] as number)) continue;
      throw new ColumnError(
        `${of} needs rows in order of time, but "${name}" of row ${row}, counted from 0, is before that of row ` +
          `${itemOf(run, at - 1)}: sort first, as in sortBy(frame, '${name}').`,
      );
    }
  }
}

function itemOf(rows: Uint32Array, at: number): number {
  return rows[at] as number;
}

/**
 * Refuses two columns of one name.
 *
 * @throws {ColumnError} If there are two: names it.
 */
export function refuseDouble(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new ColumnError(`The result would have two columns "${twice}": rename one.`);
}
