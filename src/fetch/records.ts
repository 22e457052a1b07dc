import { SourceError } from '../base/errors.js';
import { itemAt } from '../base/item-at.js';
import { isObject } from '../base/texts.js';
import type { SourceAnswer } from './sources.js';

/** A record of a source. */
export interface SourceRecord {
  /** Its fields. A number with more digits than a double holds is rounded here, but not in `text`. */
  readonly value: Readonly<Record<string, unknown>>;
  /** The record as the source wrote it, on one line and without private fields. */
  readonly text: string;
}

/** Fields of people, in the spellings of the Data API: they are dropped before anything is written. */
export const PRIVATE_FIELDS: ReadonlySet<string> = new Set(
  [
    'name pseudonym bio profileImage profile_image profileImageOptimized profile_image_optimized',
    'userName user_name username xUsername x_username verifiedBadge verified_badge verified',
    'displayUsernamePublic display_username_public',
  ].flatMap((names) => names.split(' ')),
);

/** Fields of people in Gamma's records, where `name` is a team's or a category's. */
export const PRIVATE_GAMMA_FIELDS: ReadonlySet<string> = new Set(['pseudonym', 'creators', 'chats', 'profile']);

/**
 * The records of an answer.
 *
 * @param list Name of the list within the answer's object; undefined if the answer is the list itself.
 * @param dropped Names of fields to leave out of the texts, at any depth.
 * @throws {SourceError} If the answer has another shape.
 */
export function recordsOf(answer: SourceAnswer, list: string | undefined, dropped = PRIVATE_FIELDS): SourceRecord[] {
  const { json, text, place } = answer;
  const values = list === undefined ? json : isObject(json) ? json[list] : undefined;
  if (!Array.isArray(values) || !values.every(isObject)) throw shapeError(place, json, list);
  const texts = new RecordTexts(text, dropped).listAt(list);
  // A list that is named twice.
  if (texts.length !== values.length) throw shapeError(place, json, list);
  return values.map((value, at) => ({ value, text: itemAt(texts, at) }));
}

/** The record that an answer is itself. @throws {SourceError} If it is none. */
export function recordOf(answer: SourceAnswer, dropped: ReadonlySet<string>): SourceRecord {
  return itemAt(recordsOf({ ...answer, text: `[${answer.text}]`, json: [answer.json] }, undefined, dropped), 0);
}

/** Unix seconds of a record; NaN if it states none. */
export function timeOf({ timestamp }: SourceRecord['value']): number {
  const time = typeof timestamp === 'string' && timestamp !== '' ? Number(timestamp) : timestamp;
  return typeof time === 'number' && Math.abs(time) < LAST_SECOND ? time : Number.NaN;
}

/** Beyond it, a time is not in seconds. */
const LAST_SECOND = 1e11;

/** The error for a record without a time. */
export function timeless(place: string): SourceError {
  return new SourceError(`${place} gave a record without a timestamp in seconds: the source may have changed.`, {
    kind: 'shape',
  });
}

/** The error for JSON that this version does not know. */
export function shapeError(place: string, json: unknown, wanted: string | undefined): SourceError {
  const right = wanted === undefined ? 'a list of records' : `an object with a list "${wanted}" of records`;
  const got = isObject(json) ? `an object with ${Object.keys(json).slice(0, 6).join(', ') || 'nothing'}` : typeOf(json);
  return new SourceError(
    `${place} answered JSON of an unknown shape: ${got}, not ${right}. The source may have changed: ` +
      'look for a newer version of oddslab.',
    { kind: 'shape' },
  );
}

function typeOf(json: unknown): string {
  return Array.isArray(json) ? 'a list' : json === null ? 'null' : `a ${typeof json}`;
}

const [QUOTE, OPEN, CLOSE, LIST, LIST_END] = [0x22, 0x7b, 0x7d, 0x5b, 0x5d];
const [COMMA, COLON, LINE, RETURN] = [0x2c, 0x3a, 0x0a, 0x0d];

/**
 * Cuts the texts of records out of JSON that was found to be valid, since parsing and writing again would round long
 * numbers. Only brackets and quotation marks are looked at.
 */
class RecordTexts {
  readonly #text: string;
  readonly #dropped: ReadonlySet<string>;
  #at = 0;

  constructor(text: string, dropped: ReadonlySet<string>) {
    this.#text = text;
    this.#dropped = dropped;
  }

  listAt(name: string | undefined): string[] {
    if (name !== undefined) this.#seek(name);
    this.#blank();
    this.#at++;
    const texts: string[] = [];
    for (;;) {
      const code = this.#blank();
      if (code === LIST_END) return texts;
      if (code === COMMA) this.#at++;
      else texts.push(this.#record());
    }
  }

  /** Goes to the value of a member of the outermost object. */
  #seek(name: string): void {
    this.#blank();
    this.#at++;
    for (let code = this.#blank(); code !== CLOSE; code = this.#blank()) {
      if (code === COMMA) {
        this.#at++;
        continue;
      }
      const key = this.#string();
      this.#blank();
      this.#at++;
      this.#blank();
      if (key === name) return;
      this.#skip();
    }
  }

  /** Reads the object at this place as one line without the dropped members. */
  #record(): string {
    const text = this.#text;
    let [out, from, depth] = ['', this.#at, 0];
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) {
        const start = this.#at;
        const name = this.#string();
        if (this.#blank() !== COLON || !this.#dropped.has(name)) continue;
        out += text.slice(from, start);
        this.#at++;
        this.#blank();
        this.#skip();
        if (this.#blank() === COMMA) this.#at++;
        else out = out.trimEnd().replace(/,$/, '');
        from = this.#at;
        continue;
      }
      this.#at++;
      if (code === OPEN || code === LIST) depth++;
      else if ((code === CLOSE || code === LIST_END) && --depth === 0)
        return onOneLine(out + text.slice(from, this.#at));
    }
  }

  /** Goes behind the value at this place. */
  #skip(): void {
    for (let depth = 0; ; ) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === QUOTE) this.#string();
      else if (depth === 0 && (code === COMMA || code === CLOSE || code === LIST_END)) return;
      else {
        if (code === OPEN || code === LIST) depth++;
        if (code === CLOSE || code === LIST_END) depth--;
        this.#at++;
      }
    }
  }

  /** Reads the string at this place and goes behind it. */
  #string(): string {
    const text = this.#text;
    const start = this.#at + 1;
    let end = text.indexOf('"', start);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    this.#at = end + 1;
    const raw = text.slice(start, end);
    return raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw;
  }

  /** Goes behind blanks; the code of what follows. */
  #blank(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x09 && code !== LINE && code !== RETURN) return code;
      this.#at++;
    }
  }
}

/** Without line ends, which JSON has between its parts only. */
function onOneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]+/g, '') : text;
}

function isEscaped(text: string, end: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
  return slashes % 2 === 1;
}
