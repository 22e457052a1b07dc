import { ColumnError } from '../base/errors.js';
import type { Tabular } from '../frame/tabular.js';
import { distinctWords } from '../frame/vector/distinct-words.js';
import { textVector } from '../frame/vector/plain-vector.js';
import type { TextVector } from '../frame/vector/vector.js';
import { parseIso } from './parse-iso.js';

/** The distinct moments of a date column, and which of them each row has. */
export interface Moments {
  /** Distinct, ascending, in milliseconds since 1970; each one occurs in a row. */
  readonly times: Float64Array;
  /** For each row, the index into `times`. It may be the frame's own array: never change it. */
  readonly placeOf: Int32Array;
}

/** The dates of a column: the text of each row and the moment that it names. */
export interface Dates {
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
  return { codes: text.codes, times: timesOf(text.words), refuse: (row) => refuseUnreadable(name, text, row) };
}

function timesOf(words: readonly string[]): Float64Array {
  const times = new Float64Array(words.length);
  for (let word = 0; word < times.length; word += 1) times[word] = parseIso(words[word] as string);
  return times;
}

/**
 * The moments of a date column, in which no row may lack a date.
 *
 * @throws {ColumnError} If the column is missing, or a row has no date that can be read.
 */
export function distinctMoments(frame: Tabular, name: string): Moments {
  const { codes, times: timeOfWord, refuse } = datesOf(frame, name);
  const times = Float64Array.from(new Set(timeOfWord.filter((time) => !Number.isNaN(time)))).sort();
  const places = new Map(Array.from(times, (time, place) => [time, place]));
  const placeOfWord = Int32Array.from(timeOfWord, (time) => places.get(time) ?? -1);
  const used = new Uint8Array(times.length);
  const placeOf = isCounting(placeOfWord) ? codes : placesOf(codes, placeOfWord);
  for (let row = 0; row < placeOf.length; row += 1) {
    const place = placeOf[row] as number;
    if (place < 0) refuse(row);
    used[place] = 1;
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
    placeOf: placeOf.map((place) => places[place] as number),
  };
}

function refuseUnreadable(name: string, { codes, words }: TextVector, row: number): never {
  const word = words[codes[row] as number];
  const found = word === undefined ? 'nothing' : JSON.stringify(word);
  throw new ColumnError(
    `The column "${name}" holds ${found} in row ${row}, counted from 0; it needs a date such as 2026-01-31.`,
  );
}
