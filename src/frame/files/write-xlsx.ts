import { DataError, UsageError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { knownOptions } from '../../base/nearest.js';
import { writeWhole } from '../../base/whole-file.js';
import type { Column } from '../../contract/definition.js';
import { writtenPath } from '../csv/file-forms.js';
import type { WriteProgress, WrittenFile } from '../csv/named-file.js';
import { columnsOf } from '../tabular/columns-of.js';
import { columnNames, mistakeOf, rowCount, type Tabular, vectorsOf } from '../tabular/tabular.js';
import { toIsoTime } from '../vector/iso-time.js';
import { type Cell, cellAt, isMissing, type Vector } from '../vector/vector.js';
import { checkedSheetName, MOST_COLUMNS, MOST_ROWS, MOST_TEXT, widthOf } from './xlsx-limits.js';

/** Options of `writeXlsx`. */
export interface XlsxOptions {
  /** Name of the sheet of a single frame, 1 to 31 characters. Default `Sheet1`. */
  sheet?: string;
  /** Called with the progress from time to time, and at the end. */
  onProgress?: (progress: WriteProgress) => void;
}

/** What a cell of a workbook holds. */
type SheetCell = string | number | boolean | Date | null;

const PROGRESS_ROWS = 10_000;

/**
 * Writes frames as an Excel workbook, which LibreOffice and Google Sheets open, too. Text stays text: ids keep all their
 * digits, and nothing that begins with `=` is a formula. Times are real dates, shown as days where all are midnight;
 * amounts in USD have a dollar sign and cents, rates are shown as %, counts have thousands separators. The row of names
 * stays in sight, and columns are as wide as their content. A single frame is written in constant memory; several are
 * held until the file is complete.
 *
 * A workbook holds numbers as doubles: exact amounts of more than 15 digits are rounded, and infinite numbers are
 * written as text. So are times before March 1900, which not all programs count alike. Missing values are empty cells.
 *
 * @param frames A frame, or an object with a frame for each name of a sheet.
 * @param path The file; its folder has to exist.
 * @returns Its path and size; `rows` are those of all sheets, without their rows of names.
 * @throws {UsageError} If an option is unknown, what is given is no frame, there is no sheet, or a sheet's name is not
 * allowed or given twice, or the name's ending is that of another form.
 * @throws {DataError} If a frame has more than 1,048,575 rows or 16,384 columns, or a text more than 32,767 characters,
 * which a sheet cannot hold; or if the file cannot be written. Then nothing is left behind.
 * @example await writeXlsx({ Weekly: weekly, Markets: markets }, 'out/study.xlsx'); // { path: '…', rows: 240, bytes: … }
 */
export async function writeXlsx(
  frames: Tabular | Readonly<Record<string, Tabular>>,
  path: string,
  options: XlsxOptions = {},
): Promise<WrittenFile> {
  knownOptions('writeXlsx', options, ['sheet', 'onProgress']);
  const sheets = namedFrames(frames, options.sheet).map(([name, frame]) => sheetOf(name, frame));
  const target = writtenPath(path, 'xlsx');
  const { writeXlsx: encode, writeXlsxStream } = await import('hucre/xlsx');
  const total = sheets.reduce((sum, { rows }) => sum + rows, 0);
  let written = 0;
  const rows = function* (sheet: Sheet): Generator<SheetCell[]> {
    yield [...sheet.names];
    for (const row of rowsOf(sheet)) {
      yield row;
      written += 1;
      if (written % PROGRESS_ROWS === 0 || written === total) options.onProgress?.({ rows: written, total });
    }
  };
  const [only, ...others] = sheets;
  if (only && others.length === 0) {
    const { name, columns } = only;
    const stream = writeXlsxStream(rows(only), { name, columns, freezePane: FROZEN });
    const bytes = await writeWhole(target, stream as unknown as AsyncIterable<Uint8Array>);
    return { path: target, rows: total, bytes };
  }
  const content = await encode({
    sheets: sheets.map((sheet) => {
      return { name: sheet.name, columns: sheet.columns, rows: [...rows(sheet)], freezePane: FROZEN };
    }),
  });
  return { path: target, rows: total, bytes: await writeWhole(target, content) };
}

const FROZEN = { rows: 1 };

function namedFrames(given: unknown, sheet = 'Sheet1'): [string, Tabular][] {
  if (hasColumns(given)) {
    columnNames(given);
    return [[checkedSheetName(sheet, []), given]];
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw noFrame(given);
  }
  const entries = Object.entries(given);
  const isOther =
    '$isSeries' in given || ['then', 'frame'].some((name) => typeof Reflect.get(given, name) === 'function');
  if (entries.length === 0 || isOther) throw noFrame(given);
  const taken: string[] = [];
  return entries.map(([name, frame]) => {
    taken.push(checkedSheetName(name, taken));
    if (hasColumns(frame)) return [name, frame];
    throw new UsageError(`writeXlsx: the sheet "${name}" is no frame, but ${frame === null ? 'null' : typeof frame}.`);
  });
}

function noFrame(given: unknown): UsageError {
  return new UsageError(
    `This needs a frame, but ${mistakeOf(given)} writeXlsx takes a frame for each sheet, too: { Weekly: frame }.`,
  );
}

/** Whether something looks like a frame, whole or not, rather than like frames by their names. */
function hasColumns(given: unknown): given is Tabular {
  return typeof given === 'object' && given !== null && 'columns' in given && Array.isArray(given.columns);
}

/** A frame as a sheet that is ready to be written. */
interface Sheet {
  readonly name: string;
  readonly names: readonly string[];
  readonly rows: number;
  readonly cells: readonly ((row: number) => SheetCell)[];
  readonly columns: { width: number; numFmt: string }[];
}

function sheetOf(name: string, frame: Tabular): Sheet {
  const rows = rowCount(frame);
  const vectors = vectorsOf(frame);
  const subject = `The sheet "${name}"`;
  if (rows > MOST_ROWS) {
    throw new DataError(
      `${subject} has ${rows.toLocaleString('en-US')} rows, but a workbook holds ${MOST_ROWS.toLocaleString('en-US')} below the names: write it in parts, or as CSV or Parquet.`,
    );
  }
  if (vectors.length > MOST_COLUMNS) {
    throw new DataError(`${subject} has ${vectors.length} columns, but a workbook holds ${MOST_COLUMNS}.`);
  }
  for (const column of frame.columns) refuseLong(subject, 'the name of a column', column);
  const columns = columnsOf(frame);
  const made = columns.map((column, at) => sheetColumn(column, itemAt(vectors, at)));
  for (const [at, vector] of vectors.entries()) {
    // Null stands among the words of a column that danfo made.
    const words = vector.kind === 'text' ? vector.words : vector.kind === 'mixed' ? vector.cells : [];
    for (const word of words) if (typeof word === 'string') refuseLong(subject, `"${frame.columns[at]}"`, word);
  }
  return {
    name,
    rows,
    names: frame.columns.map(plainText),
    cells: made.map(({ cell }) => cell),
    columns: made.map(({ numFmt, samples }, at) => ({
      numFmt,
      width: widthOf(itemAt(frame.columns, at), samples(Math.min(rows, 200))),
    })),
  };
}

function refuseLong(subject: string, where: string, text: string): void {
  if (text.length <= MOST_TEXT) return;
  throw new DataError(
    `${subject} has a text of ${text.length.toLocaleString('en-US')} characters in ${where}, but a cell of a workbook holds ${MOST_TEXT.toLocaleString('en-US')}: cut it, or write CSV or Parquet.`,
  );
}

function* rowsOf({ rows, cells }: Sheet): Generator<SheetCell[]> {
  for (let row = 0; row < rows; row += 1) yield cells.map((cell) => cell(row));
}

interface SheetColumn {
  readonly numFmt: string;
  cell(row: number): SheetCell;
  /** The texts of the first rows, about as long as they are shown. */
  samples(rows: number): string[];
}

function sheetColumn(column: Column, vector: Vector): SheetColumn {
  const dates = column.dtype === 'datetime' ? datesOf(vector) : undefined;
  const cell = (row: number): SheetCell => dates?.cells.get(cellAt(vector, row)) ?? plainCell(cellAt(vector, row));
  const numFmt = dates ? dates.numFmt : numberFormat(column, vector);
  const samples = (rows: number): string[] =>
    Array.from({ length: rows }, (_, row) => {
      const value = cell(row);
      if (value instanceof Date) return numFmt;
      return typeof value === 'number'
        ? `$${value.toLocaleString('en-US', { minimumFractionDigits: 2 })}`
        : String(value ?? '');
    });
  return { numFmt, cell, samples };
}

function plainCell(cell: Cell): SheetCell {
  if (isMissing(cell)) return null;
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : String(cell);
  if (typeof cell === 'boolean') return cell;
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? 'Invalid Date' : dateCell(cell);
  return plainText(String(cell));
}

/** A text such that a reader of the file gets the same: `_x0041_` in it is not an A. */
function plainText(text: string): string {
  return text.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_').replace(/[\ufffe\uffff]/g, '\ufffd');
}

/** From here on dates are counted alike by all programs: Excel has a 29 February 1900. */
const FIRST_DATE = Date.UTC(1900, 2, 1);
const LAST_DATE = Date.UTC(10000, 0, 1);

function dateCell(date: Date): SheetCell {
  const time = date.getTime();
  return time < FIRST_DATE || time >= LAST_DATE ? date.toISOString() : date;
}

/** The dates of the texts of a column of times, and how they are shown. */
function datesOf(vector: Vector): { cells: Map<Cell, SheetCell>; numFmt: string } {
  const cells = new Map<Cell, SheetCell>();
  let isDays = true;
  for (const word of vector.kind === 'text' ? vector.words : vector.kind === 'mixed' ? vector.cells : []) {
    if (typeof word !== 'string' || cells.has(word)) continue;
    const time = new Date(toIsoTime(word) ?? '');
    if (Number.isNaN(time.getTime())) continue;
    if (time.getTime() % 86_400_000 !== 0) isDays = false;
    const cell = dateCell(time);
    cells.set(word, cell instanceof Date ? cell : word);
  }
  if (vector.kind === 'mixed' && vector.cells.some((cell) => cell instanceof Date && cell.getTime() % 86_400_000 !== 0))
    isDays = false;
  return { cells, numFmt: isDays ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss' };
}

/** The number format of a column by its unit; `@`, text, for a column of text. */
function numberFormat({ dtype, unit, fraction }: Column, vector: Vector): string {
  if (dtype === 'string') return '@';
  if (dtype === 'boolean') return 'General';
  if (fraction) return '0.0%';
  if (unit === '%') return '#,##0.0"%"';
  if (unit?.startsWith('USD')) return '"$"#,##0.00;-"$"#,##0.00';
  const isWhole = dtype === 'int32' || (vector.kind === 'number' && vector.values.every((n) => !(n % 1)));
  return isWhole ? '#,##0' : '#,##0.00####';
}
