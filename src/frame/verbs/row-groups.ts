import { rowCount } from '../row-count.js';
import type { Tabular } from '../tabular.js';
import { comparedColumn } from '../vector/compared-vector.js';
import { type KeyCodes, keyCodes } from './key-codes.js';
import { pairCodes } from './pair-codes.js';

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
