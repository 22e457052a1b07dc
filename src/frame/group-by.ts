import { ColumnError } from '../errors.js';
import type { Aggregation, Grouping } from './aggregation.js';
import { anyColumn } from './column.js';
import { columnsOf } from './columns-of.js';
import type { ColumnName, DataFrame } from './data-frame.js';
import { frameFromColumns } from './frame-from-columns.js';
import type { Cell } from './tabular.js';
import { cellAt, type Vector } from './vector.js';
import { vectorsOf } from './vectors-of.js';

/** Rows grouped by {@link groupBy}, ready to be measured. */
export interface Groups<Row extends object, Key extends string> {
  /**
   * One row a group: its keys, then one column a measure.
   *
   * @throws {ColumnError} If a measured column is missing or not numeric, or a measure is named like a key.
   */
  rollup<Measures extends Readonly<Record<string, Aggregation>>>(
    measures: Measures,
  ): DataFrame<{ [Name in Key & keyof Row]: Row[Name] } & { [Name in keyof Measures]: number }>;
}

/**
 * Groups the rows of a frame by one or several columns, in the order in which the groups first appear. Missing values
 * are a group of their own, apart from empty text; keys of several columns never run into each other.
 *
 * @throws {ColumnError} If the frame lacks a key.
 * @example groupBy(markets, 'event_slug').rollup({ markets: count(), volume: sum('volume_total') });
 */
export function groupBy<Row extends object, Key extends ColumnName<Row>>(
  frame: DataFrame<Row>,
  keys: Key | readonly Key[],
): Groups<Row, Key> {
  const names: readonly Key[] = typeof keys === 'string' ? [keys] : keys;
  const { firstRows, ...grouping } = groupRows(frame, names);
  return {
    rollup: (measures) => {
      const described = columnsOf(frame);
      const vectors = vectorsOf(frame);
      const places = names.map((name) => frame.columns.indexOf(name));
      const keyArrays = places.map((place) => firstRows.map((row) => cellAt(vectors[place] as Vector, row)));
      const measured = Object.entries(measures);
      refuseKeyNames(names, Object.keys(measures));
      const columns = [
        ...places.flatMap((place) => described[place] ?? []),
        ...measured.map(([name, { describe }]) => ({ name, ...describe(frame) })),
      ];
      const values: Cell[][] = measured.map(([, { measure }]) => Array.from(measure(frame, grouping)));
      return frameFromColumns(columns, [...keyArrays, ...values], frame);
    },
  };
}

function refuseKeyNames(keys: readonly string[], measures: readonly string[]): void {
  const clash = measures.find((name) => keys.includes(name));
  if (clash !== undefined)
    throw new ColumnError(`The measure "${clash}" is named like a key of the groups: rename it.`);
}

/** Gives each row the number of its group, refining the groups by one key after another. */
function groupRows<Row extends object>(
  frame: DataFrame<Row>,
  names: readonly string[],
): Grouping & { firstRows: number[] } {
  const rows = frame.shape[0];
  let groupOf = new Uint32Array(rows);
  let firstRows = rows > 0 ? [0] : [];
  for (const name of names) {
    const values: ArrayLike<unknown> = anyColumn(frame, name);
    const refined = new Uint32Array(rows);
    const known = Array.from(firstRows, () => new Map<unknown, number>());
    firstRows = [];
    for (let row = 0; row < rows; row += 1) {
      const within = known[groupOf[row] ?? 0] ?? new Map<unknown, number>();
      const found = within.get(values[row]);
      refined[row] = found ?? firstRows.length;
      if (found !== undefined) continue;
      within.set(values[row], firstRows.length);
      firstRows.push(row);
    }
    groupOf = refined;
  }
  return { groupOf, groups: firstRows.length, firstRows };
}
