import { ColumnError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { numericVector, type Tabular } from '../../frame/tabular/tabular.js';
import { doublesOf } from '../../frame/vector/plain-vector.js';
import { type RowGroups, rowGroups } from '../../frame/verbs/row-groups.js';
import { groupTotals } from '../statistics/sums.js';

/**
 * A column of amounts, which must be neither negative nor infinite; NaN where missing. Not a copy: never change it.
 *
 * @throws {ColumnError} If the column is missing, not numeric, or an amount is negative or infinite.
 */
export function amountsOf(frame: Tabular, name: string): Float64Array {
  const amounts = doublesOf(numericVector(frame, name));
  const unfit = firstUnfit(amounts);
  if (unfit >= 0) refuseAmount(name, amounts[unfit] as number, unfit);
  return amounts;
}

/** The first row whose amount is negative or infinite; -1 where there is none. */
function firstUnfit(amounts: Float64Array): number {
  for (let row = 0; row < amounts.length; row += 1) {
    const amount = amounts[row] as number;
    if (amount < 0 || amount === Number.POSITIVE_INFINITY) return row;
  }
  return -1;
}

/**
 * The amounts that are not missing, or their sums by group, from least to greatest.
 *
 * @param by The column to group by; rows without a value there form one group. Groups without any amount are left out.
 *   Undefined: no grouping.
 * @throws {ColumnError} If a column is missing, not numeric, or an amount is negative or infinite.
 */
export function sortedAmounts(frame: Tabular, name: string, by: string | undefined): SortedAmounts {
  const amounts = amountsOf(frame, name);
  return sortAmounts(by === undefined ? amounts : presentTotals(amounts, rowGroups(frame, [by])));
}

/** Sums by group; NaN for a group without any amount. */
function presentTotals(amounts: Float64Array, groups: RowGroups): Float64Array {
  const totals = groupTotals(amounts, groups);
  const isPresent = new Uint8Array(totals.length);
  for (let row = 0; row < amounts.length; row += 1) {
    if (!Number.isNaN(amounts[row])) isPresent[groups.groupOf[row] as number] = 1;
  }
  return totals.map((total, group) => (isPresent[group] === 1 ? total : Number.NaN));
}

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** The digits of each half of 32 bits: 11, 11 and 10 bits. */
const SHIFTS = [0, DIGIT_BITS, 2 * DIGIT_BITS];

/** Amounts in order. The caller owns both arrays and may overwrite them. */
interface SortedAmounts {
  /** A 0, for cumulative sums to start from, then the amounts from least to greatest. */
  readonly sorted: Float64Array;
  /** An array of the same length with arbitrary content. */
  readonly spare: Float64Array;
}

/**
 * Sorts amounts from least to greatest, without missing ones. The bits of nonnegative doubles sort like the doubles
 * themselves, so a radix sort takes the same few steps per row for any number of rows.
 *
 * @param amounts Not negative; NaN where missing. Not changed.
 */
function sortAmounts(amounts: Float64Array): SortedAmounts {
  let present = 1;
  const kept = new Float64Array(amounts.length + 1);
  for (let row = 0; row < amounts.length; row += 1) {
    const amount = amounts[row] as number;
    // Adding 0 turns -0, whose bits would sort last, into 0.
    if (!Number.isNaN(amount)) kept[present++] = amount + 0;
  }
  let sorted = kept.subarray(0, present);
  let spare = new Float64Array(present);
  for (const half of [0, 1]) {
    for (const shift of SHIFTS) if (scatter(sorted, spare, half, shift)) [sorted, spare] = [spare, sorted];
  }
  return { sorted, spare };
}

/** Sorts amounts by one digit into `to`; returns false, without writing, if all share that digit. */
function scatter(from: Float64Array, to: Float64Array, half: number, shift: number): boolean {
  const halves = new Uint32Array(from.buffer, from.byteOffset, from.length * 2);
  const places = new Uint32Array(DIGITS);
  for (let at = half; at < halves.length; at += 2) {
    const digit = ((halves[at] as number) >>> shift) & (DIGITS - 1);
    places[digit] = (places[digit] as number) + 1;
  }
  if (places[(itemAt(halves, half) >>> shift) & (DIGITS - 1)] === from.length) return false;
  let place = 0;
  for (let digit = 0; digit < DIGITS; digit += 1) {
    const many = places[digit] as number;
    places[digit] = place;
    place += many;
  }
  for (let at = 0; at < from.length; at += 1) {
    const digit = ((halves[2 * at + half] as number) >>> shift) & (DIGITS - 1);
    const goal = places[digit] as number;
    to[goal] = from[at] as number;
    places[digit] = goal + 1;
  }
  return true;
}

/**
 * Refuses a number that cannot be an amount or a count.
 *
 * @param row The row that holds it.
 * @throws {ColumnError} Always; the message calls the number infinite or, otherwise, negative.
 */
export function refuseAmount(name: string, amount: number, row: number): never {
  const fault = Math.abs(amount) === Number.POSITIVE_INFINITY ? 'infinite' : 'negative';
  throw new ColumnError(
    `The column "${name}" holds ${amount} in row ${row}, counted from 0, but it must not be ${fault}.`,
  );
}

/**
 * Refuses a column with an infinite number.
 *
 * @throws {ColumnError} If a number is infinite.
 */
export function refuseInfinite(name: string, values: Float64Array): void {
  const row = values.findIndex((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
  if (row >= 0) refuseAmount(name, values[row] as number, row);
}
