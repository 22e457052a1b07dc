import { isUtf8 } from 'node:buffer';
import { InputError, UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import type { Column, RecordOf } from '../../contract/definition.js';
import { decodeCsvColumn, inferCsvColumn } from '../csv/csv-decode.js';
import { type CsvOptions, checkDelimiter, checkOneOf, FORMULAS, IDS, MARKS } from '../csv/csv-options.js';
import { CsvCells, type CsvFields, isQuoted, type Refuse, scanCsv, textOfField } from '../csv/csv-scanner.js';
import { withoutGuard, withoutTab } from '../csv/csv-words.js';
import { fullPath } from '../csv/named-file.js';
import { codeForNumber, tellUnreadNumbers, type UnreadNumbers, unreadNumbers } from '../csv/unread-numbers.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import { checkColumns } from '../tabular/columns-of.js';
import type { DataFrame } from '../tabular/data-frame.js';
import { isIdName } from '../tabular/infer-column.js';
import type { Vector } from '../vector/vector.js';
import { readTextFile } from './text-file.js';

/** Options for reading a CSV file. */
export interface ReadCsvOptions {
  /**
   * Descriptions of columns, which are found in the file by their names or aliases, in any order. The other columns of
   * the file are inferred. Default: all are inferred.
   */
  columns?: readonly Column[];
  /** Whether those of `columns` that are `decimal` become exact micro-units. Default false: doubles. */
  exact?: boolean;
  /**
   * The character between two fields. Default: the one of `,`, `;`, tab and `|` that occurs most often in the first
   * line.
   */
  delimiter?: CsvOptions['delimiter'];
  /**
   * Whether the first line has the names of the columns. If not, their names are those of `columns`, or 0, 1, 2 and so
   * on. Default true.
   */
  header?: boolean;
  /** Unquoted text that means a missing value, in addition to an empty field. Default: none. */
  nullText?: string;
  /**
   * The mark before the decimals of a number. With a comma, a field with a point is no number, unless `thousands` is a
   * point. Default `.`.
   */
  decimal?: CsvOptions['decimal'];
  /**
   * The mark that may stand between the thousands of a number, in all places or in none, as in `1,200.50`; never the one
   * before decimals. Default: such a number is text, and a column of nothing else is told in a warning.
   */
  thousands?: ',' | '.';
  /**
   * Whether a tab before text that reads as a number, such as a token id, is taken away, as `writeCsv` puts one there for
   * spreadsheets: `text` takes it away, and leaves the column text; `plain` reads what the file holds. Default `plain`.
   */
  ids?: CsvOptions['ids'];
  /**
   * Whether a `'` before text and names that begin with `=`, `+`, `-`, `@`, a tab or a line break is taken away, as
   * `writeCsv` puts one there as a guard against formulas: `guard` takes one away and leaves the column text; `keep`
   * reads what the file holds. Default `keep`.
   */
  formulas?: CsvOptions['formulas'];
}

/**
 * Reads a CSV file into a frame. Given `columns`, a file that `writeCsv` wrote comes back with its dtypes; of the options
 * of `writeCsv`, `decimal`, `ids`, `formulas`, `nullText` and `header` have to be given here, too, and the others need
 * not. Only `dates: 'day'` has left the time out. The file may be by any writer: RFC 4180, LF or CRLF, with or without a byte order mark, compressed by gzip or not. An empty field
 * is missing, `""` is an empty text.
 *
 * Columns that are not in `columns` are inferred from all rows: a column is numeric only if every value is an unquoted
 * number, such as `-12.5`, `1e5`, `1.5e-07` or `Infinity`. Ids (by the column's name) and integers of more than 15
 * digits remain text, and so do quoted values, unless the file quotes everything. A column also becomes text by any of
 * these: a decimal of more than 15 digits that is not the way a double prints, as exact amounts of billions are; a
 * number beyond doubles, such as `1e400`; leading zeros, a plus sign, a point without digits on both sides, `inf`, or
 * `NaN` unless it is the `nullText`. A float column that happens to hold only whole numbers comes back as `int32`. A
 * column is `datetime` only if every value is a date or `2025-11-05T14:30:00Z`; times as pandas and DuckDB write them,
 * `2025-11-05 14:30:00+00:00`, remain text, which sorts by its characters. Give `columns` where that matters, as for
 * such times and codes like `12e5`, and `exact` for exact amounts.
 *
 * A column that remains text but holds nothing but numbers as people write them is told in a warning, with an example
 * and what to write: `1,200.50`, `1.200,50`, `$5.00`, `12%`, `(5.00)`, `+5.00`, `.5`, `007.5`, or numbers with one other
 * word such as `NA`. Leading zeros or a plus alone, as ids and phone numbers have them, are no sign of numbers.
 *
 * @throws {InputError} If the file cannot be read, is empty or not UTF-8, a row has too few or too many fields, a line
 * ends in a bare CR, a quote is never closed, a given column is missing, or a value does not fit its column: names the
 * line.
 * @throws {UsageError} If an option is unknown or has a value that it cannot have.
 * @example const again = await readCsv('out/pnl.csv', { columns: columnsOf(pnl) });
 */
export async function readCsv<const Columns extends readonly Column[]>(
  path: string,
  options: ReadCsvOptions & { columns: Columns },
): Promise<DataFrame<RecordOf<Columns>>>;
export async function readCsv<Row extends object = object>(
  path: string,
  options?: ReadCsvOptions,
): Promise<DataFrame<Row>>;
export async function readCsv(path: string, options: ReadCsvOptions = {}): Promise<DataFrame> {
  const { frame, target, unread } = await csvFrame(path, options);
  tellUnreadNumbers(`readCsv: columns of ${target}`, unread);
  return frame;
}

/** What `readCsv` reads of a file, with its full path, and the columns that it would warn of. */
export async function csvFrame(
  path: string,
  options: ReadCsvOptions,
): Promise<{ frame: DataFrame; target: string; unread: readonly UnreadNumbers[] }> {
  knownOptions('readCsv', options, [
    'columns',
    'exact',
    'delimiter',
    'header',
    'nullText',
    'decimal',
    'thousands',
    'ids',
    'formulas',
  ]);
  const {
    columns = [],
    delimiter,
    header = true,
    nullText = '',
    exact = false,
    decimal = '.',
    thousands,
    ids = 'plain',
    formulas = 'keep',
  } = options;
  checkColumns('readCsv', columns);
  if (delimiter !== undefined) checkDelimiter(delimiter);
  checkOneOf('decimal', decimal, MARKS);
  if (thousands !== undefined) checkOneOf('thousands', thousands, MARKS);
  if (thousands === decimal) {
    throw new UsageError(`decimal and thousands of readCsv are the same mark, ${JSON.stringify(decimal)}: give both.`);
  }
  checkOneOf('ids', ids, IDS);
  checkOneOf('formulas', formulas, FORMULAS);
  if (exact && !columns.some(({ decimal }) => decimal)) {
    throw new UsageError('exact needs columns that are decimal: give columns, such as PNL_COLUMNS.');
  }
  const target = fullPath(path);
  // Without a line of names, a file of no rows is empty; its columns are those given.
  const input = await readCsvInput(target, !header && columns.length > 0);
  const refuse: Refuse = (at, what) => {
    throw new InputError(`${target}, line ${input.lineOf(at)}, ${what}.`);
  };
  const between = delimiter ?? likelyDelimiter(input, decimal);
  const fields = scanCsv(input.bytes, input.from, between.charCodeAt(0), refuse);
  const names = namesOf(fields, header ? undefined : columns, ids, formulas);
  const known = knownColumns(target, names, columns);
  const about = {
    header: header ? (1 as const) : (0 as const),
    nullText,
    allQuoted: quotesAll(fields),
    delimiter: between,
    decimal,
    thousands,
    ids,
    formulas,
  };
  const unread: UnreadNumbers[] = [];
  const read = names.map((name, place): { column: Column; vector: Vector } => {
    const cells = new CsvCells(fields, place, about);
    const column = known[place];
    if (!column) {
      const inferred = inferCsvColumn(name, cells);
      if (inferred.column.dtype === 'string' && inferred.vector.kind === 'text' && !isIdName(name)) {
        const found = unreadNumbers(name, inferred.vector, cells, about);
        if (found) unread.push(found);
      }
      return inferred;
    }
    const refuseRow = (row: number, expected: string): never => {
      const code = ['float64', 'int32'].includes(column.dtype)
        ? codeForNumber(name, cells.text(row) ?? '', about)
        : undefined;
      const remedy = code
        ? `. Leave "${name}" out of columns to read it as text: then ${code.write} ${code.effect}`
        : '';
      return refuse(
        cells.placeOf(row),
        `has ${shown(cells.text(row))} as its "${name}"; it should be ${expected}${remedy}`,
      );
    };
    return { column, vector: decodeCsvColumn(column, cells, exact, refuseRow) };
  });
  const frame = frameFromVectors(
    read.map(({ column }) => column),
    read.map(({ vector }) => vector),
  );
  return { frame, target, unread };
}

function likelyDelimiter({ bytes, from }: CsvInput, decimal: string): string {
  const end = bytes.indexOf('\n', from);
  const line = bytes.toString('utf8', from, end < 0 ? bytes.length : end).replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string) => line.split(delimiter).length;
  const others = [';', '\t', '|'];
  // A comma that stands before decimals stands between no fields.
  return others.reduce((best, other) => (count(other) > count(best) ? other : best), decimal === ',' ? ';' : ',');
}

function namesOf(fields: CsvFields, given: readonly Column[] | undefined, ids: string, formulas: string): string[] {
  const nameOf = (text: string) => {
    const own = formulas === 'guard' ? withoutGuard(text) : text;
    return ids === 'text' && own === text ? withoutTab(text) : own;
  };
  const length = given && fields.rows === 0 ? given.length : fields.width;
  return Array.from({ length }, (_, place) =>
    given ? (given[place]?.name ?? String(place)) : nameOf(textOfField(fields, place)),
  );
}

/** The given column for each name in the file; undefined if none was given. */
function knownColumns(path: string, names: readonly string[], columns: readonly Column[]): (Column | undefined)[] {
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined) throw new InputError(`${path} names the column "${twice}" twice; rename one of them.`);
  const known = names.map((name) => columns.find((column) => column.name === name || column.alias === name));
  const missing = columns.find((column) => !known.includes(column));
  if (missing) {
    throw new InputError(
      `${path} has no column "${missing.name}"; it has ${names.map((name) => `"${name}"`).join(', ')}.`,
    );
  }
  return known;
}

/** Whether a file quotes every field, so that quotes do not tell text from numbers. */
function quotesAll(fields: CsvFields): boolean {
  for (let field = 0; field < fields.rows * fields.width; field += 1) {
    const isEmpty = fields.starts[field] === fields.ends[field];
    if (!isQuoted(fields, field) && (field < fields.width || !isEmpty)) return false;
  }
  return true;
}

function shown(text: string | undefined): string {
  if (text === undefined) return 'nothing';
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}…` : text);
}

const LF = 10;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The UTF-8 text of a file. */
interface CsvInput {
  readonly bytes: Buffer;
  /** Offset of the text, after a byte order mark if there is one. */
  readonly from: number;
  /** The number of the line that holds a byte, counted from 1. */
  lineOf(at: number): number;
}

/**
 * Reads a text file. A file that is compressed with gzip is unpacked, whatever its name.
 *
 * @throws {InputError} If it cannot be read, is damaged or empty, or is not UTF-8 (the message names the line).
 */
async function readCsvInput(path: string, mayBeEmpty: boolean): Promise<CsvInput> {
  const bytes = await readTextFile(path, 'CSV');
  const from = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  const lineOf = (at: number) => linesBefore(bytes, at) + 1;
  if (bytes.length === from && !mayBeEmpty)
    throw new InputError(`${path} is empty; a CSV file begins with a line of names.`);
  if (!isUtf8(bytes)) {
    throw new InputError(`${path}, line ${brokenLine(bytes)}, is no UTF-8 text; save the file as CSV in UTF-8.`);
  }
  return { bytes, from, lineOf };
}

function linesBefore(bytes: Buffer, end: number): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at >= 0 && at < end; at = bytes.indexOf(LF, at + 1)) lines += 1;
  return lines;
}

/** The first line that is not UTF-8; invalid bytes cannot span lines, since a line feed is a character of its own. */
function brokenLine(bytes: Buffer): number {
  for (let [line, from] = [1, 0]; ; line += 1) {
    const end = bytes.indexOf(LF, from);
    if (end < 0 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
}
