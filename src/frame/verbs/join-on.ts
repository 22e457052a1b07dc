import { ColumnError, UsageError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { knownOptions } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import { counted } from '../../base/texts.js';
import type { Column } from '../../contract/definition.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import { columnsOf } from '../tabular/columns-of.js';
import type { ColumnName, DataFrame } from '../tabular/data-frame.js';
import { rowCount, type Tabular, vectorsOf } from '../tabular/tabular.js';
import { takeVector } from '../vector/take-vector.js';
import { bytesOfRow, type Vector } from '../vector/vector.js';
import {
  checkKeys,
  isNullable,
  type JoinKey,
  type JoinValidation,
  joinKey,
  keyPairs,
  tellHoursBesideDays,
} from './join-keys.js';
import { type JoinedRows, type JoinKind, joinRows } from './join-rows.js';

/** What a join is by: columns that both frames have, or names in the left frame with those in the right one. */
type JoinKeys<Left extends object, Right extends object> =
  | (ColumnName<Left> & ColumnName<Right>)
  | readonly (ColumnName<Left> & ColumnName<Right>)[]
  | { readonly [Name in ColumnName<Left>]?: ColumnName<Right> };

/** Options of `joinOn`: which rows the join gives, and how it names columns. */
export interface JoinOptions<Kind extends JoinKind, Suffix extends string> {
  /**
   * `inner`: one row for each pair of rows with equal keys. `left`: these, and the left rows without a match, with
   * their right columns missing. `right`: the pairs and the right rows without a match, in the order of the right
   * frame. `outer`: as `left`, and behind that the right rows without a match. `semi`: only the left rows with a match,
   * each once, with only the left columns. `anti`: the left rows without one. Default `inner`.
   */
  readonly kind?: Kind;
  /** Appended to the name of a right column that the left frame also has. Default `_right`. */
  readonly suffix?: Suffix;
  /**
   * How often a key may stand on the left and on the right: `1:1` once in both, `1:m` once on the left, `m:1` once on
   * the right, `m:m` any number of times. Otherwise it is an error. Default: any number, with a note where rows are
   * multiplied.
   */
  readonly validate?: JoinValidation;
}

type LeftKeys<Keys> = Keys extends string ? Keys : Keys extends readonly (infer Name)[] ? Name : keyof Keys;
type RightKeys<Keys> = Keys extends string ? Keys : Keys extends readonly (infer Name)[] ? Name : Keys[keyof Keys];

/** The name in the right frame of a key of the left one. */
type RightNameOf<Keys, Name> = Keys extends string | readonly unknown[]
  ? Name
  : Name extends keyof Keys
    ? Keys[Name]
    : never;
type RightValue<Right, Name> = Name extends keyof Right ? Right[Name] : never;

/** The left columns: where there may be no left row, a key has the right one's value. */
type LeftPart<Left extends object, Right extends object, Keys, Kind> = Kind extends 'right' | 'outer'
  ? {
      [Name in keyof Left]: Name extends LeftKeys<Keys>
        ? Left[Name] | RightValue<Right, RightNameOf<Keys, Name>>
        : Left[Name] | null;
    }
  : Left;

type RightPart<Left extends object, Right extends object, Keys, Kind, Suffix extends string> = {
  [Name in Exclude<keyof Right, RightKeys<Keys>> as Name extends keyof Left
    ? `${Name & string}${Suffix}`
    : Name]: Kind extends 'left' | 'outer' ? Right[Name] | null : Right[Name];
};

/** A row of a join: the left columns, then the right ones but for the keys. */
type JoinedRow<Left extends object, Right extends object, Keys, Kind, Suffix extends string> = Kind extends
  | 'semi'
  | 'anti'
  ? Left
  : [keyof Left] extends [never]
    ? object
    : [keyof Right] extends [never]
      ? object
      : LeftPart<Left, Right, Keys, Kind> & RightPart<Left, Right, Keys, Kind, Suffix>;

/**
 * Joins two frames by the equality of one or several columns. Rows are in the order of the left frame, and several
 * matches of one row in that of the right frame. A missing key equals nothing, not even another missing one; -0 equals
 * 0. Times are compared as moments, a day as its midnight in UTC, and text beside times has to be times, too.
 *
 * Where rows of the left frame (of a `right` join: the right one) match several of the other, so that sums count them
 * more than once, a warning says how many, unless `validate` says that it is meant. Where times with hours are joined
 * with midnights alone, as those of days are, a warning says that they match nothing.
 *
 * @param on A column that both frames have, a list of them, or an object with the left names as keys and the right
 * names as values.
 * @returns The left columns, then the right ones without the keys; a right column whose name the left frame also has
 * gets a suffix. A right row without a match has its keys in the columns of the left ones.
 * @throws {ColumnError} If a frame lacks a key, a key holds one kind of values on the left and another on the right (1
 * is never "1"), text beside times is no time, a key stands more often than `validate` allows, or a name with its suffix
 * exists already.
 * @throws {UsageError} If no key is given, or as `{ on }`, the kind is another one or an option unknown, or the
 * result would have 2³¹ rows or more, or take more than half of this machine's memory: says how much.
 * @example joinOn(pnl, lifetimes, 'proxy_wallet', { kind: 'left', validate: 'm:1' });
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
  knownOptions('joinOn', options, ['kind', 'suffix', 'validate']);
  const { validate } = options;
  const kind: JoinKind = options.kind ?? 'inner';
  if (!KINDS.includes(kind)) throw new UsageError(`There is no join "${kind}": give one of ${KINDS.join(', ')}.`);
  const suffix: unknown = options.suffix ?? '_right';
  if (typeof suffix !== 'string') throw new UsageError(`suffix of joinOn must be a text; got ${shownValue(suffix)}.`);
  const keys = keyPairs(left, on).map((pair) => joinKey(left, right, pair));
  checkKeys(left, right, keys, validate);
  tellHoursBesideDays(keys);
  const isLeftAlone = kind === 'anti' || kind === 'semi';
  const places = isLeftAlone ? [] : placesBesideKeys(right, keys);
  const [described, vectors, mine] = [columnsOf(right), vectorsOf(right), vectorsOf(left)];
  const added = places.map((place) => itemAt(described, place));
  const theirs = places.map((place) => itemAt(vectors, place));
  const columns = [...leftColumns(left, right, keys, kind), ...renamed(left, added, kind, suffix)];
  const sizes = { leftRows: rowCount(left), rightRows: rowCount(right) };
  const codes = keys.map((key) => key.codes);
  const rows = joinRows(sizes, codes, kind, bytesOfRow([...mine, ...theirs]));
  if (validate === undefined) tellMultiplied(rows, kind);
  return frameFromVectors(
    columns,
    [...leftVectors(left, keys, rows, kind), ...theirs.map((vector) => takeVector(vector, rows.right))],
    ...(isLeftAlone ? [left] : [left, right]),
  );
}

const KINDS: readonly JoinKind[] = ['inner', 'left', 'right', 'outer', 'semi', 'anti'];

/** Says where a join multiplies rows, which makes sums wrong in silence. It advises only what this join passes. */
function tellMultiplied({ left, multiplied, hasRepeats }: JoinedRows, kind: JoinKind): void {
  if (multiplied === 0) return;
  const [one, other, meant, once] =
    kind === 'right' ? ['right', 'left', 'm:1', '1:m'] : ['left', 'right', '1:m', 'm:1'];
  process.emitWarning(
    `joinOn: ${counted(multiplied, 'row')} of the ${one} frame ${multiplied === 1 ? 'matches' : 'match'} several of the ` +
      `${other} one, so that the join has ${counted(left.length, 'row')}, and sums of ${one} columns count such rows more ` +
      `than once. Say { validate: '${hasRepeats ? 'm:m' : meant}' } where that is meant; '${once}' makes it an error.`,
    'OddslabWarning',
  );
}

function placesBesideKeys(right: Tabular, keys: readonly JoinKey[]): number[] {
  const names = keys.map(({ pair }) => pair[1]);
  return right.columns.flatMap((name, place) => (names.includes(name) ? [] : [place]));
}

/** Whether a join may have rows without a left one. */
function lacksLeft(kind: JoinKind): boolean {
  return kind === 'right' || kind === 'outer';
}

function leftColumns(left: Tabular, right: Tabular, keys: readonly JoinKey[], kind: JoinKind): Column[] {
  if (!lacksLeft(kind)) return columnsOf(left);
  return columnsOf(left).map((column) => {
    const key = keys.find(({ pair }) => pair[0] === column.name);
    return { ...column, nullable: key === undefined || isNullable(left, right, key.pair) };
  });
}

/** The left columns; keys have the right value where there is no left row. */
function leftVectors(left: Tabular, keys: readonly JoinKey[], rows: JoinedRows, kind: JoinKind): Vector[] {
  const vectors = vectorsOf(left);
  if (!lacksLeft(kind)) return vectors.map((vector) => takeVector(vector, rows.left));
  const many = rowCount(left);
  const either = rows.left.map((row, at) => (row < 0 ? many + (rows.right[at] as number) : row));
  return vectors.map((vector, place) => {
    const key = keys.find(({ pair }) => pair[0] === left.columns[place]);
    return key === undefined ? takeVector(vector, rows.left) : takeVector(key.values(), either);
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
    return { ...column, name, nullable: column.nullable || kind === 'left' || kind === 'outer' };
  });
}
