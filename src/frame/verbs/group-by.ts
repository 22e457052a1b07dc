import { ColumnError } from '../../base/errors.js';
import { columnsOf } from '../columns-of.js';
import type { CellOf, ColumnName, ColumnNameOf, DataFrame } from '../danfo/data-frame.js';
import { frameFromVectors } from '../frame-from-vectors.js';
import { placeOf, vectorsOf } from '../vector/vectors-of.js';
import { keyNames } from './key-names.js';
import { type Aggregation, checkMeasure } from './measure.js';
import { namedValues } from './named-values.js';
import { rowGroups } from './row-groups.js';
import { takeKeys } from './take-keys.js';

/** A measure that a frame can answer: one of a column that it lacks, or a sum of one of text, is a type error. */
export type MeasureFor<Row extends object> = Aggregation<
  ColumnName<Row>,
  'number' | 'value',
  ColumnNameOf<Row, number | bigint>
>;

/** Measures of a frame by the names of their columns. */
export type Measures<Row extends object> = Readonly<Record<string, MeasureFor<Row>>>;

/** The value of a measure: a number, or what a value of the column that it chooses from is. */
export type MeasureOf<Row extends object, Measure> =
  Measure extends Aggregation<infer Name, infer Result, string>
    ? 'value' extends Result
      ? CellOf<Row, Name>
      : number
    : never;

/** A row of a rollup: the keys of a group, then its measures. */
export type RollupRow<Row extends object, Key extends string, Measured> = {
  [Name in Key]: CellOf<Row, Name>;
} & { [Name in keyof Measured]: MeasureOf<Row, Measured[Name]> };

/** Rows grouped by {@link groupBy}, ready to be measured. */
export interface Groups<Row extends object, Key extends string> {
  /**
   * One row a group: its keys, then one column a measure.
   *
   * @throws {ColumnError} If a measured column is missing or of the wrong kind, or a measure is named like a key.
   */
  rollup<Measured extends Measures<Row>>(measures: Measured): DataFrame<RollupRow<Row, Key, Measured>>;
}

/**
 * Groups the rows of a frame by one or several columns, in the order in which the groups first appear; `rollup` then
 * computes one row for each group. Missing values form a group of their own, apart from empty text; -0 is 0; keys of
 * several columns are never confused. With `[]`, all rows are one group. A frame without rows has no groups.
 *
 * @throws {ColumnError} If the frame lacks a key, or one mixes kinds of values.
 * @example groupBy(markets, 'event_slug').rollup({ markets: count(), volume: sum('volume_total') });
 */
export function groupBy<Row extends object, const Key extends ColumnName<Row>>(
  frame: DataFrame<Row>,
  keys: Key | readonly Key[],
): Groups<Row, Key> {
  const names = keyNames('The keys of groupBy', keys);
  const groups = rowGroups(frame, names);
  return {
    rollup: (measures) => {
      const named = namedValues(measures, "rollup({ pnl: sum('pnl') })");
      refuseKeyNames(
        names,
        named.map(([name]) => name),
      );
      const [described, vectors] = [columnsOf(frame), vectorsOf(frame)];
      const places = names.map((name) => placeOf(frame, name));
      const measured = named.map(([name, measure]) => {
        checkMeasure(name, measure);
        const vector = measure.measure(frame, groups);
        return { column: { name, ...measure.describe(frame, vector) }, vector };
      });
      const columns = [...places.flatMap((place) => described[place] ?? []), ...measured.map(({ column }) => column)];
      const keyVectors = places.flatMap((place) => vectors[place] ?? []);
      return frameFromVectors(
        columns,
        [...keyVectors.map((vector) => takeKeys(vector, groups.firstRows)), ...measured.map(({ vector }) => vector)],
        frame,
      );
    },
  };
}

function refuseKeyNames(keys: readonly string[], measures: readonly string[]): void {
  const clash = measures.find((name) => keys.includes(name));
  if (clash !== undefined)
    throw new ColumnError(`The measure "${clash}" is named like a key of the groups: rename it.`);
}
