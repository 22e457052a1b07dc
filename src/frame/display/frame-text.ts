import { UsageError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { appendAll } from '../../base/many.js';
import { knownOptions } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import { columnNames, type Tabular } from '../tabular/tabular.js';
import type { Cell } from '../vector/vector.js';
import { idParts, shortId } from './cell-formatter.js';
import { type Excerpt, type ExcerptColumn, excerptOf, isNote, sizeLine } from './excerpt.js';
import { cutToWidth, oneLine, terminalWidth } from './terminal-width.js';

/** Options of `toText`. */
export interface TextOptions {
  /** Characters in a line at most. Default 100. */
  width?: number;
  /** Rows shown at most: half of them from the beginning, half from the end. Default 20. */
  rows?: number;
  /** Whether ids and texts are whole, and no column is left out, however long the lines get. Default false. */
  full?: boolean;
}

const GAP = '  ';

/**
 * A frame as a text table that fits a terminal. Numbers are right-aligned with thousands separators; long ids (also in
 * names of columns) and long texts are shortened. Columns that do not fit are left out and named below: empty ones
 * first, then all ids and long texts but the first. Characters that are two places wide count as two.
 *
 * @param options.width Characters in a line at most. Default 100.
 * @param options.rows Rows shown at most: half of them from the beginning, half from the end. Default 20.
 * @param options.full Whether ids and texts are whole, and no column is left out, however long the lines get. Default false.
 * @throws {UsageError} If an option is unknown, or `full` is neither true nor false.
 * @example console.log(toText(pnl, { width: process.stdout.columns }));
 */
export function toText(frame: Tabular, options: TextOptions = {}): string {
  columnNames(frame);
  knownOptions('toText', options, ['width', 'rows', 'full']);
  const { width = 100, rows = 20, full = false } = options;
  if (!(typeof width === 'number' && width > 0))
    throw new UsageError(`width of toText must be a number of characters, such as 100; got ${shownValue(width)}.`);
  if (!(typeof rows === 'number' && rows >= 0))
    throw new UsageError(`rows of toText must be a number of rows, such as 20; got ${shownValue(rows)}.`);
  const excerpt = excerptOf(frame, rows);
  const columns = excerpt.columns.map((column) => layOut(column, full));
  const labels = labelColumn(excerpt);
  const room = width - (labels ? labels.width + GAP.length : 0);
  const chosen = full ? columns : withWholeIds(chooseColumns(columns, room, GAP.length), excerpt.columns, room);
  const lines = tableLines(excerpt, labels ? [labels, ...chosen] : chosen);
  const names = new Set(chosen.map(({ name }) => name));
  const left = columns.filter(({ name }) => !names.has(name)).map(({ header }) => header);
  if (left.length > 0) appendAll(lines, wrapped(`… and ${left.join(', ')}`, width));
  lines.push(sizeLine(excerpt.rows, columns.length));
  return lines.join('\n');
}

/**
 * Shows ids whole, so that they can be copied, where there is room for that beside all else: the first column of ids
 * first.
 */
function withWholeIds(chosen: TextColumn[], columns: readonly ExcerptColumn[], room: number): TextColumn[] {
  let left = room - chosen.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length);
  return chosen.map((column) => {
    const whole = column.isId ? columns.find(({ column: { name } }) => name === column.name) : undefined;
    if (whole === undefined) return column;
    const laid = layOut(whole, true);
    if (laid.width - column.width > left) return column;
    left -= laid.width - column.width;
    return laid;
  });
}

function layOut(excerpt: ExcerptColumn, full: boolean): TextColumn {
  const { column, numeric, cells } = excerpt;
  const { name } = column;
  const texts = full && !numeric ? excerpt.texts.map((text, at) => wholeId(cells[at], text)) : excerpt.texts;
  const header = oneLine(full ? name : shortId(name));
  const plain = texts.map(oneLine);
  const width = plain.reduce((most, text) => Math.max(most, terminalWidth(text)), terminalWidth(header));
  const isId = !numeric && plain.some((text, at) => text !== '' && text !== cells[at] && /^\w{4,6}…\w{4}$/.test(text));
  const isEmpty = plain.every((text) => text === '');
  return { name, header, texts: plain, numeric, width, isEmpty, isId, isNote: isNote(excerpt) };
}

/** An id in full; any other cell as it is shown. */
function wholeId(cell: Cell, text: string): string {
  return typeof cell === 'string' && cell !== text && idParts(cell) ? cell : text;
}

function labelColumn({ labels }: Excerpt): TextColumn | undefined {
  if (!labels) return undefined;
  const texts = labels.map(oneLine);
  const width = texts.reduce((most, text) => Math.max(most, terminalWidth(text)), 0);
  return { name: '', header: '', texts, numeric: false, width, isEmpty: false, isId: false, isNote: false };
}

function tableLines(excerpt: Excerpt, columns: readonly TextColumn[]): string[] {
  const line = (textOf: (column: TextColumn) => string) =>
    columns
      .map((column) => pad(textOf(column), column))
      .join(GAP)
      .trimEnd();
  const lines = [line(({ header }) => header), line(({ width }) => '─'.repeat(width))];
  for (let row = 0; row < excerpt.shown; row += 1) {
    if (row === excerpt.head) lines.push(line(() => '…'));
    lines.push(line(({ texts }) => itemAt(texts, row)));
  }
  return lines;
}

function pad(text: string, { width, numeric }: TextColumn): string {
  const cut = cutToWidth(text, width);
  const space = ' '.repeat(Math.max(0, width - terminalWidth(cut)));
  return numeric ? space + cut : cut + space;
}

/** Wraps a text into lines of whole words; only a longer word exceeds the width. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && terminalWidth(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `  ${word}`);
  }
  return lines;
}

/** A column of a text table, before or after its width was chosen. */
interface TextColumn {
  /** Full name of the frame's column. */
  readonly name: string;
  /** The name as it is shown. */
  readonly header: string;
  readonly texts: readonly string[];
  readonly numeric: boolean;
  /** Width in terminal columns. */
  readonly width: number;
  /** Whether no shown row has a value. */
  readonly isEmpty: boolean;
  /** Whether it holds shortened ids. */
  readonly isId: boolean;
  /** Whether it is the note to each row, which comes before all that may be left out. */
  readonly isNote: boolean;
}

/** Text is not cut below this width if a column can be left out instead. */
const READABLE = 16;
const COMFORTABLE = 32;
const WIDEST = 60;

/**
 * Chooses the columns of a text table that fit, in their order, and their widths. The first column always stays; then
 * as many as fit with text cut to a readable width, with further long texts, further ids and empty columns last. Room
 * that is left goes to the texts that were cut.
 *
 * @param limit Width of a line in terminal columns.
 * @param gap Width of the gap between columns.
 */
function chooseColumns(columns: readonly TextColumn[], limit: number, gap: number): TextColumn[] {
  const chosen = new Set<TextColumn>();
  let left = limit + gap;
  /** Width that the texts chosen so far still need to be readable. */
  let wish = 0;
  for (const { column, rank } of byRank(columns)) {
    const needed = leastWidth(column) + gap;
    if (needed + (rank > PLAIN ? wish : 0) > left && chosen.size > 0) continue;
    chosen.add(column);
    left -= needed;
    wish += Math.max(0, Math.min(wanted(column), COMFORTABLE) - leastWidth(column));
  }
  const kept = columns.filter((column) => chosen.has(column));
  if (left < 0) return kept.map((column) => ({ ...column, width: Math.max(1, leastWidth(column) + left) }));
  return widened(kept, left);
}

/** The rank of ordinary columns; columns of a higher rank are shown only if there is room left. */
const PLAIN = 1;

function byRank(columns: readonly TextColumn[]): { column: TextColumn; rank: number }[] {
  return columns.map((column) => ({ column, rank: rankOf(column, columns) })).sort((a, b) => a.rank - b.rank);
}

function rankOf(column: TextColumn, columns: readonly TextColumn[]): number {
  if (column === columns[0] || (column.isNote && !column.isEmpty)) return 0;
  if (column.isEmpty && column.texts.length > 0) return 4;
  if (column.isId) return columns.find(({ isId }) => isId) === column ? PLAIN : 3;
  return isLong(column) && columns.find(isLong) !== column ? 2 : PLAIN;
}

function isLong({ numeric, width }: TextColumn): boolean {
  return !numeric && width > READABLE;
}

function leastWidth({ numeric, width, isNote }: TextColumn): number {
  if (isNote) return Math.min(width, WIDEST);
  return numeric ? width : Math.min(width, READABLE);
}

/** Divides the remaining room among the texts that need it, those that need least first. */
function widened(columns: readonly TextColumn[], room: number): TextColumn[] {
  const widths = new Map(columns.map((column) => [column, leastWidth(column)]));
  const cut = columns.filter((column) => wanted(column) > leastWidth(column)).sort((a, b) => wanted(a) - wanted(b));
  let left = room;
  for (const [at, column] of cut.entries()) {
    const least = leastWidth(column);
    const more = Math.min(wanted(column) - least, Math.floor(left / (cut.length - at)));
    widths.set(column, least + more);
    left -= more;
  }
  return columns.map((column) => ({ ...column, width: widths.get(column) ?? column.width }));
}

function wanted({ numeric, width, isNote }: TextColumn): number {
  return numeric || isNote ? width : Math.min(width, WIDEST);
}
