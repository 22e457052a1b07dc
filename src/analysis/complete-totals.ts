import type { Tabular } from '../frame/tabular.js';
import { doublesOf, numericVector } from '../frame/vector/plain-vector.js';
import { completeNumbers } from './complete-numbers.js';
import { sum } from './sum.js';

/**
 * The sums of numeric columns over the rows that lack none of them, one a column: dollars to the last digit.
 *
 * @param counts Those of the columns that must not be negative.
 * @throws {ColumnError} As {@link completeNumbers} does.
 */
export function completeTotals(frame: Tabular, names: readonly string[], counts: readonly string[]): number[] {
  const columns = names.map((name) => doublesOf(numericVector(frame, name)));
  const totals = columns.map((values, at) =>
    counts.includes(names[at] ?? '') && hasNegative(values) ? Number.NaN : sum(values),
  );
  if (totals.every(Number.isFinite)) return totals;
  return completeNumbers(frame, names, { counts }).values.map(sum);
}

/**
 * The same for columns of counts, which must not be negative: whole numbers add up without loss in any order.
 *
 * @throws {ColumnError} As {@link completeNumbers} does.
 */
export function completeCounts(frame: Tabular, names: readonly string[]): number[] {
  const totals = names.map((name) => countOf(doublesOf(numericVector(frame, name))));
  if (totals.every(Number.isFinite)) return totals;
  return completeNumbers(frame, names, { counts: names }).values.map(countOf);
}

function hasNegative(values: Float64Array): boolean {
  for (let row = 0; row < values.length; row += 1) if ((values[row] as number) < 0) return true;
  return false;
}

/** Rows of a block: a loop that runs once, however long, is compiled with each of its sums in a box. */
const BLOCK = 4096;

/** NaN where a number is missing or negative. */
function countOf(values: Float64Array): number {
  let total = 0;
  for (let start = 0; start < values.length; start += BLOCK) {
    total += blockCount(values, start, Math.min(start + BLOCK, values.length));
  }
  return total;
}

/** Four sums at once: none of them waits for another. */
function blockCount(values: Float64Array, start: number, end: number): number {
  let one = 0;
  let two = 0;
  let three = 0;
  let four = 0;
  let row = start;
  for (; row + 3 < end; row += 4) {
    const a = values[row] as number;
    const b = values[row + 1] as number;
    const c = values[row + 2] as number;
    const d = values[row + 3] as number;
    if (a < 0 || b < 0 || c < 0 || d < 0) return Number.NaN;
    one += a;
    two += b;
    three += c;
    four += d;
  }
  for (; row < end; row += 1) {
    const value = values[row] as number;
    if (value < 0) return Number.NaN;
    one += value;
  }
  return one + two + (three + four);
}
