import { UsageError } from '../../base/errors.js';
import { shownValue } from '../../base/option-types.js';
import type { Column } from '../../contract/definition.js';
import { columnOf, comparedColumn, unitOfColumn } from '../tabular/columns-of.js';
import { type Tabular, vectorOf } from '../tabular/tabular.js';
import { missingAt, type Vector } from '../vector/vector.js';
import { keyCodes, type RowGroups, refineGroups } from './row-groups.js';

/**
 * A measure of each group of rows, as `groupBy(…).rollup` and `pivot` take it: `sum`, `mean`, `median`, …
 *
 * @typeParam Name The columns that it reads, so that a misspelt one is a type error.
 * @typeParam Result Whether it answers numbers, or values of the column itself.
 * @typeParam Numeric Those of the columns that have to hold numbers, so that one of text is a type error.
 */
export interface Aggregation<
  Name extends string = string,
  Result extends 'number' | 'value' = 'number' | 'value',
  Numeric extends string = never,
> {
  readonly reads: readonly Name[];
  /** Which of them have to hold numbers; absent where none has. */
  readonly computes?: readonly Numeric[];
  readonly result: Result;
  /** One value a group. */
  readonly measure: (frame: Tabular, groups: RowGroups) => Vector;
  /** What the result's column is, except for its name. */
  readonly describe: (frame: Tabular, measured: Vector) => Omit<Column, 'name'>;
}

/**
 * Checks what only TypeScript would have told.
 *
 * @throws {UsageError} If a value is no measure.
 */
export function checkMeasure(name: string, measure: unknown): void {
  if (typeof measure === 'object' && measure !== null && 'measure' in measure && 'describe' in measure) return;
  throw new UsageError(`${name} must be a measure, such as sum('pnl') or count(); got ${shownValue(measure)}.`);
}

/** What a measure of a column is: a double or an exact amount of the column's unit, unless told otherwise. */
export function describeMeasure(title: string, name: string, options?: Partial<Column>): Aggregation['describe'] {
  return (frame, measured) => {
    const unit = unitOfColumn(columnOf(frame, name));
    const exactly = measured.kind === 'micros' ? ({ decimal: true } as const) : {};
    return { dtype: 'float64', ...unit, nullable: true, ...exactly, meaning: `${title} of ${name}.`, ...options };
  };
}

/**
 * The number of rows; given a column, of the rows in which it is not missing. For `rollup` and `pivot`.
 *
 * @throws {ColumnError} On use, if the column is missing.
 * @example groupBy(markets, 'event_slug').rollup({ markets: count(), closed: count('close_date') });
 */
export function count<Name extends string = never>(name?: Name): Aggregation<Name, 'number'> {
  return {
    reads: name === undefined ? [] : [name],
    result: 'number',
    measure: (frame, groups) => {
      const vector = name === undefined ? undefined : vectorOf(frame, name);
      return { kind: 'number', values: presentRows(groups, vector) };
    },
    describe: () => ({ dtype: 'int32', nullable: false, meaning: name === undefined ? 'Rows.' : `Values of ${name}.` }),
  };
}

/**
 * The number of distinct values of a column; missing ones are not counted. For `rollup` and `pivot`.
 *
 * @throws {ColumnError} On use, if the column is missing or mixes kinds of values.
 * @example groupBy(pnl, 'date').rollup({ wallets: nUnique('proxy_wallet') });
 */
export function nUnique<Name extends string>(name: Name): Aggregation<Name, 'number'> {
  return {
    reads: [name],
    result: 'number',
    measure: (frame, groups) => {
      const key = keyCodes(name, comparedColumn(frame, name));
      const values = new Float64Array(groups.groups);
      for (const row of refineGroups(groups, key).firstRows) {
        const group = groups.groupOf[row] as number;
        if ((key.codes[row] as number) >= 0) values[group] = (values[group] as number) + 1;
      }
      return { kind: 'number', values };
    },
    describe: () => ({ dtype: 'int32', nullable: false, meaning: `Distinct values of ${name}.` }),
  };
}

/** How many rows each group has, or how many in which a vector is not missing. */
export function presentRows({ groupOf, groups }: RowGroups, vector?: Vector): Float64Array {
  const counts = new Float64Array(groups);
  for (let row = 0; row < groupOf.length; row += 1) {
    const group = groupOf[row] as number;
    if (!vector || !missingAt(vector, row)) counts[group] = (counts[group] as number) + 1;
  }
  return counts;
}
