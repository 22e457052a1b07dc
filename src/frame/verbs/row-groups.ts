import { comparedColumn } from '../tabular/columns-of.js';
import { rowCount, type Tabular } from '../tabular/tabular.js';
import { plainVector } from '../vector/plain-vector.js';
import { distinctWords } from '../vector/text-vector.js';
import type { Vector } from '../vector/vector.js';

/** Rows told apart by group. */
export interface RowGroups {
  /** The number of its group, a row; groups are numbered in the order in which they first appear. */
  readonly groupOf: Uint32Array;
  readonly groups: number;
  /** The first row of each group, ascending. */
  readonly firstRows: Uint32Array;
}

/** Slots up to which, or to four times the rows, a table of all combinations of keys is worth its room. */
const DENSE = 1 << 20;

/**
 * Groups the rows of a frame by the values of some columns; a missing value is a value like others. By no column, all
 * rows are one group.
 *
 * @throws {ColumnError} If the frame lacks a column, or one mixes kinds of values.
 */
export function rowGroups(frame: Tabular, names: readonly string[]): RowGroups {
  const keys = names.map((name) => keyCodes(name, comparedColumn(frame, name)));
  return groupsOfKeys(rowCount(frame), keys);
}

/** Groups rows by codes that are known already; see {@link rowGroups}. */
export function groupsOfKeys(rows: number, keys: readonly KeyCodes[]): RowGroups {
  const whole: RowGroups = {
    groupOf: new Uint32Array(rows),
    groups: Math.min(rows, 1),
    firstRows: new Uint32Array(Math.min(rows, 1)),
  };
  return keys.reduce(refineGroups, whole);
}

/** Splits each group by one more key. */
export function refineGroups(within: RowGroups, key: KeyCodes): RowGroups {
  const rows = within.groupOf.length;
  const slots = within.groups * (key.count + 1);
  if (slots <= Math.max(DENSE, 4 * rows)) return refineDensely(within, key, slots);
  const { codes, firstRows } = pairCodes(within.groupOf, key.codes);
  return { groupOf: new Uint32Array(codes.buffer), groups: firstRows.length, firstRows: Uint32Array.from(firstRows) };
}

function refineDensely({ groupOf }: RowGroups, { codes, count }: KeyCodes, slots: number): RowGroups {
  const width = count + 1;
  const known = new Uint32Array(slots);
  const refined = new Uint32Array(groupOf.length);
  const firstRows: number[] = [];
  for (let row = 0; row < refined.length; row += 1) {
    const slot = (groupOf[row] as number) * width + (codes[row] as number) + 1;
    const number = known[slot] as number;
    if (number > 0) {
      refined[row] = number - 1;
      continue;
    }
    refined[row] = firstRows.length;
    firstRows.push(row);
    known[slot] = firstRows.length;
  }
  return { groupOf: refined, groups: firstRows.length, firstRows: Uint32Array.from(firstRows) };
}

/** The values of a column as small integers: equal values have equal codes. */
export interface KeyCodes {
  /** From 0, below `count`; -1 where a value is missing. */
  readonly codes: Int32Array;
  /** May be greater than the number of distinct values. */
  readonly count: number;
}

/** A span of integers up to which, or to four times the rows, a table indexed by them is worth its room. */
const NARROW = 1 << 16;

/**
 * Codes a column, so that groups, joins and counts of distinct values compare integers. Every value equals itself
 * alone, except that -0 equals 0. Times are to come as `comparedVector` gives them.
 *
 * @param name The column's, for the error.
 * @throws {ColumnError} If it mixes kinds of values.
 */
export function keyCodes(name: string, vector: Vector): KeyCodes {
  const plain = plainVector(name, vector);
  switch (plain.kind) {
    case 'text': {
      const { codes, words } = distinctWords(plain);
      return { codes, count: words.length };
    }
    case 'boolean':
      return { codes: Int32Array.from(plain.values), count: 2 };
    case 'number':
      return integerCodes(plain.values) ?? bitCodes(plain.values);
    default:
      return bitCodes(plain.values);
  }
}

/** Integers within a narrow span are their own codes. */
function integerCodes(values: Float64Array): KeyCodes | undefined {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    if (!Number.isInteger(value)) return undefined;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  if (greatest < least) return { codes: new Int32Array(values.length).fill(-1), count: 0 };
  if (greatest - least >= Math.max(NARROW, 4 * values.length)) return undefined;
  const codes = new Int32Array(values.length);
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    codes[row] = Number.isNaN(value) ? -1 : value - least;
  }
  return { codes, count: greatest - least + 1 };
}

function bitCodes(values: Float64Array | BigInt64Array): KeyCodes {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  const exact = values instanceof BigInt64Array;
  const [high, low] = [new Uint32Array(values.length), new Uint32Array(values.length)];
  const missing = new Uint8Array(values.length);
  for (let row = 0; row < values.length; row += 1) {
    const upper = bits[2 * row + 1] as number;
    const lower = bits[2 * row] as number;
    // Alone, the sign bit is -0 as a double, and stands for a missing value as an integer.
    const signAlone = upper === 0x80000000 && lower === 0;
    high[row] = signAlone ? 0 : upper;
    low[row] = lower;
    if (exact ? signAlone : isNaNBits(upper, lower)) missing[row] = 1;
  }
  const { codes, firstRows } = pairCodes(high, low, missing);
  return { codes, count: firstRows.length };
}

function isNaNBits(upper: number, lower: number): boolean {
  const magnitude = upper & 0x7fffffff;
  return magnitude > 0x7ff00000 || (magnitude === 0x7ff00000 && lower !== 0);
}

/** Pairs of numbers, each pair with a number of its own. */
interface PairCodes {
  /** From 0, in the order in which the pairs first appear. */
  readonly codes: Int32Array;
  /** The first row of each pair. */
  readonly firstRows: number[];
}

type Words = Uint32Array | Int32Array;

const FIRST_SLOTS = 1 << 12;

/**
 * Numbers the distinct pairs of 32-bit words by open addressing, in a table that grows with them.
 *
 * @param skipped Rows to leave out (1), whose code is -1. Default none.
 */
function pairCodes(high: Words, low: Words, skipped?: Uint8Array): PairCodes {
  const codes = new Int32Array(high.length);
  const firstRows: number[] = [];
  let slots = new Int32Array(FIRST_SLOTS);
  for (let row = 0; row < codes.length; row += 1) {
    if (skipped?.[row] === 1) {
      codes[row] = -1;
      continue;
    }
    const slot = slotOf(high, low, row, slots, firstRows);
    const known = slots[slot] as number;
    if (known > 0) {
      codes[row] = known - 1;
      continue;
    }
    codes[row] = firstRows.length;
    firstRows.push(row);
    slots[slot] = firstRows.length;
    if (firstRows.length * 2 > slots.length) slots = grown(high, low, slots.length * 2, firstRows);
  }
  return { codes, firstRows };
}

/** Where a row's pair stands in the table, or the empty slot for it. Slots hold code + 1. */
function slotOf(high: Words, low: Words, row: number, slots: Int32Array, firstRows: readonly number[]): number {
  const mask = slots.length - 1;
  const [a, b] = [high[row] as number, low[row] as number];
  const mixed = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b);
  let slot = (mixed ^ (mixed >>> 15)) & mask;
  for (;;) {
    const known = slots[slot] as number;
    if (known === 0) return slot;
    const first = firstRows[known - 1] as number;
    if (high[first] === a && low[first] === b) return slot;
    slot = (slot + 1) & mask;
  }
}

function grown(high: Words, low: Words, size: number, firstRows: readonly number[]): Int32Array<ArrayBuffer> {
  const slots = new Int32Array(size);
  for (let code = 0; code < firstRows.length; code += 1) {
    slots[slotOf(high, low, firstRows[code] as number, slots, firstRows)] = code + 1;
  }
  return slots;
}

/** The rows of each group: those of group g stand in `rows` from `starts[g]` to `starts[g + 1]`, in their order. */
export interface RowLists {
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
}

/**
 * Lists the rows of each group.
 *
 * @param skips Whether to leave a row out.
 */
export function rowLists(groupOf: Uint32Array, groups: number, skips: (row: number) => boolean): RowLists {
  const starts = new Uint32Array(groups + 1);
  for (let row = 0; row < groupOf.length; row += 1) {
    const next = (groupOf[row] as number) + 1;
    if (!skips(row)) starts[next] = (starts[next] as number) + 1;
  }
  for (let group = 0; group < groups; group += 1) {
    starts[group + 1] = (starts[group + 1] as number) + (starts[group] as number);
  }
  const rows = new Uint32Array(starts[groups] as number);
  const ends = starts.slice();
  for (let row = 0; row < groupOf.length; row += 1) {
    const group = groupOf[row] as number;
    if (skips(row)) continue;
    const place = ends[group] as number;
    rows[place] = row;
    ends[group] = place + 1;
  }
  return { starts, rows };
}
