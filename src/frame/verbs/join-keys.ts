import { ColumnError, UsageError } from '../../base/errors.js';
import { refuseLocalDays } from '../../base/local-midnight.js';
import { shownValue } from '../../base/option-types.js';
import { counted } from '../../base/texts.js';
import { columnsOf, comparedDtype } from '../tabular/columns-of.js';
import { rowCount, type Tabular, vectorOf } from '../tabular/tabular.js';
import { comparedVector, toIsoTime } from '../vector/iso-time.js';
import { concatVectors } from '../vector/plain-vector.js';
import { usedWords } from '../vector/text-vector.js';
import { cellAt, type Vector } from '../vector/vector.js';
import { type KeyCodes, keyCodes } from './row-groups.js';

/** Names of the key in the left frame and in the right one. */
export type KeyPair = readonly [left: string, right: string];

/** One key of a join. */
export interface JoinKey {
  readonly pair: KeyPair;
  /** Codes of the left rows and then the right ones, so that equal keys have equal codes on both sides. */
  readonly codes: KeyCodes;
  /** Where it is one of times: those on the left, then those on the right. */
  readonly times: readonly TimesOfDay[];
  /** The values on the left and then on the right, in one column. */
  readonly values: () => Vector;
}

/** What other libraries call the columns to join by. */
const FOREIGN = ['on', 'by', 'left', 'right', 'leftOn', 'rightOn', 'left_on', 'right_on'];

/**
 * The pairs of columns to join by.
 *
 * @throws {UsageError} If there are none, or they are told as other libraries want them told: `{ on: 'a' }`.
 */
export function keyPairs(left: Tabular, on: unknown): KeyPair[] {
  const pairs = pairsOf(left, on);
  if (pairs.length > 0) return pairs;
  throw new UsageError("joinOn was given no column to join by: name one, such as joinOn(left, right, 'proxy_wallet').");
}

function pairsOf(left: Tabular, on: unknown): KeyPair[] {
  if (typeof on === 'string') return [[on, on]];
  if (Array.isArray(on)) return on.map((name: string) => [name, name]);
  if (typeof on !== 'object' || on === null) return [];
  const foreign = Object.keys(on).find((name) => FOREIGN.includes(name) && !left.columns.includes(name));
  if (foreign !== undefined) {
    throw new UsageError(
      `joinOn takes the columns themselves, not "${foreign}": write joinOn(left, right, 'proxy_wallet'), or ` +
        "{ proxy_wallet: 'address' } where the right frame has another name for it.",
    );
  }
  return Object.entries(on).flatMap(([name, other]) => (other === undefined ? [] : [[name, other] as KeyPair]));
}

/**
 * A key of both frames. Text beside times counts as times; so does text beside text where both hold times alone.
 *
 * @throws {ColumnError} If a frame lacks it, it holds one kind of values on the left and another on the right, or text
 * beside times is no time.
 */
export function joinKey(left: Tabular, right: Tabular, pair: KeyPair): JoinKey {
  const sides = [left, right].map((frame, at): Side => {
    const name = pair[at] as string;
    const vector = vectorOf(frame, name);
    if (vector.kind === 'mixed') refuseLocalDays(`the column "${name}" of joinOn`, vector.cells, true);
    return { name, rows: rowCount(frame), vector, dtype: comparedDtype(frame, name, vector) };
  }) as [Side, Side];
  const areTimes = sides.every(isTimesAlone);
  const times = [inTime(sides[0], sides[1], areTimes), inTime(sides[1], sides[0], areTimes)] as const;
  const compared = times.map(({ name, dtype, vector, rows }) => ({
    vector: comparedVector(name, dtype, vector),
    rows,
  }));
  return {
    pair,
    codes: keyCodes(pair[0], concatVectors(pair[0], compared)),
    times: times[0].dtype === 'datetime' ? compared.map(({ vector }) => timesOfDay(vector)) : [],
    values: () => concatVectors(pair[0], areTimes ? sides : times),
  };
}

interface Side {
  readonly name: string;
  readonly rows: number;
  readonly vector: Vector;
  readonly dtype: ReturnType<typeof comparedDtype>;
}

/** Whether a column of text holds times and nothing else, in whatever form: `2026-01-31 14:30`. */
function isTimesAlone({ vector, dtype }: Side): boolean {
  if (vector.kind !== 'text' || dtype !== 'string') return false;
  const first = vector.words[vector.codes.find((code) => code >= 0) ?? -1];
  const isTime = (word: string) => toIsoTime(word) !== undefined;
  return first !== undefined && isTime(first) && usedWords(vector).words.every(isTime);
}

/** A side of a key; text as times where it is to be, as where the other side holds times. */
function inTime(side: Side, other: Side, isTimes: boolean): Side {
  const { name, vector } = side;
  if (vector.kind !== 'text' || side.dtype === 'datetime' || !(isTimes || other.dtype === 'datetime')) return side;
  const { codes, words } = usedWords(vector);
  const times = words.map((word, code) => {
    const time = toIsoTime(word);
    if (time !== undefined) return time;
    throw new ColumnError(
      `joinOn compares the column "${name}" with the times of "${other.name}", but it holds ${JSON.stringify(word)} in ` +
        `row ${codes.indexOf(code)}, counted from 0: write times as 2026-01-31T00:00:00Z, or days as 2026-01-31.`,
    );
  });
  return { ...side, dtype: 'datetime', vector: { kind: 'text', codes, words: times, distinct: false } };
}

/** How many rows hold a time at midnight in UTC, and how many another. */
interface TimesOfDay {
  midnights: number;
  others: number;
}

/** @param vector Times as they are compared. */
function timesOfDay(vector: Vector): TimesOfDay {
  const found = { midnights: 0, others: 0 };
  if (vector.kind !== 'text') return found;
  const areMidnights = vector.words.map((word) => String(word).endsWith('T00:00:00Z'));
  for (const code of vector.codes) {
    if (code >= 0) found[areMidnights[code] ? 'midnights' : 'others'] += 1;
  }
  return found;
}

/**
 * Warns where times with hours meet midnights alone, as those of days are: they match nothing, and a join that lacks
 * their rows looks like any other.
 */
export function tellHoursBesideDays(keys: readonly JoinKey[]): void {
  for (const { pair, times } of keys) {
    const at = times.findIndex(({ others }) => others > 0);
    const [timed, days] = [times[at], times[1 - at]];
    if (!timed || !days || days.others > 0 || days.midnights === 0) continue;
    const [frame, other] = at === 0 ? ['left', 'right'] : ['right', 'left'];
    process.emitWarning(
      `joinOn: "${pair[at]}" of the ${frame} frame holds times with hours in ${counted(timed.others, 'row')}, but ` +
        `"${pair[1 - at]}" of the ${other} frame midnights alone, so that ${timed.others === 1 ? 'it matches' : 'they match'} ` +
        `nothing. To join by days, bucketBy(${frame}, '${pair[at]}', 'day', { as: 'day' }) adds the day of each time.`,
      'OddslabWarning',
    );
  }
}

/** How often a key may stand on the left and on the right: `1` once, `m` any number of times. */
export type JoinValidation = '1:1' | '1:m' | 'm:1' | 'm:m';

const VALIDATIONS: readonly unknown[] = ['1:1', '1:m', 'm:1', 'm:m'] satisfies JoinValidation[];

/**
 * Checks how often keys stand on each side; a missing key matches nothing, so that it may stand there any number of
 * times.
 *
 * @throws {UsageError} If it is none of the four.
 * @throws {ColumnError} If a key stands twice where it may once; the message names it and both rows.
 */
export function checkKeys(left: Tabular, right: Tabular, keys: readonly JoinKey[], validate: unknown): void {
  if (validate === undefined) return;
  if (!VALIDATIONS.includes(validate)) {
    throw new UsageError(`validate of joinOn must be one of ${VALIDATIONS.join(', ')}; got ${shownValue(validate)}.`);
  }
  const [mine, theirs] = String(validate).split(':');
  const rows = rowCount(left);
  if (mine === '1') refuseRepeats(left, 0, keys, `{ validate: '${validate}' } needs each key once in the left frame`);
  if (theirs === '1') {
    refuseRepeats(right, rows, keys, `{ validate: '${validate}' } needs each key once in the right frame`);
  }
}

function refuseRepeats(frame: Tabular, from: number, keys: readonly JoinKey[], needed: string): void {
  const seen = new Map<string, number>();
  for (let row = 0; row < rowCount(frame); row += 1) {
    const codes = keys.map(({ codes }) => codes.codes[from + row] as number);
    if (codes.some((code) => code < 0)) continue;
    const key = codes.join();
    const before = seen.get(key);
    seen.set(key, row);
    if (before === undefined) continue;
    const shown = keys.map(({ pair }) => {
      const name = pair[from === 0 ? 0 : 1];
      return `${name} ${JSON.stringify(cellAt(vectorOf(frame, name), row))}`;
    });
    throw new ColumnError(
      `${needed}, but ${shown.join(', ')} stands in its rows ${before} and ${row}, counted from 0.`,
    );
  }
}

/** Whether a key may be missing in a column that holds those of both sides. */
export function isNullable(left: Tabular, right: Tabular, [mine, theirs]: KeyPair): boolean {
  return [
    ...columnsOf(left).filter(({ name }) => name === mine),
    ...columnsOf(right).filter(({ name }) => name === theirs),
  ].some(({ nullable }) => nullable);
}
