import { groupsOfKeys, type KeyCodes, type RowLists, rowLists } from './row-groups.js';
import { refuseTooMany } from './row-limit.js';

/**
 * Which rows a join answers: matched pairs (`inner`); also the left rows without a match (`left`), the right ones
 * (`right`) or both (`outer`); the left rows with a match (`semi`) or without one (`anti`), each once.
 */
export type JoinKind = 'inner' | 'left' | 'right' | 'outer' | 'semi' | 'anti';

/** Rows that belong together. Each is -1 where there is none. */
export interface JoinedRows {
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Rows of the side whose order counts that match several of the other side. */
  readonly multiplied: number;
  /** Whether rows were multiplied, and a key stands several times on the side whose order counts, too. */
  readonly hasRepeats: boolean;
}

/** Rows of the one side and of the other, whose keys follow on each other. */
interface Sides {
  readonly leftRows: number;
  readonly rightRows: number;
}

/** Of the two lists of rows. */
const OWN_BYTES = 8;

/**
 * Matches left and right rows by keys, in the order of the left rows and within that of the right ones; a `right` join
 * in the order of the right rows and within that of the left ones; an `outer` one has the right rows without a match
 * behind all others.
 *
 * @param keys Codes of the left rows and after them the right ones. A row with a missing key matches none.
 * @param width The bytes that a joined row takes in its columns.
 * @throws {UsageError} If there are more pairs than a frame can hold, or half of this machine's memory.
 */
export function joinRows(
  { leftRows, rightRows }: Sides,
  keys: readonly KeyCodes[],
  kind: JoinKind,
  width: number,
): JoinedRows {
  const { groupOf, groups } = groupsOfKeys(leftRows + rightRows, keys);
  const lacksKey = (row: number) => keys.some(({ codes }) => (codes[row] as number) < 0);
  const left = { from: 0, groupOf: groupOf.subarray(0, leftRows) };
  const right = { from: leftRows, groupOf: groupOf.subarray(leftRows) };
  const [one, other] = kind === 'right' ? [right, left] : [left, right];
  // Rows that lack a key are grouped with such rows alone, so that to leave them out on one side is enough.
  const lists = rowLists(other.groupOf, groups, (row) => lacksKey(other.from + row));
  const alone = kind === 'outer' ? unmatched(one.groupOf, other.groupOf, lists) : new Uint32Array();
  const { total, multiplied } = countRows(one.groupOf, lists, kind);
  refuseTooMany('The join', total + alone.length, OWN_BYTES + width);
  const [ones, others] = [new Int32Array(total + alone.length), new Int32Array(total + alone.length)];
  let at = 0;
  for (let row = 0; row < one.groupOf.length; row += 1) {
    const group = one.groupOf[row] as number;
    const start = lists.starts[group] as number;
    const matches = (lists.starts[group + 1] as number) - start;
    const answered = rowsFor(matches, kind);
    for (let match = 0; match < answered; match += 1) {
      ones[at] = row;
      others[at] = matches === 0 ? -1 : (lists.rows[start + match] as number);
      at += 1;
    }
  }
  ones.fill(-1, at);
  others.set(alone, at);
  const hasRepeats = multiplied > 0 && standsTwice(one.groupOf, groups, (row) => lacksKey(one.from + row));
  const counts = { multiplied, hasRepeats };
  return kind === 'right' ? { left: others, right: ones, ...counts } : { left: ones, right: others, ...counts };
}

/** Whether two rows have the same key; one that is missing is none. */
function standsTwice(groupOf: Uint32Array, groups: number, lacksKey: (row: number) => boolean): boolean {
  const seen = new Uint8Array(groups);
  return groupOf.some((group, row) => {
    if (lacksKey(row)) return false;
    const before = seen[group];
    seen[group] = 1;
    return before === 1;
  });
}

/** How many rows a row of the one side answers. */
function rowsFor(matches: number, kind: JoinKind): number {
  if (kind === 'anti') return matches === 0 ? 1 : 0;
  if (kind === 'semi') return matches === 0 ? 0 : 1;
  return kind !== 'inner' && matches === 0 ? 1 : matches;
}

function countRows(groupOf: Uint32Array, { starts }: RowLists, kind: JoinKind): { total: number; multiplied: number } {
  let [total, multiplied] = [0, 0];
  for (let row = 0; row < groupOf.length; row += 1) {
    const group = groupOf[row] as number;
    const answered = rowsFor((starts[group + 1] as number) - (starts[group] as number), kind);
    total += answered;
    if (answered > 1) multiplied += 1;
  }
  return { total, multiplied };
}

/** The rows of the other side that no row of the one side matches, those without a key among them. */
function unmatched(ones: Uint32Array, others: Uint32Array, { starts, rows }: RowLists): Uint32Array {
  const met = new Uint8Array(starts.length);
  for (let row = 0; row < ones.length; row += 1) met[ones[row] as number] = 1;
  const matched = new Uint8Array(others.length);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    matched[row] = met[others[row] as number] as number;
  }
  const alone: number[] = [];
  for (let row = 0; row < others.length; row += 1) if (matched[row] === 0) alone.push(row);
  return Uint32Array.from(alone);
}
