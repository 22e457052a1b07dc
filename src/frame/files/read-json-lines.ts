import { InputError, messageOf, UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import type { Column, RecordOf } from '../../contract/definition.js';
import { fullPath } from '../csv/named-file.js';
import { tellUnreadNumbers, type UnreadNumbers, unreadJsonNumbers } from '../csv/unread-numbers.js';
import { FrameBuilder } from '../decode/frame-builder.js';
import { checkColumns, columnsOf } from '../tabular/columns-of.js';
import type { DataFrame } from '../tabular/data-frame.js';
import { isIdName } from '../tabular/infer-column.js';
import { vectorOf } from '../tabular/tabular.js';
import { usedWords } from '../vector/text-vector.js';
import { readTextFile } from './text-file.js';

/** Options for reading a file of JSON lines. */
export interface ReadJsonLinesOptions {
  /**
   * Descriptions of columns, which are found in the objects by their names or aliases. Other fields are inferred.
   * Default: all are inferred.
   */
  columns?: readonly Column[];
  /** Whether those of `columns` that are `decimal` become exact micro-units. Default false: doubles. */
  exact?: boolean;
}

const LF = 10;
/** Bytes of the lines that are read at once. */
const PIECE = 1 << 20;

/**
 * Reads a file of JSON lines (NDJSON) into a frame: one object a line, whose fields are found by their names, in any
 * order; blank lines are skipped. Given `columns`, a file that `writeJsonLines` wrote comes back with its dtypes. The file
 * may be compressed by gzip, whatever its name.
 *
 * Columns that are not in `columns` are inferred from all lines: numbers and decimal text of up to 15 digits are numbers,
 * unless the name is that of an id; integers of more digits stay text, so that no id is rounded; text that is ISO 8601
 * throughout is `datetime`; lists and objects become their JSON. A field that a line lacks is missing there.
 *
 * A column that becomes text but holds nothing but numbers, some of them as text such as `1,200.50`, or numbers with one
 * other word such as `NA`, is told in a warning, as `readCsv` tells it, with the code that makes numbers of it.
 *
 * @returns A frame without columns and rows if the file is empty and no columns are given.
 * @throws {InputError} If the file cannot be read, a line is no JSON object or not UTF-8, names a field twice, or a value
 * does not fit its column: names the line.
 * @throws {UsageError} If an option is unknown or has a value that it cannot have.
 * @example const fills = await readJsonLines('fills.ndjson.gz');
 */
export async function readJsonLines<const Columns extends readonly Column[]>(
  path: string,
  options: ReadJsonLinesOptions & { columns: Columns },
): Promise<DataFrame<RecordOf<Columns>>>;
export async function readJsonLines<Row extends object = object>(
  path: string,
  options?: ReadJsonLinesOptions,
): Promise<DataFrame<Row>>;
export async function readJsonLines(path: string, options: ReadJsonLinesOptions = {}): Promise<DataFrame> {
  const { frame, target, unread } = await jsonLinesFrame(path, options);
  tellUnreadNumbers(`readJsonLines: columns of ${target}`, unread);
  return frame;
}

/** What `readJsonLines` reads of a file, with its full path, and the columns that it would warn of. */
export async function jsonLinesFrame(
  path: string,
  options: ReadJsonLinesOptions,
): Promise<{ frame: DataFrame; target: string; unread: readonly UnreadNumbers[] }> {
  knownOptions('readJsonLines', options, ['columns', 'exact']);
  const { columns = [], exact = false } = options;
  checkColumns('readJsonLines', columns);
  if (exact && !columns.some(({ decimal }) => decimal)) {
    throw new UsageError('exact needs columns that are decimal: give columns, such as PNL_COLUMNS.');
  }
  const target = fullPath(path);
  const bytes = await readTextFile(target, 'JSON lines');
  const builder = new FrameBuilder(columns, { exact });
  for (const { lines, first } of piecesOf(bytes)) {
    let taken = -1;
    try {
      taken = builder.appendText(arrayOf(lines)).records;
    } catch {
      // Told below, with its line.
    }
    if (taken !== lines.length) {
      throw new InputError(`${target}, line ${faultyLine(lines, first, columns, exact)}`);
    }
  }
  const frame = builder.build();
  return { frame, target, unread: unreadColumns(frame, columns) };
}

/** The columns of text that look like numbers, of those that were inferred. */
function unreadColumns(frame: DataFrame, given: readonly Column[]): UnreadNumbers[] {
  return columnsOf(frame).flatMap(({ name, dtype }) => {
    if (dtype !== 'string' || isIdName(name) || given.some((column) => column.name === name)) return [];
    const vector = vectorOf(frame, name);
    return (vector.kind === 'text' && unreadJsonNumbers(name, usedWords(vector))) || [];
  });
}

/** Lines that are not blank, and the number of each, counted from 1. */
interface Piece {
  readonly lines: readonly Uint8Array[];
  readonly first: readonly number[];
}

function* piecesOf(bytes: Buffer): Generator<Piece> {
  let at = bytes.subarray(0, 3).equals(Buffer.from('\ufeff')) ? 3 : 0;
  let number = 0;
  let [lines, first, size]: [Uint8Array[], number[], number] = [[], [], 0];
  while (at < bytes.length) {
    const found = bytes.indexOf(LF, at);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(at, end);
    number += 1;
    at = end + 1;
    if (!isBlank(line)) {
      lines.push(line);
      first.push(number);
      size += line.length;
    }
    if (size < PIECE) continue;
    yield { lines, first };
    [lines, first, size] = [[], [], 0];
  }
  if (lines.length > 0) yield { lines, first };
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** Lines as the text of one JSON array. */
function arrayOf(lines: readonly Uint8Array[]): Uint8Array {
  const comma = Buffer.from(',');
  const parts = lines.flatMap((line, at) => (at === 0 ? [line] : [comma, line]));
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
}

/** The first line that alone is refused, too, and why; the lines together are known to be. */
function faultyLine(
  lines: readonly Uint8Array[],
  numbers: readonly number[],
  columns: readonly Column[],
  exact: boolean,
): string {
  for (const [at, line] of lines.entries()) {
    try {
      const { records } = new FrameBuilder(columns, { exact }).appendText(arrayOf([line]));
      if (records !== 1) return `${numbers[at]}: there are ${records} values where one object belongs.`;
    } catch (cause) {
      const why = messageOf(cause).replace(/^Page 1(?:, row 1)?:? (?:is (?=not))?/, '');
      return `${numbers[at]}: ${why}`;
    }
  }
  return `${numbers[0]}: a line is no JSON object.`;
}
