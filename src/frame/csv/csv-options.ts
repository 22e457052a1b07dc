import { UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import { fieldKind } from './csv-kind.js';

/** Options for writing a frame as CSV. */
export interface CsvOptions {
  /** Whether the first line has the names of the columns. Default true. */
  header?: boolean;
  /** The character between two fields. Default `,`. */
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
   * spreadsheet treats as formulas: `guard` puts a `'` before them, `keep` leaves them. Numbers are never changed.
   * Default `keep`, because the guard changes the data for every other reader: choose it for files that people open in
   * a spreadsheet.
   */
  formulas?: 'keep' | 'guard';
  /** Whether the file begins with a byte order mark, by which Excel recognizes UTF-8. Default false. */
  bom?: boolean;
}

/** The progress of writing a file. */
export interface WriteProgress {
  /** Rows encoded so far. */
  rows: number;
  /** Rows in all; absent while rows are still arriving. */
  total?: number;
}

/** Options for writing a file of rows. */
export interface WriteOptions {
  /** Whether the file is compressed. Default: if its name ends in `.gz`. */
  gzip?: boolean;
  /** Called with the progress after each piece of a large file, some hundred kilobytes long, and at the end. */
  onProgress?: (progress: WriteProgress) => void;
}

/** Options for writing a CSV file. */
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

/** @throws {UsageError} If the delimiter is not supported. */
export function checkDelimiter(delimiter: string): void {
  checkOneOf('delimiter', delimiter, DELIMITERS);
}

function checkOneOf(name: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  const right = allowed.map((one) => JSON.stringify(one)).join(', ');
  throw new UsageError(`${name} must be one of ${right}; got ${JSON.stringify(value)}.`);
}
