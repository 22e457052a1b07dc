import { UsageError } from '../../base/errors.js';
import { knownOptions, noMore } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import { takeRows } from '../danfo/frame-from-vectors.js';
import { comparedColumn } from '../tabular/columns-of.js';
import type { ColumnName, DataFrame } from '../tabular/data-frame.js';
import { rowCount, type Tabular } from '../tabular/tabular.js';
import { bigIntegersOf, plainVector } from '../vector/plain-vector.js';
import { usedWords } from '../vector/text-vector.js';
import type { TextVector, Vector } from '../vector/vector.js';

/** A key for sorting: a column, ascending, or a column and its direction. */
export type SortKey<Row extends object> =
  | ColumnName<Row>
  | { readonly column: ColumnName<Row>; readonly descending?: boolean };

/**
 * The rows of a frame sorted by the first key, and where that is equal by the next. The sort is stable, and missing
 * values come last in either direction. Times are compared as moments, other text by code units, so that ids sort the
 * same everywhere, and exact amounts to the last digit.
 *
 * @returns A new frame, even if there is nothing to sort.
 * @throws {ColumnError} If the frame lacks a column, or one mixes kinds of values.
 * @throws {UsageError} If a key has an unknown option, or more is given than the keys.
 * @example sortBy(pnl, [{ column: 'pnl', descending: true }, 'date']);
 */
export function sortBy<Row extends object>(
  frame: DataFrame<Row>,
  keys: SortKey<Row> | readonly SortKey<Row>[],
): DataFrame<Row>;
export function sortBy<Row extends object>(
  frame: DataFrame<Row>,
  keys: SortKey<Row> | readonly SortKey<Row>[],
  ...others: readonly unknown[]
): DataFrame<Row> {
  if (others.length > 0)
    throw new UsageError(
      "sortBy() takes a frame and its keys alone: sort downwards by { column: 'pnl', descending: true }.",
    );
  const list: readonly SortKey<Row>[] = Array.isArray(keys) ? keys : [keys];
  const stated = list.map((key) => {
    if (typeof key !== 'object') return { column: key, descending: false };
    knownOptions('a key of sortBy', key, ['column', 'descending']);
    return { column: key.column, descending: key.descending ?? false };
  });
  return takeRows(frame, argSort(frame, stated));
}

/**
 * The rows with the greatest values of a column, greatest first; of equal values the earlier rows, missing values last.
 *
 * @param count The largest number of rows: a whole number from 0.
 * @returns A new frame; all rows, sorted, if there are fewer.
 * @throws {ColumnError} If the frame lacks the column, or it mixes kinds of values.
 * @throws {UsageError} If the count is not a whole number from 0.
 * @example topN(markets, 10, 'volume_total');
 */
export function topN<Row extends object>(frame: DataFrame<Row>, count: number, by: ColumnName<Row>): DataFrame<Row>;
export function topN<Row extends object>(
  frame: DataFrame<Row>,
  count: number,
  by: ColumnName<Row>,
  ...others: readonly unknown[]
): DataFrame<Row> {
  noMore(
    'topN',
    others,
    'a frame, a count and one column, the greatest first; sortBy takes several columns and directions',
  );
  if (!Number.isInteger(count) || count < 0) {
    throw new UsageError(`The count of topN must be a whole number from 0; got ${shownValue(count)}.`);
  }
  return takeRows(frame, argSort(frame, [{ column: by, descending: true }]).subarray(0, count));
}

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/** Rows up to which those that are equal so far are put in order one by one. */
const SHORT = 16;
/** Rows that are looked at to tell whether many are equal. */
const SAMPLE = 512;

/**
 * The order of a frame's rows by some columns, the first one deciding: row numbers. Stable; missing values last.
 *
 * Radix sort, so that the time grows with the rows alone. Of numbers the upper halves tell most rows apart: the lower
 * ones are looked at only where they don't, by which a million rows are ordered in half the time.
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
  if (!upper || words.length === 1 || mostlyTied(upper)) return sorted(rows, words).order;
  const { order, keys: uppers } = sorted(rows, [upper]);
  const lower = words.slice(0, -1).map(({ values }) => values);
  const places = settleShortTies(order, uppers, lower.toReversed());
  if (places.length > order.length / 4) return sorted(order, words).order;
  const tied = sorted(
    places.map((place) => order[place] as number),
    words,
  ).order;
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

/**
 * Rows by some words, the least significant first; where all are equal, in the order in which they came. The keys move
 * with their rows, so that each is fetched from its row once a word, and not twice a digit.
 *
 * @returns The rows in order, and the last word's value of each.
 */
function sorted(rows: Uint32Array, words: readonly SortWord[]): { order: Uint32Array; keys: Uint32Array } {
  let [keys, spareKeys] = [new Uint32Array(rows.length), new Uint32Array(rows.length)];
  let [order, spare] = [rows.slice(), new Uint32Array(rows.length)];
  for (const { values, bits } of words) {
    fetchKeys(values, order, keys);
    for (let shift = 0; shift < bits; shift += DIGIT_BITS) {
      const counts = countDigits(keys, shift);
      if (counts.includes(order.length)) continue;
      moveByDigit(keys, shift, order, spareKeys, spare, startsOf(counts));
      [order, spare] = [spare, order];
      [keys, spareKeys] = [spareKeys, keys];
    }
  }
  return { order, keys };
}

// Of each function one loop, over arrays alone: so the first call runs at full speed, and the code for it outlives the
// sort, which V8 would throw away along with the last object of a shape that it was made for.

function countedUp(many: number): Uint32Array {
  const rows = new Uint32Array(many);
  for (let row = 0; row < many; row += 1) rows[row] = row;
  return rows;
}

/**
 * Puts rows in order that have a word in common with a few beside them, by their other words, the first one deciding.
 *
 * @param uppers That word of each row in the order.
 * @returns The places of the other rows that have it in common, with many.
 */
function settleShortTies(order: Uint32Array, uppers: Uint32Array, words: readonly Uint32Array[]): Uint32Array {
  const places = new Uint32Array(order.length);
  let many = 0;
  let from = 0;
  for (let to = 1; to <= order.length; to += 1) {
    if (to < order.length && uppers[to] === uppers[from]) continue;
    if (to - from > SHORT) for (let place = from; place < to; place += 1) places[many++] = place;
    else for (let place = from + 1; place < to; place += 1) insertAt(order, from, place, words);
    from = to;
  }
  return places.slice(0, many);
}

/** Moves the row at a place to where it belongs among those before it, which are in order. */
function insertAt(order: Uint32Array, from: number, place: number, words: readonly Uint32Array[]): void {
  const row = order[place] as number;
  let at = place;
  while (at > from && isBefore(row, order[at - 1] as number, words)) {
    order[at] = order[at - 1] as number;
    at -= 1;
  }
  order[at] = row;
}

function isBefore(row: number, other: number, words: readonly Uint32Array[]): boolean {
  for (let at = 0; at < words.length; at += 1) {
    const values = words[at] as Uint32Array;
    const [own, others] = [values[row] as number, values[other] as number];
    if (own !== others) return own < others;
  }
  return false;
}

function fetchKeys(values: Uint32Array, rows: Uint32Array, keys: Uint32Array): void {
  for (let at = 0; at < rows.length; at += 1) keys[at] = values[rows[at] as number] as number;
}

function countDigits(keys: Uint32Array, shift: number): Uint32Array {
  const counts = new Uint32Array(DIGITS);
  for (let at = 0; at < keys.length; at += 1) {
    const digit = ((keys[at] as number) >>> shift) & (DIGITS - 1);
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

function moveByDigit(
  keys: Uint32Array,
  shift: number,
  rows: Uint32Array,
  toKeys: Uint32Array,
  toRows: Uint32Array,
  next: Uint32Array,
): void {
  for (let at = 0; at < rows.length; at += 1) {
    const key = keys[at] as number;
    const digit = (key >>> shift) & (DIGITS - 1);
    const goal = next[digit] as number;
    toRows[goal] = rows[at] as number;
    toKeys[goal] = key;
    next[digit] = goal + 1;
  }
}

/** Part of a sort key: unsigned integers that sort as the values do. */
interface SortWord {
  readonly values: Uint32Array;
  /** Bits that may be set. */
  readonly bits: number;
}

/**
 * A column as unsigned words, the least significant first, whose order is the order of its values: -0 equals 0, text
 * by code units, false before true, missing values last in either direction.
 *
 * @param name The column's, for the error.
 * @throws {ColumnError} If it mixes kinds of values.
 */
function sortWords(name: string, vector: Vector, descending: boolean): SortWord[] {
  const integers = bigIntegersOf(vector);
  if (integers) return [integerRanks(integers, descending)];
  const plain = plainVector(name, vector);
  switch (plain.kind) {
    case 'number':
      return doubleWords(plain.values, descending);
    case 'micros':
      return exactWords(plain.values, descending);
    case 'text':
      return [textRanks(plain, descending)];
    default: {
      const ranks = descending ? [2, 1, 0] : [2, 0, 1];
      return [{ values: Uint32Array.from(plain.values, (value) => ranks[value + 1] as number), bits: 2 }];
    }
  }
}

/** Doubles sort as their bits once negative ones are turned round and the others stand above them. */
function doubleWords(doubles: Float64Array, descending: boolean): SortWord[] {
  const halves = new Uint32Array(doubles.buffer, doubles.byteOffset, doubles.length * 2);
  const [high, low] = [new Uint32Array(doubles.length), new Uint32Array(doubles.length)];
  const turn = descending ? -1 : 0;
  for (let row = 0; row < doubles.length; row += 1) {
    const value = doubles[row] as number;
    if (Number.isNaN(value)) {
      high[row] = low[row] = 0xffffffff;
      continue;
    }
    // Of the halves, -0 would stand apart from 0.
    const upper = value === 0 ? 0 : (halves[2 * row + 1] as number);
    const flip = upper >> 31;
    high[row] = upper ^ (flip | 0x80000000) ^ turn;
    low[row] = (halves[2 * row] as number) ^ flip ^ turn;
  }
  return wordsOf(low, high);
}

/** From the least integer, which stands for what is missing; one less, that becomes the greatest word. */
function exactWords(micros: BigInt64Array, descending: boolean): SortWord[] {
  const halves = new Uint32Array(micros.buffer, micros.byteOffset, micros.length * 2);
  const [high, low] = [new Uint32Array(micros.length), new Uint32Array(micros.length)];
  for (let row = 0; row < micros.length; row += 1) {
    const upper = (halves[2 * row + 1] as number) ^ 0x80000000;
    const lower = halves[2 * row] as number;
    high[row] = descending ? ~upper : lower === 0 ? upper - 1 : upper;
    low[row] = descending ? ~lower : lower - 1;
  }
  return wordsOf(low, high);
}

function wordsOf(...words: Uint32Array[]): SortWord[] {
  return words.map((values) => ({ values, bits: 32 }));
}

function integerRanks(integers: readonly (bigint | null)[], descending: boolean): SortWord {
  const distinct = [...new Set(integers.filter((value) => value !== null))];
  const sorted = distinct.sort((a, b) => (a < b === descending ? 1 : -1));
  const places = new Map(sorted.map((value, place) => [value, place]));
  const missing = sorted.length;
  const values = Uint32Array.from(integers, (value) => (value === null ? missing : (places.get(value) ?? missing)));
  return { values, bits: 32 - Math.clz32(missing) };
}

function textRanks(vector: TextVector, descending: boolean): SortWord {
  const { codes, words } = usedWords(vector);
  const sorted = words.slice().sort();
  const places = new Map(sorted.map((word, place) => [word, descending ? sorted.length - 1 - place : place]));
  const rankOf = Uint32Array.from(words, (word) => places.get(word) as number);
  const values = new Uint32Array(codes.length);
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] as number;
    values[row] = code < 0 ? sorted.length : (rankOf[code] as number);
  }
  return { values, bits: 32 - Math.clz32(sorted.length) };
}
