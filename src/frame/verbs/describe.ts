import { itemAt } from '../../base/item-at.js';
import { noMore } from '../../base/nearest.js';
import type { Column, Dtype } from '../../contract/definition.js';
import { frameFromColumns } from '../danfo/frame-from-vectors.js';
import { columnsOf } from '../tabular/columns-of.js';
import type { DataFrame } from '../tabular/data-frame.js';
import { type Tabular, vectorsOf } from '../tabular/tabular.js';
import { comparedVector, dateText } from '../vector/iso-time.js';
import { doublesOf } from '../vector/plain-vector.js';
import { cellAt, lengthOf, missingAt, type Vector } from '../vector/vector.js';
import { quantileOf } from './quantile.js';
import { groupsOfKeys, keyCodes } from './row-groups.js';
import { groupDeviations, groupMeans } from './sum-and-mean.js';

/**
 * A row of `describe`: the summary of a column. Measures are in the column's unit, and NaN if it does not hold numbers.
 */
export interface ColumnSummary {
  column: string;
  dtype: Dtype;
  unit: string | null;
  /** Number of rows with a value, and of rows without. */
  count: number;
  missing: number;
  /** Number of distinct values, without missing ones. */
  distinct: number;
  mean: number;
  /** Standard deviation of a sample (n − 1). */
  std: number;
  min: number;
  q1: number;
  median: number;
  q3: number;
  max: number;
  /** First and last time of a datetime column; null for other columns. */
  earliest: string | null;
  latest: string | null;
}

const INTEGER = { dtype: 'int32', nullable: false } as const;
const TEXT = { dtype: 'string', nullable: true } as const;
const MEASURE = { dtype: 'float64', nullable: true } as const;

const SUMMARY: readonly Column[] = [
  { name: 'column', dtype: 'string', nullable: false, meaning: 'Name of the column.' },
  { name: 'dtype', dtype: 'string', nullable: false, meaning: 'What it holds.' },
  { name: 'unit', ...TEXT, meaning: 'Unit of its values.' },
  { name: 'count', ...INTEGER, meaning: 'Rows with a value.' },
  { name: 'missing', ...INTEGER, meaning: 'Rows without a value.' },
  { name: 'distinct', ...INTEGER, meaning: 'Distinct values.' },
  { name: 'mean', ...MEASURE, meaning: 'Mean of the values.' },
  { name: 'std', ...MEASURE, meaning: 'Standard deviation of a sample (n − 1).' },
  { name: 'min', ...MEASURE, meaning: 'Least value.' },
  { name: 'q1', ...MEASURE, meaning: 'First quartile.' },
  { name: 'median', ...MEASURE, meaning: 'Median.' },
  { name: 'q3', ...MEASURE, meaning: 'Third quartile.' },
  { name: 'max', ...MEASURE, meaning: 'Greatest value.' },
  { name: 'earliest', ...TEXT, dtype: 'datetime', meaning: 'First time.' },
  { name: 'latest', ...TEXT, dtype: 'datetime', meaning: 'Last time.' },
];

/**
 * A summary of a frame, with one row for each column: counts, mean, standard deviation and quartiles, without missing
 * values. Quartiles are interpolated as in `quantile`. Exact amounts are counted exactly, but measured as the nearest
 * doubles; the aggregations `sum`, `min` and `max` keep them exact.
 *
 * @returns A row for each column, so none for a frame without columns. Without rows, all counts are 0 and all measures
 * NaN.
 * @throws {ColumnError} If a column holds an invalid date.
 * @example describe(pnl).print();
 */
export function describe(frame: Tabular): DataFrame<ColumnSummary>;
export function describe(frame: Tabular, ...others: readonly unknown[]): DataFrame<ColumnSummary> {
  noMore('describe', others, "choose columns before: describe(selectColumns(frame, ['pnl']))");
  const vectors = vectorsOf(frame);
  const summaries = columnsOf(frame).map((column, at) => summaryOf(column, vectors[at] as Vector));
  const arrays = SUMMARY.map(({ name }) => summaries.map((summary) => summary[name as keyof ColumnSummary]));
  return frameFromColumns<ColumnSummary>(SUMMARY, arrays, frame);
}

function summaryOf({ name, dtype, unit }: Column, vector: Vector): ColumnSummary {
  const rows = lengthOf(vector);
  const compared = comparedVector(name, dtype, vector);
  let count = 0;
  for (let row = 0; row < rows; row += 1) if (!missingAt(vector, row)) count += 1;
  return {
    ...{
      column: name,
      dtype,
      unit: unit ?? null,
      count,
      missing: rows - count,
      distinct: distinctOf(name, vector, compared),
    },
    ...measuresOf(vector),
    ...(dtype === 'datetime' ? spanOf(name, vector, compared) : { earliest: null, latest: null }),
  };
}

/** Distinct values; of mixed kinds too. */
function distinctOf(name: string, vector: Vector, compared: Vector): number {
  if (compared.kind === 'mixed') {
    const cells = compared.cells.filter((_, row) => !missingAt(vector, row));
    return new Set(cells.map((cell) => (cell instanceof Date ? cell.getTime() : cell))).size;
  }
  const key = keyCodes(name, compared);
  const { firstRows } = groupsOfKeys(lengthOf(vector), [key]);
  return firstRows.filter((row) => (key.codes[row] as number) >= 0).length;
}

function measuresOf(vector: Vector) {
  const numeric = vector.kind === 'number' || vector.kind === 'micros';
  const sorted = numeric
    ? doublesOf(vector)
        .filter((value) => !Number.isNaN(value))
        .sort()
    : new Float64Array();
  const numbers = { kind: 'number', values: sorted } as const;
  const together = groupsOfKeys(sorted.length, []);
  const only = (measured: ArrayLike<number>): number => (sorted.length === 0 ? Number.NaN : itemAt(measured, 0));
  return {
    mean: only(groupMeans(numbers, together)),
    std: only(groupDeviations(numbers, together)),
    min: quantileOf(sorted, 0),
    q1: quantileOf(sorted, 0.25),
    median: quantileOf(sorted, 0.5),
    q3: quantileOf(sorted, 0.75),
    max: quantileOf(sorted, 1),
  };
}

function spanOf(name: string, vector: Vector, compared: Vector): Pick<ColumnSummary, 'earliest' | 'latest'> {
  let [earliest, latest]: [string | null, string | null] = [null, null];
  let [first, last]: [string | undefined, string | undefined] = [undefined, undefined];
  for (let row = 0; row < lengthOf(vector); row += 1) {
    const time = cellAt(compared, row);
    if (typeof time !== 'string') continue;
    const isFirst = first === undefined || time < first;
    const isLast = last === undefined || time > last;
    if (!isFirst && !isLast) continue;
    const cell = cellAt(vector, row);
    const text = cell instanceof Date ? dateText(cell, name, row) : String(cell);
    if (isFirst) [first, earliest] = [time, text];
    if (isLast) [last, latest] = [time, text];
  }
  return { earliest, latest };
}
