import { HIGH_HALF } from '../frame/vector/high-half.js';

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** The digits of each half of 32 bits: 11, 11 and 10 bits. */
const SHIFTS = [0, DIGIT_BITS, 2 * DIGIT_BITS];

/** Amounts in order. The caller owns both arrays and may overwrite them. */
export interface SortedAmounts {
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
export function sortAmounts(amounts: Float64Array): SortedAmounts {
  let present = 1;
  const kept = new Float64Array(amounts.length + 1);
  for (let row = 0; row < amounts.length; row += 1) {
    const amount = amounts[row] as number;
    // Adding 0 turns -0, whose bits would sort last, into 0.
    if (!Number.isNaN(amount)) kept[present++] = amount + 0;
  }
  let sorted = kept.subarray(0, present);
  let spare = new Float64Array(present);
  for (const half of [1 - HIGH_HALF, HIGH_HALF]) {
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
  if (places[((halves[half] ?? 0) >>> shift) & (DIGITS - 1)] === from.length) return false;
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
