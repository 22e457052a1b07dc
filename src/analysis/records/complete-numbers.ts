import { itemAt } from '../../base/item-at.js';
import { numericVector, type Tabular } from '../../frame/tabular/tabular.js';
import { doublesOf } from '../../frame/vector/plain-vector.js';
import type { RowGroups } from '../../frame/verbs/row-groups.js';
import { groupTotals, sum } from '../statistics/sums.js';
import { refuseAmount } from './amounts.js';

/** Some columns' numbers in the rows where none of them is missing. */
export interface CompleteNumbers {
  /** One array per column asked for. It may be the frame's own: never change it. */
  readonly values: readonly Float64Array[];
  /** The row numbers in the frame that the numbers come from. */
  readonly rows: Int32Array;
}

/**
 * Numeric columns without the rows in which any of them is missing.
 *
 * @param names The columns.
 * @param options.counts Those of the columns that must not be negative, such as counts and costs.
 * @throws {ColumnError} If a column is missing, not numeric, infinite, or negative where it must not be.
 */
export function completeNumbers(
  frame: Tabular,
  names: readonly string[],
  { counts = [] }: { counts?: readonly string[] } = {},
): CompleteNumbers {
  const columns = names.map((name) => doublesOf(numericVector(frame, name)));
  const length = frame.shape[0] ?? 0;
  const leastOf = (name: string) => (counts.includes(name) ? 0 : -Number.MAX_VALUE);
  const gappy = columns.filter((values, at) => lacksOne(values, leastOf(itemAt(names, at))));
  if (gappy.length === 0) return allRows(columns, length);
  const rows = everyRow(length).filter((row) => gappy.every((values) => !Number.isNaN(values[row])));
  const values = columns.map((all) => (rows.length === length ? all : pick(all, rows)));
  for (const [at, name] of names.entries()) refuseUnfit(name, values[at], rows, leastOf(name));
  return { values, rows };
}

/** Numbers of whole columns. `rows` is made on first access, since many measures never read it. */
function allRows(values: readonly Float64Array[], length: number): CompleteNumbers {
  let rows: Int32Array | undefined;
  return {
    values,
    get rows() {
      rows ??= everyRow(length);
      return rows;
    },
  };
}

/** All row numbers, in order. */
export function everyRow(length: number): Int32Array {
  const rows = new Int32Array(length);
  for (let row = 0; row < length; row += 1) rows[row] = row;
  return rows;
}

/** Whether a value is missing, infinite, or less than it may be. */
function lacksOne(values: Float64Array, least: number): boolean {
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    if (!(value >= least && value <= Number.MAX_VALUE)) return true;
  }
  return false;
}

function pick(all: Float64Array, rows: Int32Array): Float64Array {
  const picked = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) picked[at] = all[rows[at] as number] as number;
  return picked;
}

function refuseUnfit(name: string, values: Float64Array | undefined, rows: Int32Array, least: number): void {
  if (values === undefined) return;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as number;
    if (!(value >= least && value <= Number.MAX_VALUE)) refuseAmount(name, value, rows[at] as number);
  }
}

/**
 * The sum of each numeric column over the rows where none is missing, with the rounding errors of additions corrected.
 *
 * @param counts Those of the columns that must not be negative.
 * @throws {ColumnError} As {@link completeNumbers} does.
 */
export function completeTotals(frame: Tabular, names: readonly string[], counts: readonly string[]): number[] {
  const columns = names.map((name) => doublesOf(numericVector(frame, name)));
  // A missing or infinite value shows in the sums. Only then are rows checked one by one.
  if (columns.every((values, at) => !counts.includes(itemAt(names, at)) || isNeverNegative(values))) {
    const totals = columns.map(sum);
    if (totals.every(Number.isFinite)) return totals;
  }
  return completeNumbers(frame, names, { counts }).values.map(sum);
}

/**
 * The sums of {@link completeTotals} of each group, in one pass over the rows, however many groups there are.
 *
 * @returns One array per column, with one sum per group.
 * @throws {ColumnError} As {@link completeNumbers} does.
 */
export function completeTotalsOf(
  { groupOf, groups }: Pick<RowGroups, 'groupOf' | 'groups'>,
  frame: Tabular,
  names: readonly string[],
  counts: readonly string[],
): Float64Array[] {
  const { values, rows } = completeNumbers(frame, names, { counts });
  const isWhole = rows.length === groupOf.length;
  const groupOfValue = isWhole ? groupOf : Uint32Array.from(rows, (row) => groupOf[row] as number);
  return values.map((all) => groupTotals(all, { groupOf: groupOfValue, groups }));
}

/**
 * The same as {@link completeTotals} for columns of counts, which must not be negative. Whole numbers add up exactly in any order.
 *
 * @throws {ColumnError} As {@link completeNumbers} does.
 */
export function completeCounts(frame: Tabular, names: readonly string[]): number[] {
  const columns = names.map((name) => doublesOf(numericVector(frame, name)));
  const totals = columns.map((values) => (isNeverNegative(values) ? countOf(values) : Number.NaN));
  if (totals.every(Number.isFinite)) return totals;
  return completeNumbers(frame, names, { counts: names }).values.map(countOf);
}

/** Columns known to have no negative number. Vectors never change, so each is checked only once. */
const neverNegative = new WeakSet<Float64Array>();

/** From how many rows on a column is remembered. */
const REMEMBERED = 1024;

function isNeverNegative(values: Float64Array): boolean {
  if (neverNegative.has(values)) return true;
  if (values.some((value) => value < 0)) return false;
  // A hundred thousand short columns, as of groups, take longer to remember than to check again.
  if (values.length >= REMEMBERED) neverNegative.add(values);
  return true;
}

const BLOCK = 16_384;

/** The sum of counts, block by block: a win rate, which is little else, takes a third of what one plain loop takes. */
function countOf(values: Float64Array): number {
  const whole = values.length - (values.length % BLOCK);
  let total = 0;
  for (let start = 0; start < whole; start += BLOCK) total += blockCount(values.subarray(start, start + BLOCK));
  return total + sum(values.subarray(whole));
}

/** The sum of a block: four independent sums, which the processor adds in parallel. */
function blockCount(values: Float64Array): number {
  let one = 0;
  let two = 0;
  let three = 0;
  let four = 0;
  // The length as a literal: a loop whose end the compiler knows takes two thirds of the time.
  for (let row = 0; row < 16_384; row += 4) {
    one += values[row] as number;
    two += values[row + 1] as number;
    three += values[row + 2] as number;
    four += values[row + 3] as number;
  }
  return one + two + (three + four);
}
