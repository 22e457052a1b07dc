import { UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import { counted } from '../../base/texts.js';
import type { Column } from '../../contract/definition.js';
import type { CellOf, ColumnName, DataFrame } from '../tabular/data-frame.js';
import { rowCount, vectorOf } from '../tabular/tabular.js';
import { takeVector } from '../vector/take-vector.js';
import { describedAs, eachRun, forEach, type RowBeside, runsOf, withColumn } from './row-runs.js';

/** Options of `shift`. */
export interface ShiftOptions<Row extends object, Name extends string, As extends string> {
  /** The column whose values are shifted. */
  readonly column: Name;
  /** How many rows earlier the value stands; later, if below 0. A whole number, default 1. */
  readonly rows?: number;
  /** The column or columns whose values divide the rows into groups, each shifted by itself. Default: one group. */
  readonly by?: ColumnName<Row> | readonly ColumnName<Row>[];
  /** Name of the new column. Default `shifted_` and the column's name. */
  readonly as?: As;
}

/**
 * Adds a column with the value that another one has some rows earlier, in the order of the rows, as for the change
 * from one day to the next. Sort first where the order is not yet that of time.
 *
 * @returns The same rows and columns, and the new one with the dtype and unit of the other; missing where there is no
 * such row in the group.
 * @throws {ColumnError} If the frame lacks a column, or has one of the new name.
 * @throws {UsageError} If an option is missing or unknown, or `rows` is no whole number.
 * @example
 * const before = shift(sortBy(pnl, 'date'), { column: 'pnl', by: 'proxy_wallet' });
 * withColumns(before, { change: (row) => row.pnl - row.shifted_pnl });
 */
export function shift<
  Row extends object,
  const Name extends ColumnName<Row>,
  const As extends string = `shifted_${Name}`,
>(
  frame: DataFrame<Row>,
  options: ShiftOptions<Row, Name, As>,
): DataFrame<RowBeside<Row, As, CellOf<Row, Name> | null>> {
  knownOptions('shift', options, ['column', 'rows', 'by', 'as']);
  const { column: name, rows = 1, by, as = `shifted_${name}` } = options;
  if (!Number.isInteger(rows)) throw new UsageError(`rows of shift must be a whole number; got ${shownValue(rows)}.`);
  const vector = vectorOf(frame, name);
  const sources = new Int32Array(rowCount(frame)).fill(-1);
  for (const run of eachRun(runsOf(frame, 'shift', by))) {
    for (let at = Math.max(0, rows); at < run.length && at - rows < run.length; at += 1) {
      sources[run[at] as number] = run[at - rows] as number;
    }
  }
  const { alias: _, hex: __, ...described } = describedAs(frame, name);
  const direction = rows < 0 ? 'later' : 'earlier';
  const column: Column = {
    ...described,
    name: as,
    nullable: true,
    meaning: `${name} ${counted(Math.abs(rows), 'row')} ${direction}${forEach(by)}.`,
  };
  return withColumn(frame, column, takeVector(vector, sources)) as DataFrame<
    RowBeside<Row, As, CellOf<Row, Name> | null>
  >;
}
