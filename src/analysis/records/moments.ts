import { ColumnError } from '../../base/errors.js';
import { DAY_MS, daysOfMonth } from '../../contract/time.js';
import { type Tabular, textVector } from '../../frame/tabular/tabular.js';
import { toIsoTime } from '../../frame/vector/iso-time.js';
import { distinctWords } from '../../frame/vector/text-vector.js';

/** The distinct moments of a date column, and which of them each row has. */
export interface Moments {
  /** Distinct, ascending, in milliseconds since 1970; each one occurs in a row. */
  readonly times: Float64Array;
  /** For each row, the index into `times`; -1 if it has none. It may be the frame's own array: never change it. */
  readonly placeOf: Int32Array;
}

/** The dates of a column: the text of each row and the moment that it names. */
interface Dates {
  /** For each row, the number of its text; -1 if it has none. */
  readonly codes: Int32Array;
  /** For each text, its moment in milliseconds since 1970; NaN if it names none. Some texts may occur in no row. */
  readonly times: Float64Array;
  /** @throws {ColumnError} Always; the message says what a row holds instead of a date. */
  readonly refuse: (row: number) => never;
}

/**
 * The dates of a column, from ISO 8601 text or dates. A date alone is midnight UTC. Each distinct text is read once.
 *
 * @throws {ColumnError} If the column is missing or holds no text. The caller must refuse rows without a date.
 */
export function datesOf(frame: Tabular, name: string): Dates {
  const text = distinctWords(textVector(frame, name, 'dates such as 2026-01-31'));
  return {
    codes: text.codes,
    times: timesOf(text.words),
    refuse: (row) => refuseDate(name, text.words[text.codes[row] as number], row),
  };
}

function timesOf(words: readonly string[]): Float64Array {
  const times = new Float64Array(words.length);
  for (let word = 0; word < times.length; word += 1) times[word] = parseIso(words[word] as string);
  return times;
}

/**
 * The moments of a date column, in which no row may lack a date, unless it is said.
 *
 * @param mayLack Whether rows may have none, as markets that are open have no close. Text that is no date is refused.
 * @throws {ColumnError} If the column is missing, or a row has no date that can be read.
 */
export function distinctMoments(frame: Tabular, name: string, mayLack = false): Moments {
  const { codes, times: timeOfWord, refuse } = datesOf(frame, name);
  const times = Float64Array.from(new Set(timeOfWord.filter((time) => !Number.isNaN(time)))).sort();
  const places = new Map(Array.from(times, (time, place) => [time, place]));
  const placeOfWord = Int32Array.from(timeOfWord, (time) => places.get(time) ?? -1);
  const used = new Uint8Array(times.length);
  const placeOf = isCounting(placeOfWord) ? codes : placesOf(codes, placeOfWord);
  for (let row = 0; row < placeOf.length; row += 1) {
    const place = placeOf[row] as number;
    if (place >= 0) used[place] = 1;
    else if (!mayLack || (codes[row] as number) >= 0) refuse(row);
  }
  return used.includes(0) ? withoutUnused(times, placeOf, used) : { times, placeOf };
}

/** Whether texts are in the order of their moments, as when rows came in the order of time. */
function isCounting(placeOfWord: Int32Array): boolean {
  return placeOfWord.every((place, word) => place === word);
}

function placesOf(codes: Int32Array, placeOfWord: Int32Array): Int32Array {
  const placeOf = new Int32Array(codes.length);
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] as number;
    placeOf[row] = code < 0 ? -1 : (placeOfWord[code] as number);
  }
  return placeOf;
}

/** Drops moments that no row has: a frame made from some rows of another may keep all of its texts. */
function withoutUnused(times: Float64Array, placeOf: Int32Array, used: Uint8Array): Moments {
  const places = new Int32Array(times.length);
  for (let place = 1; place < places.length; place += 1) {
    places[place] = (places[place - 1] as number) + (used[place - 1] as number);
  }
  return {
    times: times.filter((_, place) => used[place] === 1),
    placeOf: placeOf.map((place) => (place < 0 ? place : (places[place] as number))),
  };
}

/** @param word What the row holds; undefined if nothing. */
function refuseDate(name: string, word: string | undefined, row: number): never {
  const found = word === undefined ? 'nothing' : JSON.stringify(word);
  throw new ColumnError(
    `The column "${name}" holds ${found} in row ${row}, counted from 0; it needs a date such as 2026-01-31.`,
  );
}

/**
 * The moments of a date column, in milliseconds since 1970, from ISO 8601 text or dates; NaN where one is missing. A
 * date alone is midnight UTC.
 *
 * @throws {ColumnError} If the column is missing or holds no text, or a date cannot be read.
 */
export function momentsOf(frame: Tabular, name: string): Float64Array {
  const { codes, words } = textVector(frame, name, 'dates such as 2026-01-31');
  const moments = new Float64Array(codes.length);
  // Text that rows share is parsed once. If each row has its own text, a cache would only take memory.
  const known = new Float64Array(words.length < codes.length ? words.length : 0).fill(Number.NaN);
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] as number;
    let moment = code >= 0 && code < known.length ? (known[code] as number) : Number.NaN;
    if (code >= 0 && Number.isNaN(moment)) {
      moment = parseIso(words[code] as string);
      if (Number.isNaN(moment)) refuseDate(name, words[code] as string, row);
      if (code < known.length) known[code] = moment;
    }
    moments[row] = moment;
  }
  return moments;
}

const DIGIT_ZERO = 48;

/** Marks an invalid day or time. A small integer rather than NaN keeps loops over millions of rows fast. */
const INVALID = 0x3fffffff;

/**
 * Parses ISO 8601 text into milliseconds since 1970: `2026-01-31`, `2026-01-31T12:30:00Z`, or with a space for the T,
 * without seconds, with parts of a second, or with another zone. Without a zone it is UTC, wherever this runs.
 *
 * @returns NaN if the text is not such a date, or is one that does not exist, such as 30 February.
 */
export function parseIso(text: string): number {
  const seconds = text.length === 10 ? 0 : text.length === 20 ? clockOf(text) : INVALID;
  const day = seconds === INVALID ? INVALID : dayOf(text);
  return day === INVALID ? parseRarely(text) : day * DAY_MS + seconds * 1000;
}

function parseRarely(text: string): number {
  const iso = toIsoTime(text);
  return iso === undefined || dayOf(text) === INVALID ? Number.NaN : Date.parse(iso);
}

/** Seconds since midnight of `…THH:MM:SSZ`. */
function clockOf(text: string): number {
  const marks = text.charCodeAt(10) === 84 && text.charCodeAt(13) === 58 && text.charCodeAt(16) === 58;
  if (!marks || text.charCodeAt(19) !== 90) return INVALID;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  return hour < 24 && minute < 60 && second < 60 ? (hour * 60 + minute) * 60 + second : INVALID;
}

/**
 * Days since 1970 of `YYYY-MM-DD…`.
 *
 * Years are counted from March, so that the leap day comes last. 1970 begins 719,468 days after 1 March of year 0.
 */
function dayOf(text: string): number {
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return INVALID;
  const century = twoDigits(text, 0);
  const rest = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (century >= 100 || rest >= 100 || month < 1 || month > 12 || day < 1) return INVALID;
  if (day > 28 && day > daysOfMonth(century * 100 + rest, month)) return INVALID;
  const year = century * 100 + rest - (month <= 2 ? 1 : 0);
  if (year < 0) return INVALID;
  const leaps = ((year / 4) | 0) - ((year / 100) | 0) + ((year / 400) | 0);
  return year * 365 + leaps + (((153 * ((month + 9) % 12) + 2) / 5) | 0) + day - 1 - 719_468;
}

/** The number of two digits; above 99 if either is not a digit. */
function twoDigits(text: string, at: number): number {
  const tens = (text.charCodeAt(at) - DIGIT_ZERO) >>> 0;
  const ones = (text.charCodeAt(at + 1) - DIGIT_ZERO) >>> 0;
  return tens > 9 || ones > 9 ? INVALID : tens * 10 + ones;
}
