import { UsageError } from '../../base/errors.js';
import type { Column } from '../../contract/definition.js';
import { columnsOf } from '../columns-of.js';
import type { Tabular } from '../tabular.js';
import type { Vector } from '../vector/vector.js';
import type { RowGroups } from './row-groups.js';

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
  throw new UsageError(`${name} must be a measure, such as sum('pnl') or count(); got ${typeof measure}.`);
}

/** What a measure of a column is: a double or an exact amount of the column's unit, unless told otherwise. */
export function describeMeasure(title: string, name: string, options?: Partial<Column>): Aggregation['describe'] {
  return (frame, measured) => {
    const { unit } = columnsOf(frame).find((known) => known.name === name) ?? {};
    const unitOf = unit === undefined ? {} : { unit };
    const exactly = measured.kind === 'micros' ? ({ decimal: true } as const) : {};
    return { dtype: 'float64', ...unitOf, nullable: true, ...exactly, meaning: `${title} of ${name}.`, ...options };
  };
}
