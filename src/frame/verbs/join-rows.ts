import { totalmem } from 'node:os';
import { UsageError } from '../../base/errors.js';
import type { KeyCodes } from './key-codes.js';
import { groupsOfKeys } from './row-groups.js';
import { type RowLists, rowLists } from './row-lists.js';

/** Rows that belong together, in the order of the left rows and within that of the right ones. */
export interface JoinedRows {
  readonly left: Uint32Array;
  /** -1 where there is none. */
  readonly right: Int32Array;
}

/** Which rows a join answers: matched pairs; also the left rows without a match; or those alone. */
export type JoinKind = 'inner' | 'left' | 'anti';

const MOST_ROWS = 2 ** 31;
/** Of the two lists of rows. */
const OWN_BYTES = 8;

/**
 * Matches left and right rows by keys.
 *
 * @param keys Codes of the left rows and after them the right ones. A row with a missing key matches none.
 * @param width The bytes that a joined row takes in its columns.
 * @throws {UsageError} If there are more pairs than a frame can hold, or half of this machine's memory.
 */
export function joinRows(
  leftRows: number,
  rightRows: number,
  keys: readonly KeyCodes[],
  kind: JoinKind,
  width: number,
): JoinedRows {
  const { groupOf, groups } = groupsOfKeys(leftRows + rightRows, keys);
  // Rows that lack a key are grouped with such rows alone, so that to leave them out on the right is enough.
  const lacksKey = (row: number) => keys.some(({ codes }) => (codes[leftRows + row] as number) < 0);
  const lists = rowLists(groupOf.subarray(leftRows), groups, lacksKey);
  const matchesOf = (row: number) => listLength(lists, groupOf[row] as number);
  const total = countRows(leftRows, matchesOf, kind);
  refuseTooMany(total, total * (OWN_BYTES + width));
  const joined: JoinedRows = { left: new Uint32Array(total), right: new Int32Array(total) };
  let at = 0;
  for (let row = 0; row < leftRows; row += 1) {
    const start = lists.starts[groupOf[row] as number] as number;
    const matches = matchesOf(row);
    const answered = rowsFor(matches, kind);
    for (let match = 0; match < answered; match += 1) {
      joined.left[at] = row;
      joined.right[at] = matches === 0 ? -1 : (lists.rows[start + match] as number);
      at += 1;
    }
  }
  return joined;
}

function listLength({ starts }: RowLists, group: number): number {
  return (starts[group + 1] as number) - (starts[group] as number);
}

/** How many rows a left row answers. */
function rowsFor(matches: number, kind: JoinKind): number {
  if (kind === 'anti') return matches === 0 ? 1 : 0;
  return kind === 'left' && matches === 0 ? 1 : matches;
}

function countRows(leftRows: number, matchesOf: (row: number) => number, kind: JoinKind): number {
  let total = 0;
  for (let row = 0; row < leftRows; row += 1) total += rowsFor(matchesOf(row), kind);
  return total;
}

/** Refuses before anything is allocated what would end in the system ending the process. */
function refuseTooMany(rows: number, bytes: number): void {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  if (rows < MOST_ROWS && bytes <= memory / 2) return;
  throw new UsageError(
    `The join would have ${rows} rows, which take ${gigabytes(bytes)} of this machine's ${gigabytes(memory)}: join by ` +
      'keys that tell the rows of one side apart.',
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
