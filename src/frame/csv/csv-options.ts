import { knownOptions } from '../../contract/known-options.js';
import { UsageError } from '../../errors.js';
import { fieldKind } from './csv-kind.js';

/** How a frame is written as CSV. */
export interface CsvOptions {
  /** Whether the first line names the columns. Default true. */
  header?: boolean;
  /** What stands between two fields. Default `,`. */
  delimiter?: ',' | ';' | '\t' | '|';
  /**
   * What stands in quotes: `minimal` what needs them, and text that would read as a number or as true or false; `text`
   * every text and time, but no number, boolean or name of a column; `all` every field that is not missing. Default
   * `minimal`.
   */
  quoting?: 'minimal' | 'text' | 'all';
  /**
   * What stands for a missing value, no number and neither true nor false, which would be told apart from none. Text
   * that is the same is quoted. Default nothing at all.
   */
  nullText?: string;
  /**
   * What becomes of text, and of names of columns, that begin with `=`, `+`, `-`, `@`, a tab or a line break, which a
   * spreadsheet takes for a formula: `guard` puts a `'` before it, `keep` leaves it. Numbers are never touched. Default
   * `keep`, since the guard changes the data for every other reader: choose it for files that people open in a
   * spreadsheet.
   */
  formulas?: 'keep' | 'guard';
  /** Whether the file begins with a byte order mark, by which Excel knows UTF-8. Default false. */
  bom?: boolean;
}

/** How far the writing of a file is. */
export interface WriteProgress {
  /** Rows encoded so far. */
  rows: number;
  /** Rows there are in all; absent while they are still coming. */
  total?: number;
}

/** How a file of rows is written. */
export interface WriteOptions {
  /** Whether it is compressed. Default: where its name ends in `.gz`. */
  gzip?: boolean;
  /** Told after each piece of a large file, some hundred kilobytes long, and at the end. */
  onProgress?: (progress: WriteProgress) => void;
}

/** How a CSV file is written. */
export interface CsvFileOptions extends CsvOptions, WriteOptions {}

const FORM = ['header', 'delimiter', 'quoting', 'nullText', 'formulas', 'bom'] satisfies (keyof CsvOptions)[];
const WRITING = ['gzip', 'onProgress'] satisfies (keyof WriteOptions)[];
const DELIMITERS = [',', ';', '\t', '|'];

/**
 * The options with their defaults.
 *
 * @throws {UsageError} If one of them has a value that it cannot have.
 */
export function csvForm(options: CsvOptions): Required<CsvOptions> {
  knownOptions('writing CSV', options, [...FORM, ...WRITING]);
  const {
    header = true,
    delimiter = ',',
    quoting = 'minimal',
    nullText = '',
    formulas = 'keep',
    bom = false,
  } = options;
  checkDelimiter(delimiter);
  checkOneOf('quoting', quoting, ['minimal', 'text', 'all']);
  checkOneOf('formulas', formulas, ['keep', 'guard']);
  if (/["\r\n]/.test(nullText) || nullText.includes(delimiter)) {
    throw new UsageError(
      `nullText must hold no quote, line break or delimiter, such as "NA"; got ${JSON.stringify(nullText)}.`,
    );
  }
  if (fieldKind(nullText) !== 'text') {
    throw new UsageError(
      `nullText must be no number and no boolean, which a column may hold itself, but such as "NA"; got ${JSON.stringify(nullText)}.`,
    );
  }
  return { header, delimiter, quoting, nullText, formulas, bom };
}

/** @throws {UsageError} If the delimiter is none that we write or read. */
export function checkDelimiter(delimiter: string): void {
  checkOneOf('delimiter', delimiter, DELIMITERS);
}

function checkOneOf(name: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  const right = allowed.map((one) => JSON.stringify(one)).join(', ');
  throw new UsageError(`${name} must be one of ${right}; got ${JSON.stringify(value)}.`);
}
