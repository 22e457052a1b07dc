import { ColumnError, UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import type { Column } from '../../contract/definition.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import { comparedColumn } from '../tabular/columns-of.js';
import type { CellOf, ColumnName, DataFrame } from '../tabular/data-frame.js';
import { type Tabular, vectorOf } from '../tabular/tabular.js';
import { takeVector } from '../vector/take-vector.js';
import { cellAt } from '../vector/vector.js';
import { keyColumns, keyNames, type MeasureFor, type MeasureOf, readOnce } from './group-by.js';
import { checkMeasure } from './measure.js';
import { keyCodes, type RowGroups, refineGroups, rowGroups } from './row-groups.js';

/** Options of `pivot`: the layout of the table. */
export interface PivotOptions<Row extends object, Key extends string, Name extends string, Measure> {
  /** The column or columns whose values identify the rows of the table. */
  readonly rows: Key | readonly Key[];
  /** The column whose values become the names of the other columns. */
  readonly columns: ColumnName<Row>;
  /** The aggregation for the cells, such as `sum('pnl')`. */
  readonly values: Measure;
  /** The values that become columns, in this order, so that they are known at compile time. Default: all. */
  readonly names?: readonly Name[];
}

/** A row of a pivot table; of unknown columns where they were not named. */
export type PivotRow<Row extends object, Key extends string, Name extends string, Measure> = [Name] extends [never]
  ? object
  : { [Column in Key]: CellOf<Row, Column> } & { [Column in Name]: MeasureOf<Row, Measure> };

/**
 * A pivot table: one row for each group of the row keys, and one column for each value of another column, both in the
 * order in which they first appear. A missing value there makes a column named `null`.
 *
 * @returns The row keys, then the other columns. A cell for which there are no rows is missing (NaN), even that of a
 * sum.
 * @throws {UsageError} If an option is missing or unknown, or `values` is not an aggregation.
 * @throws {ColumnError} If the frame lacks a column, or a value gives a column a name that exists already.
 * @example pivot(pnl, { rows: 'date', columns: 'proxy_wallet', values: sum('pnl') });
 * @example pivot(markets, { rows: 'event_slug', columns: 'closed', values: count(), names: ['true', 'false'] });
 */
export function pivot<
  Row extends object,
  const Key extends ColumnName<Row>,
  const Measure extends MeasureFor<Row>,
  const Name extends string = never,
>(frame: DataFrame<Row>, options: PivotOptions<Row, Key, Name, Measure>): DataFrame<PivotRow<Row, Key, Name, Measure>> {
  checkPivot(options);
  const keys = keyNames('The rows of pivot', options.rows);
  const read = readOnce(frame, [...keys, options.columns, ...(options.values.reads ?? [])]);
  const lines = rowGroups(read, keys);
  const spread = rowGroups(read, [options.columns]);
  const cells = refineGroups(lines, keyCodes(options.columns, comparedColumn(read, options.columns)));
  const measured = options.values.measure(read, cells);
  const names = namesOf(read, options.columns, spread);
  const wanted = options.names ?? names;
  refuseClashes(keys, wanted);
  const places = new Map(names.map((name, group) => [name, group]));
  const slots = slotsOf(
    lines,
    spread,
    cells,
    wanted.map((name) => places.get(name) ?? -1),
  );
  const grouped = keyColumns(read, keys, lines);
  const { meaning, ...rest } = options.values.describe(read, measured);
  const spreadColumns = wanted.map((name): Column => {
    const where = `${meaning.replace(/\.$/, '')} where ${options.columns} is ${name}.`;
    return { ...rest, name, nullable: true, meaning: where };
  });
  return frameFromVectors(
    [...grouped.map(({ column }) => column), ...spreadColumns],
    [...grouped.map(({ vector }) => vector), ...slots.map((slot) => takeVector(measured, slot))],
    frame,
  );
}

function namesOf(frame: Tabular, column: string, { firstRows }: RowGroups): string[] {
  const vector = vectorOf(frame, column);
  return Array.from(firstRows, (row) => {
    const cell = cellAt(vector, row);
    if (cell instanceof Date) return cell.toISOString();
    return Number.isNaN(cell) ? 'null' : String(cell ?? null);
  });
}

function refuseClashes(keys: readonly string[], names: readonly string[]): void {
  const taken = new Set(keys);
  for (const name of names) {
    if (taken.has(name)) throw new ColumnError(`The pivot table would have two columns "${name}": rename one first.`);
    taken.add(name);
  }
}

function checkPivot(options: Partial<Record<'rows' | 'columns' | 'values' | 'names', unknown>>): void {
  knownOptions('pivot', options, ['rows', 'columns', 'values', 'names'], {
    rows: 'names',
    columns: 'text',
    names: 'list',
  });
  const absent = (['rows', 'columns', 'values'] as const).find((name) => options[name] === undefined);
  if (absent !== undefined) throw new UsageError(`pivot needs its ${absent}: { rows, columns, values: sum('pnl') }.`);
  checkMeasure('values', options.values);
}

/** For each wanted column, the cell in each line of the table; -1 where there is none. */
function slotsOf(lines: RowGroups, spread: RowGroups, cells: RowGroups, wanted: readonly number[]): Int32Array[] {
  const slots = wanted.map(() => new Int32Array(lines.groups).fill(-1));
  const placeOfGroup = new Map(wanted.map((group, place) => [group, place]));
  for (let cell = 0; cell < cells.groups; cell += 1) {
    const row = cells.firstRows[cell] as number;
    const slot = slots[placeOfGroup.get(spread.groupOf[row] as number) ?? -1];
    if (slot) slot[lines.groupOf[row] as number] = cell;
  }
  return slots;
}
