import { AnswerError, messageOf } from '../../base/errors.js';
import type { ColumnBuilder } from './column-builder.js';
import { countFields, countWrittenFields, repeatedField } from './json-ends.js';
import type { RowStore } from './row-store.js';

/**
 * Puts decoded records into a store, by field name. All errors about the records of a page are worded here.
 *
 * @param page Number of the page, for errors.
 * @throws {AnswerError} If a record is no object, a value has the wrong type or is missing, or the store is strict and
 * a field is no column. The message names page, row (both counted from 1), field and value.
 */
export function decodeRecords(store: RowStore, records: readonly unknown[], page: number): void {
  const start = store.rows;
  const checked = records.map((record, at) => checkRecord(record, page, at));
  store.reserve(start + checked.length);
  for (const builder of store.builders) decodeColumn(builder, checked, start, page);
  takeExtra(store, checked, start, page);
  store.rows += checked.length;
}

function decodeColumn(builder: ColumnBuilder, records: readonly JsonRecord[], start: number, page: number): void {
  const { column } = builder;
  const own = fieldReader(column.name);
  const other = column.alias === undefined ? undefined : fieldReader(column.alias);
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] as JsonRecord;
    const value = other === undefined ? own(record) : (own(record) ?? other(record));
    if (builder.put(start + at, value)) continue;
    const what = value === undefined ? 'is missing' : `is ${jsonShown(value)}`;
    const expected = column.nullable ? `${builder.expected}, or null` : builder.expected;
    throw new AnswerError(`Page ${page}, row ${at + 1}: the field "${column.name}" ${what}; it should be ${expected}.`);
  }
}

/** Makes a function that reads a field from a record. Inherited members such as `constructor` are no fields. */
function fieldReader(name: string): (record: JsonRecord) => unknown {
  if (!(name in Object.prototype)) return (record) => record[name];
  return (record) => (Object.hasOwn(record, name) ? record[name] : undefined);
}

function takeExtra(store: RowStore, records: readonly JsonRecord[], start: number, page: number): void {
  let plain: readonly string[] = [];
  for (const [at, record] of records.entries()) {
    const keys = Object.keys(record);
    if (sameKeys(keys, plain)) continue;
    const extra = keys.filter((key) => !store.places.has(key));
    if (extra.length === 0) plain = keys;
    for (const name of extra) {
      if (store.strict) refuseField(store, name, record[name], page, at);
      store.extra.put(start + at, name, record[name]);
    }
  }
}

/** Whether two lists of keys are equal. Records of one answer mostly have the same keys and need no further check. */
function sameKeys(keys: readonly string[], others: readonly string[]): boolean {
  if (keys.length !== others.length || keys.length === 0) return false;
  for (let at = 0; at < keys.length; at += 1) if (keys[at] !== others[at]) return false;
  return true;
}

function refuseField(store: RowStore, name: string, value: unknown, page: number, at: number): never {
  const known = store.builders.map(({ column }) => column.name).join(', ') || 'none';
  const where = `Page ${page}, row ${at + 1}: the field "${name}"`;
  throw new AnswerError(`${where} is ${jsonShown(value)}, but it is no column of the dataset. Its columns: ${known}.`);
}

/** The most letters of a value that an error shows. */
const SHOWN = 80;

/** A value of a record in an error: its JSON, shortened; numbers that JSON lacks as JavaScript writes them. */
export function jsonShown(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? jsonOf(value) : plainText(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 3)}…` : text;
}

function jsonOf(value: object): string {
  try {
    return JSON.stringify(Array.isArray(value) ? value.slice(0, SHOWN) : value, (_, part: unknown) =>
      typeof part === 'bigint' ? `${part}n` : part,
    );
  } catch {
    return 'an object that contains itself';
  }
}

function plainText(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
}

/** One decoded record of a page. */
type JsonRecord = Record<string, unknown>;

/**
 * Checks that a decoded value is a record.
 *
 * @param page Number of the page, for errors.
 * @param at Index of the record in the page.
 * @throws {AnswerError} If it is not a JSON object; the message names page and row, both counted from 1.
 */
function checkRecord(record: unknown, page: number, at: number): JsonRecord {
  if (typeof record === 'object' && record !== null && !Array.isArray(record)) return record as JsonRecord;
  throw new AnswerError(`Page ${page}, row ${at + 1} is ${jsonShown(record)} where a record (a JSON object) belongs.`);
}

/**
 * Parses the text of a page. Numbers that a double cannot hold become text: see {@link parseJson}.
 *
 * @param results UTF-8 JSON text.
 * @param page Number of the page, for errors.
 * @param exact Whether every number of more than 15 digits becomes text, so that amounts stay exact. Default: false.
 * @throws {AnswerError} If the text is not UTF-8, not JSON or not an array, or a record repeats a field.
 */
export function parsePage(results: Uint8Array, page: number, exact = false): readonly unknown[] {
  const records = parse(results, page, exact);
  if (!Array.isArray(records)) {
    throw new AnswerError(`Page ${page} is ${kindOf(records)} where an array of records belongs.`);
  }
  if (countFields(records) === countWrittenFields(results, 0, results.length)) return records;
  const twice = repeatedField(results);
  const where = twice ? `Page ${page}, row ${twice.at + 1}: the field "${twice.name}"` : `Page ${page}: a field`;
  throw new AnswerError(`${where} is there twice; which of both values is right cannot be told.`);
}

function parse(results: Uint8Array, page: number, exact: boolean): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(results);
  } catch (cause) {
    throw new AnswerError(`Page ${page} is not UTF-8 text, as JSON has to be.`, { cause });
  }
  try {
    return parseJson(text, exact);
  } catch (cause) {
    const why = messageOf(cause);
    throw new AnswerError(`Page ${page} is not JSON: ${why}.`, { cause });
  }
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value === 'object' ? 'a record' : `a ${typeof value}`;
}

/**
 * Parses the records of one page of a dataset of unknown shape as the JSON values that were sent. It refuses a page for
 * the same reasons as a {@link FrameBuilder}. Numbers that a double cannot hold become text, as in {@link parseJson}.
 *
 * @param results UTF-8 JSON text of an array of records, which may be empty.
 * @param page Number of the page, counted from 1, for errors.
 * @throws {AnswerError} If the text is not UTF-8, not JSON or not an array of objects, or a record repeats a field.
 * @example parseRecords(Buffer.from('[{"id":9007199254740993,"n":1}]'), 1); // [{ id: '9007199254740993', n: 1 }]
 */
export function parseRecords(results: Uint8Array, page: number): JsonRecord[] {
  return parsePage(results, page).map((record, at) => checkRecord(record, page, at));
}

/** Matches a text that may hold a number that a double cannot hold; digits inside strings mostly do not match. */
const MAY_BE_LONG = /(?:^|[:,[\s])-?\d(?:[\d.]{15}|[\d.]*[eE])/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** A double can print any decimal of up to 15 digits again. */
const MAX_DIGITS = 15;
/** The most digits that a program needs to print a double so that it reads back the same. */
const MEASURED_DIGITS = 17;
/** The most digits that toExponential prints, and the most zeros that are written out. */
const MAX_PRINTED = 100;
const MAX_ZEROS = 1000;

/**
 * Parses JSON as JSON.parse does, except that numbers that a double cannot hold become text of their digits, without an
 * exponent if the number is finite as a double. These are:
 * - integers of more than 15 digits, which are mostly ids;
 * - numbers with a fraction or an exponent that have more than 17 significant digits, unless the double printed with as
 *   many digits is the same;
 * - numbers too large or too small for a double.
 *
 * @param keepsAll Whether every number of more than 15 significant digits becomes text. Default: false.
 * @throws {SyntaxError} If it is not JSON.
 * @example parseJson('[9007199254740993, 1.5, 1e400]'); // ['9007199254740993', 1.5, '1e400']
 */
export function parseJson(text: string, keepsAll = false): unknown {
  const value: unknown = JSON.parse(text);
  if (!MAY_BE_LONG.test(text)) return value;
  // Putting quotes around numbers is safe only in text that is known to be valid JSON.
  const kept = text.replace(STRING_OR_NUMBER, (part) => (part.startsWith('"') ? part : digitsOf(part, keepsAll)));
  return kept === text ? value : JSON.parse(kept);
}

/** A number as it was written, or in quotation marks if a double cannot hold it. */
function digitsOf(literal: string, keepsAll: boolean): string {
  const number = Number(literal);
  // Most long numbers are doubles as JavaScript or Python print them.
  if (!keepsAll && literal.includes('.') && String(number) === literal) return literal;
  const [, sign = '', whole = '', fraction = '', power] = NUMBER.exec(literal) ?? [];
  const isInteger = fraction === '' && power === undefined;
  const written = whole + fraction;
  const lead = written.search(/[1-9]/);
  if (lead < 0) return literal;
  const digits = written.slice(lead).replace(/0+$/, '');
  const exponent = whole.length - 1 - lead + Number(power ?? 0);
  const isLong = digits.length > MAX_DIGITS || (isInteger && whole.length > MAX_DIGITS);
  const isHeld = number !== 0 && Number.isFinite(number);
  if (!isLong && isHeld) return literal;
  if (!isInteger && !keepsAll && isHeld && isMeasured(Math.abs(number), digits, exponent)) return literal;
  const isPlain = power === undefined || !Number.isFinite(number) || Math.abs(exponent) > MAX_ZEROS;
  return `"${isPlain ? literal : sign + writtenOut(digits, exponent)}"`;
}

/** Whether digits are no more than a double needs, or are those of the double when printed with as many. */
function isMeasured(number: number, digits: string, exponent: number): boolean {
  if (digits.length <= MEASURED_DIGITS) return true;
  if (digits.length > MAX_PRINTED) return false;
  const mantissa = digits.length > 1 ? `${digits.slice(0, 1)}.${digits.slice(1)}` : digits;
  return number.toExponential(digits.length - 1) === `${mantissa}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
}

/** Writes digits as a plain decimal; `exponent` is the power of ten of the first digit. */
function writtenOut(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
