import { UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import { isShortDecimal, MAX_DIGITS, PLAIN_DECIMAL } from '../tabular/infer-column.js';
import type { WriteOptions } from './named-file.js';

/** Options for writing a frame as CSV. */
export interface CsvOptions {
  /** Whether the first line has the names of the columns. Default true. */
  header?: boolean;
  /** The character between two fields. Default `,`, or `;` where `decimal` is a comma. */
  delimiter?: ',' | ';' | '\t' | '|';
  /**
   * What is quoted: `minimal`, only fields that need it, and text that would read as a number or as true or false;
   * `text`, all text and times, but no numbers, booleans or names of columns; `all`, every field that is not missing.
   * Default `minimal`.
   */
  quoting?: 'minimal' | 'text' | 'all';
  /**
   * The text for a missing value, such as `NA`. It must not be a number, true or false, as that could also be a value.
   * Text in the frame that is the same is quoted. Default: an empty field.
   */
  nullText?: string;
  /**
   * What happens to text and names of columns that begin with `=`, `+`, `-`, `@`, a tab or a line break, which a
   * spreadsheet treats as formulas: `guard` puts a `'` before them, and before those that have one there already; `keep`
   * leaves them. Numbers are never changed.
   * Default `keep`, because the guard changes the data for every other reader: choose it for files that people open in
   * a spreadsheet. `readCsv` takes it away by the same option.
   */
  formulas?: 'keep' | 'guard';
  /**
   * The mark before the decimals of a number: a comma for spreadsheets in countries that write 1,5. Only numbers have it;
   * `readCsv` reads it back by the same option. Default `.`.
   */
  decimal?: '.' | ',';
  /**
   * How times are written: `iso`, as they are; `day`, only the day in UTC, such as `2025-11-05`, which spreadsheets take
   * for a date. Default `iso`.
   */
  dates?: 'iso' | 'day';
  /**
   * What happens to text that a spreadsheet would read as a number, such as a token id of 77 digits, of which it would
   * keep 15: `text` puts a tab before it, which keeps it text there and is not seen; `plain` leaves it. Default `plain`,
   * because the tab changes the data for every other reader; `readCsv` takes it away by the same option. A workbook of
   * `writeXlsx` needs neither.
   */
  ids?: 'plain' | 'text';
  /** Whether the file begins with a byte order mark, by which Excel recognizes UTF-8. Default false. */
  bom?: boolean;
}

/** Options for writing a CSV file. */
export interface CsvFileOptions extends CsvOptions, WriteOptions {}

const FORM = [
  ...(['header', 'delimiter', 'quoting', 'nullText', 'formulas', 'decimal', 'dates', 'ids', 'bom'] as const),
] satisfies (keyof CsvOptions)[];
const WRITING = ['gzip', 'onProgress'] satisfies (keyof WriteOptions)[];
const DELIMITERS = [',', ';', '\t', '|'];

/** The marks before decimals and between thousands, and what can be done about ids and formulas. */
export const [MARKS, IDS, FORMULAS] = [
  ['.', ','],
  ['plain', 'text'],
  ['keep', 'guard'],
];

/**
 * The options with their defaults.
 *
 * @throws {UsageError} If one of them has a value that it cannot have.
 */
export function csvForm(options: CsvOptions): Required<CsvOptions> {
  knownOptions('writing CSV', options, [...FORM, ...WRITING]);
  const {
    header = true,
    decimal = '.',
    delimiter = decimal === ',' ? ';' : ',',
    quoting = 'minimal',
    nullText = '',
    formulas = 'keep',
    dates = 'iso',
    ids = 'plain',
    bom = false,
  } = options;
  checkDelimiter(delimiter);
  checkOneOf('decimal', decimal, MARKS);
  checkOneOf('dates', dates, ['iso', 'day']);
  checkOneOf('ids', ids, IDS);
  if (decimal === ',' && delimiter === ',') {
    throw new UsageError(
      'A comma cannot both stand before decimals and between fields: take delimiter ";", or leave it out.',
    );
  }
  checkOneOf('quoting', quoting, ['minimal', 'text', 'all']);
  checkOneOf('formulas', formulas, FORMULAS);
  if (/["\r\n]/.test(nullText) || nullText.includes(delimiter)) {
    throw new UsageError(
      `nullText must hold no quote, line break or delimiter, such as "NA"; got ${JSON.stringify(nullText)}.`,
    );
  }
  if (fieldKind(nullText.replace(decimal, '.')) !== 'text') {
    throw new UsageError(
      `nullText must be no number and no boolean, which a column may hold itself, but such as "NA"; got ${JSON.stringify(nullText)}.`,
    );
  }
  return { header, delimiter, quoting, nullText, formulas, decimal, dates, ids, bom };
}

/** @throws {UsageError} If the delimiter is not supported. */
export function checkDelimiter(delimiter: string): void {
  checkOneOf('delimiter', delimiter, DELIMITERS);
}

/** @throws {UsageError} If the option has none of the values that it can have. */
export function checkOneOf(name: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  const right = allowed.map((one) => JSON.stringify(one)).join(', ');
  throw new UsageError(`${name} must be one of ${right}; got ${shownValue(value)}.`);
}

const SCIENTIFIC = /^-?(?:0|[1-9]\d*)(?:\.\d+)?[eE][+-]?\d{1,3}$/;
const BOOLEAN = /^(?:true|false|True|False|TRUE|FALSE)$/;
/** The smallest double with full precision. */
const LEAST_EXACT = 2 ** -1022;
/** The most digits that `toExponential` accepts. */
const MOST_DIGITS = 100;

/**
 * The type of a field without quotes. `number`: a decimal of up to 15 digits, or any number as printed from a double,
 * also with an exponent; `long`: an integer of more digits, which is rather an id; `boolean`; `text`: everything else.
 */
type FieldKind = 'number' | 'long' | 'boolean' | 'text';

/** The marks within numbers. */
export interface CsvMarks {
  /** The mark before the decimals. */
  readonly decimal: '.' | ',';
  /** The mark between thousands, if there is one. */
  readonly thousands?: '.' | ',' | undefined;
}

/** Numbers with a mark between all their thousands. */
const GROUPED = { ',': /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/, '.': /^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/ };

/**
 * A field as it would be with a point before its decimals and without marks between thousands, as {@link fieldKind}
 * takes it. A text that is no number by these marks does not become one.
 */
export function plainNumeral(text: string, { decimal, thousands }: CsvMarks): string {
  const whole = thousands !== undefined && GROUPED[thousands].test(text) ? text.replaceAll(thousands, '') : text;
  return decimal === ',' ? whole.replace(/[.,]/g, (mark) => (mark === ',' ? '.' : ',')) : whole;
}

/** The type of a single field without quotes; the type of a column depends on all its fields. */
export function fieldKind(text: string): FieldKind {
  const first = text.charCodeAt(0);
  // Only digits and the minus sign begin a number, so most text needs no regular expression.
  if (first !== 45 && (first < 48 || first > 57)) {
    if (text === 'Infinity') return 'number';
    return text.length < 6 && BOOLEAN.test(text) ? 'boolean' : 'text';
  }
  if (isShortDecimal(text)) return 'number';
  if (PLAIN_DECIMAL.test(text)) {
    if (String(Number(text)) !== text) return 'text';
    return text.includes('.') ? 'number' : 'long';
  }
  return text === '-Infinity' || isScientific(text) ? 'number' : 'text';
}

/** Whether a text is a number with an exponent whose digits are those of its double, in full or rounded to as many. */
function isScientific(text: string): boolean {
  if (!SCIENTIFIC.test(text)) return false;
  const digits = significant(text);
  const value = Number(text);
  const size = Math.abs(value);
  if (digits.length <= MAX_DIGITS && size >= LEAST_EXACT && size <= Number.MAX_VALUE) return true;
  const held = (places?: number) => significant(value.toExponential(places));
  // The two ways of printing may round ties differently.
  return (digits.length <= MOST_DIGITS && digits === held(Math.max(0, digits.length - 1))) || digits === held();
}

/** The digits of a number with an exponent, from the first that is not 0. */
function significant(scientific: string): string {
  const digits = scientific.slice(0, scientific.search(/e/i)).replace('-', '').replace('.', '');
  return digits.startsWith('0') ? digits.replace(/^0+/, '') : digits;
}
