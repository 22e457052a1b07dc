import type { Tabular } from '../tabular.js';
import { comparedColumn } from '../vector/compared-vector.js';
import { type SortWord, sortWords } from './sort-words.js';

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/**
 * The order of a frame's rows by some columns, the first one deciding: row numbers. Stable; missing values last.
 *
 * Radix sort from the least significant digit of the last key to the most significant of the first, so that the time
 * grows with the rows alone.
 *
 * @throws {ColumnError} If the frame lacks a column, or one mixes kinds of values.
 */
export function argSort(
  frame: Tabular,
  keys: readonly { readonly column: string; readonly descending: boolean }[],
): Uint32Array {
  const words = keys
    .toReversed()
    .flatMap((key) => sortWords(key.column, comparedColumn(frame, key.column), key.descending));
  let order = new Uint32Array(frame.shape[0] ?? 0);
  for (let row = 0; row < order.length; row += 1) order[row] = row;
  let spare = new Uint32Array(order.length);
  for (const word of words) {
    for (let shift = 0; shift < word.bits; shift += DIGIT_BITS) {
      if (scatter(word, shift, order, spare)) [order, spare] = [spare, order];
    }
  }
  return order;
}

/** Moves rows from one order to another by one digit; answers whether there was anything to move. */
function scatter({ values }: SortWord, shift: number, from: Uint32Array, to: Uint32Array): boolean {
  const places = new Uint32Array(DIGITS);
  const mask = DIGITS - 1;
  for (let row = 0; row < values.length; row += 1) {
    const digit = ((values[row] as number) >>> shift) & mask;
    places[digit] = (places[digit] as number) + 1;
  }
  if (places[((values[0] ?? 0) >>> shift) & mask] === values.length) return false;
  let place = 0;
  for (let digit = 0; digit < DIGITS; digit += 1) {
    const many = places[digit] as number;
    places[digit] = place;
    place += many;
  }
  for (let at = 0; at < from.length; at += 1) {
    const row = from[at] as number;
    const digit = ((values[row] as number) >>> shift) & mask;
    const goal = places[digit] as number;
    to[goal] = row;
    places[digit] = goal + 1;
  }
  return true;
}
