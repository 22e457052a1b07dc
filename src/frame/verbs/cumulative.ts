import { ColumnError, UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import type { Column } from '../../contract/definition.js';
import { unitOfColumn } from '../tabular/columns-of.js';
import type { ColumnName, ColumnNameOf, DataFrame } from '../tabular/data-frame.js';
import { numericVector, rowCount, type Tabular } from '../tabular/tabular.js';
import { doublesOf } from '../vector/plain-vector.js';
import { MISSING_MICROS, type Vector } from '../vector/vector.js';
import { describedAs, eachRun, forEach, type RowBeside, runsOf, withColumn } from './row-runs.js';

/** What `cumulative` knows. */
export type CumulativeMeasure = 'sum' | 'product' | 'min' | 'max' | 'count';

const MEASURES: readonly string[] = ['sum', 'product', 'min', 'max', 'count'] satisfies CumulativeMeasure[];

/** Options of `cumulative`. */
export interface CumulativeOptions<Row extends object, Name extends string, As extends string> {
  /** The column of numbers. */
  readonly column: Name;
  /** What is computed of all rows up to each one. Default `sum`. */
  readonly measure?: CumulativeMeasure;
  /** The column or columns whose values divide the rows into groups, each of which begins anew. Default: one group. */
  readonly by?: ColumnName<Row> | readonly ColumnName<Row>[];
  /** Name of the new column. Default `cumulative_` and the column's name. */
  readonly as?: As;
}

/**
 * Adds a column with the sum (or `product`, `min`, `max` or the `count` of values) of all rows of a column up to each
 * one, in the order of the rows. Sort first where the order is not yet that of time.
 *
 * @returns The same rows and columns, and the new one, with the column's unit; missing where the value is missing,
 * though a later row goes on from before. A count is 0 before the first value. Sums, minima and maxima of exact amounts
 * are exact.
 * @throws {ColumnError} If the frame lacks a column, it is not numeric, an exact sum does not fit 64 bits, or the frame
 * has a column of the new name.
 * @throws {UsageError} If an option is missing or unknown, or there is no such measure.
 * @example cumulative(sortBy(pnl, 'date'), { column: 'pnl', by: 'proxy_wallet' });
 */
export function cumulative<
  Row extends object,
  const Name extends ColumnNameOf<Row, number | bigint>,
  const As extends string = `cumulative_${Name}`,
>(frame: DataFrame<Row>, options: CumulativeOptions<Row, Name, As>): DataFrame<RowBeside<Row, As, number>> {
  knownOptions('cumulative', options, ['column', 'measure', 'by', 'as'], { measure: 'choice' });
  const { column: name, measure = 'sum', by, as = `cumulative_${name}` } = options;
  if (!MEASURES.includes(measure)) {
    throw new UsageError(`cumulative has no measure ${shownValue(measure)}: give one of ${MEASURES.join(', ')}.`);
  }
  const vector = accumulated(frame, name, measure, by);
  const column: Column = {
    name: as,
    dtype: measure === 'count' ? 'int32' : 'float64',
    ...(measure === 'count' || measure === 'product' ? {} : unitOfColumn(describedAs(frame, name))),
    nullable: measure !== 'count' && describedAs(frame, name).nullable,
    ...(vector.kind === 'micros' ? { decimal: true as const } : {}),
    meaning: `${TITLES[measure]} of ${name} up to each row${forEach(by)}.`,
  };
  return withColumn(frame, column, vector) as DataFrame<RowBeside<Row, As, number>>;
}

const TITLES: Readonly<Record<CumulativeMeasure, string>> = {
  sum: 'Sum',
  product: 'Product',
  min: 'Least value',
  max: 'Greatest value',
  count: 'Number of values',
};

function accumulated(
  frame: Tabular,
  name: string,
  measure: CumulativeMeasure,
  by: string | readonly string[] | undefined,
): Vector {
  const vector = numericVector(frame, name);
  const runs = runsOf(frame, 'cumulative', by);
  if (vector.kind === 'micros' && (measure === 'sum' || measure === 'min' || measure === 'max')) {
    const values = new BigInt64Array(vector.values.length).fill(MISSING_MICROS);
    const add = EXACT_STEPS[measure];
    for (const run of eachRun(runs)) {
      let total: bigint | undefined;
      for (const row of run) {
        const value = vector.values[row] as bigint;
        if (value === MISSING_MICROS) continue;
        total = total === undefined ? value : add(total, value);
        values[row] = fitting(name, total);
      }
    }
    return { kind: 'micros', values };
  }
  const values = new Float64Array(rowCount(frame)).fill(Number.NaN);
  const given = doublesOf(vector);
  const add = STEPS[measure];
  for (const run of eachRun(runs)) {
    let total = START[measure];
    for (const row of run) {
      const value = given[row] as number;
      const isMissing = Number.isNaN(value);
      if (!isMissing) total = add(total, value);
      if (!isMissing || measure === 'count') values[row] = total;
    }
  }
  return { kind: 'number', values };
}

const STEPS: Readonly<Record<CumulativeMeasure, (total: number, value: number) => number>> = {
  sum: (total, value) => total + value,
  product: (total, value) => total * value,
  min: Math.min,
  max: Math.max,
  count: (total) => total + 1,
};

const START: Readonly<Record<CumulativeMeasure, number>> = {
  sum: 0,
  product: 1,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  count: 0,
};

const EXACT_STEPS = {
  sum: (total: bigint, value: bigint) => total + value,
  min: (total: bigint, value: bigint) => (value < total ? value : total),
  max: (total: bigint, value: bigint) => (value > total ? value : total),
};

/** An exact amount that 64 bits hold. */
export function fitting(name: string, total: bigint): bigint {
  if (BigInt.asIntN(64, total) === total && total !== MISSING_MICROS) return total;
  throw new ColumnError(
    `The sum of the exact column "${name}" is beyond ±9.2 trillion: query without { exact: true }.`,
  );
}
