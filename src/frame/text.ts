import { stripVTControlCharacters } from 'node:util';
import { type Excerpt, type ExcerptColumn, excerptOf, sizeLine } from './excerpt.js';
import type { Tabular } from './tabular.js';

/** How a frame is shown as text. */
export interface TextOptions {
  /** Characters a line may take. Default 100. */
  width?: number;
  /** Rows shown at most, half of them from the end. Default 20. */
  rows?: number;
}

const MAX_CELL = 40;
const MIN_CELL = 8;
const GAP = '  ';

/**
 * A frame as a text table that fits a terminal: numbers right-aligned with thousands separators, long ids and texts
 * shortened, columns that do not fit left out and named below.
 *
 * @example console.log(toText(pnl, { width: process.stdout.columns }));
 */
export function toText(frame: Tabular, { width = 100, rows = 20 }: TextOptions = {}): string {
  const excerpt = excerptOf(frame, rows);
  const columns = excerpt.columns.map(layOut);
  const fitting = narrowToFit(columns, width);
  const lines = tableLines(excerpt, fitting);
  const left = columns.slice(fitting.length).map(({ header }) => header);
  if (left.length > 0) lines.push(`… and ${left.join(', ')}`);
  lines.push(sizeLine(excerpt.rows, columns.length));
  return lines.join('\n');
}

interface TextColumn {
  readonly header: string;
  readonly texts: readonly string[];
  readonly numeric: boolean;
  readonly width: number;
}

function layOut({ column, texts, numeric }: ExcerptColumn): TextColumn {
  const header = oneLine(column.name);
  const plain = texts.map(oneLine);
  const widest = plain.reduce((most, text) => Math.max(most, text.length), header.length);
  return { header, texts: plain, numeric, width: Math.min(widest, MAX_CELL) };
}

/** Narrows text columns, the widest first, until the table fits; then leaves columns out from the end. */
function narrowToFit(columns: readonly TextColumn[], limit: number): TextColumn[] {
  const fitted = [...columns];
  while (totalWidth(fitted) > limit) {
    const widest = widestText(fitted);
    const column = fitted[widest];
    if (column === undefined) break;
    const room = column.width - (totalWidth(fitted) - limit);
    fitted[widest] = { ...column, width: Math.max(MIN_CELL, room, secondWidest(fitted, widest)) };
    if (fitted[widest].width === column.width) fitted[widest] = { ...column, width: column.width - 1 };
  }
  while (fitted.length > 1 && totalWidth(fitted) > limit) fitted.pop();
  return fitted;
}

function totalWidth(columns: readonly TextColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length);
}

/** Where the widest column stands that may still shrink; -1 where none may. */
function widestText(columns: readonly TextColumn[]): number {
  let found = -1;
  for (const [at, { numeric, width }] of columns.entries()) {
    if (!numeric && width > MIN_CELL && width > (columns[found]?.width ?? 0)) found = at;
  }
  return found;
}

function secondWidest(columns: readonly TextColumn[], widest: number): number {
  const others = columns.filter(({ numeric }, at) => !numeric && at !== widest);
  return others.reduce((most, { width }) => Math.max(most, width), 0);
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
    lines.push(line(({ texts }) => texts[row] ?? ''));
  }
  return lines;
}

function pad(text: string, { width, numeric }: TextColumn): string {
  const cut = text.length > width ? `${text.slice(0, width - 1)}…` : text;
  return numeric ? cut.padStart(width) : cut.padEnd(width);
}

/** Text without line breaks and control characters, which would break the table or drive the terminal. */
function oneLine(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
