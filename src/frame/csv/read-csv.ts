import type { Column, RecordOf } from '../../contract/column.js';
import { knownOptions } from '../../contract/known-options.js';
import { InputError, UsageError } from '../../errors.js';
import type { DataFrame } from '../danfo/data-frame.js';
import { frameFromVectors } from '../frame-from-vectors.js';
import { fullPath } from '../full-path.js';
import type { Vector } from '../vector/vector.js';
import { CsvCells } from './csv-cells.js';
import { decodeCsvColumn } from './csv-decode.js';
import { inferCsvColumn } from './csv-infer.js';
import { type CsvInput, readCsvInput } from './csv-input.js';
import { type CsvOptions, checkDelimiter } from './csv-options.js';
import { type CsvFields, isQuoted, type Refuse, scanCsv, textOfField } from './csv-scanner.js';

/** How a CSV file is read. */
export interface ReadCsvOptions {
  /**
   * What the columns are, found by their names or aliases in the file, in any order. Columns of the file that are not
   * among them are inferred. Default: all are.
   */
  columns?: readonly Column[];
  /** Whether given columns that are `decimal` become exact micro-units. Default false: doubles. */
  exact?: boolean;
  /** Default: the one of `,`, `;`, tab and `|` that stands most often in the first line. */
  delimiter?: CsvOptions['delimiter'];
  /** Whether the first line names the columns. Without it they are those given, or named 0, 1, 2 and so on. Default true. */
  header?: boolean;
  /** What stands for a missing value without quotes, besides nothing at all. */
  nullText?: string;
}

/**
 * Reads a CSV file into a frame with the dtypes that it had, as {@link writeCsv} and others write it: RFC 4180, LF or
 * CRLF, with or without a byte order mark, compressed by gzip or not. An empty field is missing, `""` is an empty text.
 *
 * Columns that are not described by `columns` are inferred over all rows: a column is numeric only where every value is
 * a number without quotes, such as `-12.5`, `1e5`, `1.5e-07` or `Infinity`. Ids (by the column's name) and integers of
 * more than 15 digits stay text, and so does what stands in quotes, unless the file quotes everything. What else makes
 * its column text: a decimal of more than 15 digits that is not just how a double prints, as exact amounts of billions
 * are; what no double holds, as `1e400`; leading zeros, a plus sign, a point without digits on both sides, `inf`, and
 * `NaN` unless `nullText` says so. A float column of whole numbers alone comes back as `int32`. Give `columns` where
 * that matters, such as for codes like `12e5`, and `exact` for exact amounts.
 *
 * @throws {InputError} If the file cannot be read, is empty or no UTF-8, a row has too few or too many fields, a line
 * ends in a bare CR, a quote is never closed, a given column is not there, or a value does not fit it: names the line.
 * @throws {UsageError} If an option has a value that it cannot have.
 * @example const pnl = await readCsv('out/pnl.csv', { columns: columnsOf(pnl) });
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
  knownOptions('readCsv', options, ['columns', 'exact', 'delimiter', 'header', 'nullText']);
  const { columns = [], delimiter, header = true, nullText = '', exact = false } = options;
  if (delimiter !== undefined) checkDelimiter(delimiter);
  if (exact && !columns.some(({ decimal }) => decimal)) {
    throw new UsageError('exact needs columns that are decimal: give columns, such as PNL_COLUMNS.');
  }
  const target = fullPath(path);
  const input = await readCsvInput(target);
  const refuse: Refuse = (at, what) => {
    throw new InputError(`${target}, line ${input.lineOf(at)}, ${what}.`);
  };
  const fields = scanCsv(input.bytes, input.from, (delimiter ?? likelyDelimiter(input)).charCodeAt(0), refuse);
  const names = namesOf(fields, header ? undefined : columns);
  const known = knownColumns(target, names, columns);
  const about = { header: header ? (1 as const) : (0 as const), nullText, allQuoted: quotesAll(fields) };
  const read = names.map((name, place): { column: Column; vector: Vector } => {
    const cells = new CsvCells(fields, place, about);
    const column = known[place];
    if (!column) return inferCsvColumn(name, cells);
    const refuseRow = (row: number, expected: string): never =>
      refuse(cells.placeOf(row), `has ${shown(cells.text(row))} as its "${name}"; it should be ${expected}`);
    return { column, vector: decodeCsvColumn(column, cells, exact, refuseRow) };
  });
  return frameFromVectors(
    read.map(({ column }) => column),
    read.map(({ vector }) => vector),
  );
}

function likelyDelimiter({ bytes, from }: CsvInput): string {
  const end = bytes.indexOf('\n', from);
  const line = bytes.toString('utf8', from, end < 0 ? bytes.length : end).replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string) => line.split(delimiter).length;
  return [';', '\t', '|'].reduce((best, other) => (count(other) > count(best) ? other : best), ',');
}

function namesOf(fields: CsvFields, given: readonly Column[] | undefined): string[] {
  return Array.from({ length: fields.width }, (_, place) =>
    given ? (given[place]?.name ?? String(place)) : textOfField(fields, place),
  );
}

/** The given column of each name in the file; undefined where none was given. */
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

/** Whether a file puts everything into quotes, so that they do not tell text from numbers. */
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
