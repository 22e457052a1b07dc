import { rowCount } from '../row-count.js';
import type { Tabular } from '../tabular.js';
import { comparedColumn } from '../vector/compared-vector.js';
import { type SortWord, sortWords } from './sort-words.js';

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/** Rows that are looked at to tell whether many are equal. */
const SAMPLE = 512;

/**
 * The order of a frame's rows by some columns, the first one deciding: row numbers. Stable; missing values last.
 *
 * Radix sort, so that the time grows with the rows alone. Of numbers the upper halves tell most rows apart: the lower
 * ones are looked at only where they don't.
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
  const rows = countedUp(rowCount(frame));
  const upper = words.at(-1);
  if (!upper || words.length === 1 || mostlyTied(upper)) return sorted(rows, words);
  const order = sorted(rows, [upper]);
  const places = placesOfTies(order, upper.values);
  if (places.length > order.length / 4) return sorted(order, words);
  const tied = sorted(
    places.map((place) => order[place] as number),
    words,
  );
  for (let at = 0; at < places.length; at += 1) order[places[at] as number] = tied[at] as number;
  return order;
}

/** Whether a few hundred rows have so many equal values that most of all rows will have. */
function mostlyTied({ values }: SortWord): boolean {
  const step = Math.ceil(values.length / SAMPLE) || 1;
  const seen = new Set<number>();
  let looked = 0;
  for (let row = 0; row < values.length; row += step) {
    seen.add(values[row] as number);
    looked += 1;
  }
  return seen.size < 0.9 * looked;
}

/** Rows by some words, the least significant first; where all are equal, in the order in which they came. */
function sorted(rows: Uint32Array, words: readonly SortWord[]): Uint32Array {
  let [order, spare] = [rows.slice(), new Uint32Array(rows.length)];
  for (const { values, bits } of words) {
    for (let shift = 0; shift < bits; shift += DIGIT_BITS) {
      const counts = countDigits(values, shift, order);
      if (counts.includes(order.length)) continue;
      moveByDigit(values, shift, order, spare, startsOf(counts));
      [order, spare] = [spare, order];
    }
  }
  return order;
}

// Of each function one loop, over arrays alone: so the first call runs at full speed, and the code for it outlives the
// sort, which V8 would throw away along with the last object of a shape that it was made for.

function countedUp(many: number): Uint32Array {
  const rows = new Uint32Array(many);
  for (let row = 0; row < many; row += 1) rows[row] = row;
  return rows;
}

/** The places in an order by a word at which rows stand that have it in common with one beside them. */
function placesOfTies(order: Uint32Array, values: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  let many = 0;
  let wasTied = false;
  for (let at = 0; at < order.length; at += 1) {
    const isTied = at + 1 < order.length && values[order[at] as number] === values[order[at + 1] as number];
    if (isTied || wasTied) {
      places[many] = at;
      many += 1;
    }
    wasTied = isTied;
  }
  return places.slice(0, many);
}

function countDigits(values: Uint32Array, shift: number, rows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(DIGITS);
  for (let at = 0; at < rows.length; at += 1) {
    const digit = ((values[rows[at] as number] as number) >>> shift) & (DIGITS - 1);
    counts[digit] = (counts[digit] as number) + 1;
  }
  return counts;
}

/** Where the rows of each digit begin, the digits one behind the other. */
function startsOf(counts: Uint32Array): Uint32Array {
  let start = 0;
  return counts.map((count) => {
    start += count;
    return start - count;
  });
}

function moveByDigit(values: Uint32Array, shift: number, from: Uint32Array, to: Uint32Array, next: Uint32Array): void {
  for (let at = 0; at < from.length; at += 1) {
    const row = from[at] as number;
    const digit = ((values[row] as number) >>> shift) & (DIGITS - 1);
    const goal = next[digit] as number;
    to[goal] = row;
    next[digit] = goal + 1;
  }
}
