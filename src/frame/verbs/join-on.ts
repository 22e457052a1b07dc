import { totalmem } from 'node:os';
import { ColumnError, UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import type { Column } from '../../contract/definition.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import { columnsOf, comparedDtype } from '../tabular/columns-of.js';
import type { ColumnName, DataFrame } from '../tabular/data-frame.js';
import { rowCount, type Tabular, vectorOf, vectorsOf } from '../tabular/tabular.js';
import { comparedVector } from '../vector/iso-time.js';
import { concatVectors } from '../vector/plain-vector.js';
import { takeVector } from '../vector/take-vector.js';
import { bytesOfRow } from '../vector/vector.js';
import { groupsOfKeys, type KeyCodes, keyCodes, type RowLists, rowLists } from './row-groups.js';

/** What a join is by: columns that both frames have, or names in the left frame with those in the right one. */
type JoinKeys<Left extends object, Right extends object> =
  | (ColumnName<Left> & ColumnName<Right>)
  | readonly (ColumnName<Left> & ColumnName<Right>)[]
  | { readonly [Name in ColumnName<Left>]?: ColumnName<Right> };

/** Options of `joinOn`: which rows the join gives, and how it names columns. */
export interface JoinOptions<Kind extends JoinKind, Suffix extends string> {
  /**
   * `inner`: one row for each pair of rows with equal keys. `left`: these, and the left rows without a match, with
   * their right columns missing. `anti`: only the left rows without a match, with only the left columns. Default
   * `inner`.
   */
  readonly kind?: Kind;
  /** Appended to the name of a right column that the left frame also has. Default `_right`. */
  readonly suffix?: Suffix;
}

type RightKeys<Keys> = Keys extends string ? Keys : Keys extends readonly (infer Name)[] ? Name : Keys[keyof Keys];

type JoinedPart<Left extends object, Right extends object, Keys, Kind, Suffix extends string> = {
  [Name in Exclude<keyof Right, RightKeys<Keys>> as Name extends keyof Left
    ? `${Name & string}${Suffix}`
    : Name]: Kind extends 'left' ? Right[Name] | null : Right[Name];
};

/** A row of a join: the left columns, then the right ones but for the keys. */
type JoinedRow<Left extends object, Right extends object, Keys, Kind, Suffix extends string> = Kind extends 'anti'
  ? Left
  : [keyof Left] extends [never]
    ? object
    : [keyof Right] extends [never]
      ? object
      : Left & JoinedPart<Left, Right, Keys, Kind, Suffix>;

/**
 * Joins two frames by the equality of one or several columns. Rows are in the order of the left frame, and several
 * matches of one row in that of the right frame. A missing key equals nothing, not even another missing one; -0 equals
 * 0.
 *
 * @param on A column that both frames have, a list of them, or an object with the left names as keys and the right
 * names as values.
 * @returns The left columns, then the right ones without the keys; a right column whose name the left frame also has
 * gets a suffix.
 * @throws {ColumnError} If a frame lacks a key, a key holds one kind of values on the left and another on the right (1
 * is never "1"), or a name with its suffix exists already.
 * @throws {UsageError} If no key is given, or as `{ on }`, the kind is another one or an option unknown, or the
 * result would have 2³¹ rows or more, or take more than half of this machine's memory: says how much.
 * @example joinOn(pnl, lifetimes, 'proxy_wallet', { kind: 'left' });
 * @example joinOn(pnl, tags, { proxy_wallet: 'address' });
 */
export function joinOn<
  Left extends object,
  Right extends object,
  const Keys extends JoinKeys<Left, Right>,
  const Kind extends JoinKind = 'inner',
  const Suffix extends string = '_right',
>(
  left: DataFrame<Left>,
  right: DataFrame<Right>,
  on: Keys,
  options: JoinOptions<Kind, Suffix> = {},
): DataFrame<JoinedRow<Left, Right, Keys, Kind, Suffix>> {
  knownOptions('joinOn', options, ['kind', 'suffix']);
  const kind = options.kind ?? 'inner';
  if (!KINDS.includes(kind)) throw new UsageError(`There is no join "${kind}": give one of ${KINDS.join(', ')}.`);
  refuseOptions(left, on);
  const pairs = keyPairs(on);
  if (pairs.length === 0) {
    throw new UsageError(
      "joinOn was given no column to join by: name one, such as joinOn(left, right, 'proxy_wallet').",
    );
  }
  const keys = keysOfBoth(left, right, pairs);
  const mine = vectorsOf(left);
  const places = kind === 'anti' ? [] : placesBesideKeys(right, pairs);
  const [described, vectors] = [columnsOf(right), vectorsOf(right)];
  const added = places.flatMap((place) => described[place] ?? []);
  const theirs = places.flatMap((place) => vectors[place] ?? []);
  const columns = [...columnsOf(left), ...renamed(left, added, kind, options.suffix ?? '_right')];
  const rows = joinRows(rowCount(left), rowCount(right), keys, kind, bytesOfRow([...mine, ...theirs]));
  return frameFromVectors(
    columns,
    [...mine.map((vector) => takeVector(vector, rows.left)), ...theirs.map((vector) => takeVector(vector, rows.right))],
    ...(kind === 'anti' ? [left] : [left, right]),
  );
}

/** What other libraries call the columns to join by. */
const FOREIGN = ['on', 'by', 'left', 'right', 'leftOn', 'rightOn', 'left_on', 'right_on'];

/** Refuses an object that tells the columns as other libraries want them told: `{ on: 'a' }`. */
function refuseOptions(left: Tabular, on: unknown): void {
  if (typeof on !== 'object' || on === null || Array.isArray(on)) return;
  const name = Object.keys(on).find((name) => FOREIGN.includes(name) && !left.columns.includes(name));
  if (name === undefined) return;
  throw new UsageError(
    `joinOn takes the columns themselves, not "${name}": write joinOn(left, right, 'proxy_wallet'), or ` +
      "{ proxy_wallet: 'address' } where the right frame has another name for it.",
  );
}

function placesBesideKeys(right: Tabular, pairs: readonly [string, string][]): number[] {
  const keys = pairs.map(([, name]) => name);
  return right.columns.flatMap((name, place) => (keys.includes(name) ? [] : [place]));
}

function keyPairs(
  on: string | readonly string[] | Readonly<Record<string, string | undefined>> | null | undefined,
): [string, string][] {
  if (typeof on === 'string') return [[on, on]];
  if (Array.isArray(on)) return on.map((name: string) => [name, name]);
  return Object.entries(on ?? {}).flatMap(([name, other]) => (other === undefined ? [] : [[name, other]]));
}

const KINDS: readonly JoinKind[] = ['inner', 'left', 'anti'];

/** Codes of the left rows and then the right ones, so that equal keys have equal codes on both sides. */
function keysOfBoth(left: Tabular, right: Tabular, pairs: readonly [string, string][]) {
  return pairs.map(([name, other]) => {
    const [mine, theirs] = [vectorOf(left, name), vectorOf(right, other)];
    const dtypes = [comparedDtype(left, name, mine), comparedDtype(right, other, theirs)] as const;
    // Beside other text, times are text too.
    const dtype = dtypes[0] === dtypes[1] ? dtypes[0] : 'string';
    const sides = [
      { vector: comparedVector(name, dtype, mine), rows: rowCount(left) },
      { vector: comparedVector(other, dtype, theirs), rows: rowCount(right) },
    ];
    return keyCodes(name, concatVectors(name, sides));
  });
}

function renamed(left: Tabular, added: readonly Column[], kind: JoinKind, suffix: string): Column[] {
  const taken = new Set(left.columns);
  return added.map((column) => {
    const name = left.columns.includes(column.name) ? `${column.name}${suffix}` : column.name;
    if (taken.has(name)) {
      throw new ColumnError(`The join would have two columns "${name}": choose another suffix than "${suffix}".`);
    }
    taken.add(name);
    return { ...column, name, nullable: column.nullable || kind === 'left' };
  });
}

/** Rows that belong together, in the order of the left rows and within that of the right ones. */
interface JoinedRows {
  readonly left: Uint32Array;
  /** -1 where there is none. */
  readonly right: Int32Array;
}

/** Which rows a join answers: matched pairs; also the left rows without a match; or those alone. */
type JoinKind = 'inner' | 'left' | 'anti';

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
function joinRows(
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
