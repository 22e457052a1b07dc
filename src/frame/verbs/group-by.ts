import { ColumnError, UsageError } from '../../base/errors.js';
import { noMore } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import type { Column } from '../../contract/definition.js';
import { frameFromVectors, takeRows } from '../danfo/frame-from-vectors.js';
import { columnOf } from '../tabular/columns-of.js';
import type { CellOf, ColumnName, ColumnNameOf, DataFrame } from '../tabular/data-frame.js';
import { columnNames, type Tabular, vectorOf } from '../tabular/tabular.js';
import { takeVector } from '../vector/take-vector.js';
import type { Vector } from '../vector/vector.js';
import { type Aggregation, checkMeasure } from './measure.js';
import { type RowGroups, rowGroups } from './row-groups.js';

/** A measure that a frame can answer: one of a column that it lacks, or a sum of one of text, is a type error. */
export type MeasureFor<Row extends object> = Aggregation<
  ColumnName<Row>,
  'number' | 'value',
  ColumnNameOf<Row, number | bigint>
>;

/** Measures of a frame by the names of their columns. */
type Measures<Row extends object> = Readonly<Record<string, MeasureFor<Row>>>;

/** The value of a measure: a number, or what a value of the column that it chooses from is. */
export type MeasureOf<Row extends object, Measure> =
  Measure extends Aggregation<infer Name, infer Result, string>
    ? 'value' extends Result
      ? CellOf<Row, Name>
      : number
    : never;

/** A row of a rollup: the keys of a group, then its measures. */
type RollupRow<Row extends object, Key extends string, Measured> = {
  [Name in Key]: CellOf<Row, Name>;
} & { [Name in keyof Measured]: MeasureOf<Row, Measured[Name]> };

/** Rows grouped by {@link groupBy}, ready to be measured. */
interface Groups<Row extends object, Key extends string> {
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
): Groups<Row, Key>;
export function groupBy<Row extends object, const Key extends ColumnName<Row>>(
  frame: DataFrame<Row>,
  keys: Key | readonly Key[],
  ...others: readonly unknown[]
): Groups<Row, Key> {
  noMore('groupBy', others, "give several columns as a list: groupBy(frame, ['proxy_wallet', 'date'])");
  const names = keyNames('The keys of groupBy', keys);
  const groups = rowGroups(frame, names);
  return {
    rollup: (measures) => {
      const named = namedValues(measures, "rollup({ pnl: sum('pnl') })");
      refuseKeyNames(
        names,
        named.map(([name]) => name),
      );
      const grouped = keyColumns(frame, names, groups);
      for (const [name, measure] of named) checkMeasure(name, measure);
      const read = readOnce(
        frame,
        named.flatMap(([, measure]) => measure.reads ?? []),
      );
      const measured = named.map(([name, measure]) => {
        const vector = measure.measure(read, groups);
        return { column: { name, ...measure.describe(read, vector) }, vector };
      });
      const columns = [...grouped, ...measured];
      return frameFromVectors(
        columns.map(({ column }) => column),
        columns.map(({ vector }) => vector),
        frame,
      );
    },
  };
}

/**
 * A frame of some columns alone, each read once, for keys and measures that read them several times; the frame itself
 * where it lacks one, or none is named.
 */
export function readOnce(frame: Tabular, names: readonly string[]): Tabular {
  const has = columnNames(frame);
  if (names.length === 0 || names.some((name) => !has.includes(name))) return frame;
  const read = [...new Set(names)];
  return frameFromVectors(
    read.map((name) => columnOf(frame, name)),
    read.map((name) => vectorOf(frame, name)),
    frame,
  );
}

function refuseKeyNames(keys: readonly string[], measures: readonly string[]): void {
  const clash = measures.find((name) => keys.includes(name));
  if (clash !== undefined)
    throw new ColumnError(`The measure "${clash}" is named like a key of the groups: rename it.`);
}

/**
 * The rows of a frame without repeats: of rows that are equal in all of the given columns, the first is kept. Missing
 * values equal each other, but not empty text; -0 equals 0.
 *
 * @param keys The columns that are compared. Default: all.
 * @returns A new frame with all the columns, and the rows in their order.
 * @throws {ColumnError} If the frame lacks a column, or one that is compared mixes kinds of values.
 * @example distinct(pnl, ['proxy_wallet', 'date']);
 */
export function distinct<Row extends object>(
  frame: DataFrame<Row>,
  keys?: ColumnName<Row> | readonly ColumnName<Row>[],
): DataFrame<Row>;
export function distinct<Row extends object>(
  frame: DataFrame<Row>,
  keys?: ColumnName<Row> | readonly ColumnName<Row>[],
  ...others: readonly unknown[]
): DataFrame<Row> {
  noMore('distinct', others, "give several columns as a list: distinct(frame, ['proxy_wallet', 'date'])");
  const names = keys === undefined ? columnNames(frame) : keyNames('The keys of distinct', keys);
  return takeRows(frame, rowGroups(frame, names).firstRows);
}

/**
 * Columns that were given as one name or as a list of names, each once.
 *
 * @param of Whose they are, for the message: `The keys of groupBy`.
 * @throws {UsageError} If they are neither, which only TypeScript would have told.
 */
export function keyNames(of: string, keys: string | readonly string[]): string[] {
  if (typeof keys === 'string') return [keys];
  if (Array.isArray(keys)) return [...new Set(keys)];
  const found = keys === null ? 'null' : `a value of type ${typeof keys}`;
  throw new UsageError(`${of} must be the name of a column, such as 'date', or a list of names; got ${found}.`);
}

/**
 * What was given by name for new columns, in its order.
 *
 * @param example What would be right, for the message.
 * @throws {UsageError} If it is no object of names, which only TypeScript would have told.
 */
export function namedValues<Value>(given: Readonly<Record<string, Value>>, example: string): [string, Value][] {
  const prototype: unknown = given === null || typeof given !== 'object' ? undefined : Object.getPrototypeOf(given);
  // A Map, a promise or a frame has names of its own, and other things than they stand for.
  if (prototype === null || (prototype !== undefined && Object.getPrototypeOf(prototype) === null))
    return Object.entries(given);
  const found = (given as unknown) instanceof Map ? 'a Map' : shownValue(given);
  throw new UsageError(`New columns are given by their names, as in ${example}; got ${found}.`);
}

/** The keys of groups, one row a group: as in its first row, but -0, which is the same key as 0, is 0. */
export function keyColumns(
  frame: Tabular,
  names: readonly string[],
  { firstRows }: RowGroups,
): { column: Column; vector: Vector }[] {
  return names.map((name) => {
    const vector = takeVector(vectorOf(frame, name), firstRows);
    const key = vector.kind === 'number' ? { ...vector, values: vector.values.map((value) => value + 0) } : vector;
    return { column: columnOf(frame, name), vector: key };
  });
}
