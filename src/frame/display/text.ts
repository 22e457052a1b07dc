import { knownOptions } from '../../base/nearest.js';
import type { Tabular } from '../tabular.js';
import { shortId } from './cell-formatter.js';
import { type Excerpt, type ExcerptColumn, excerptOf, sizeLine } from './excerpt.js';
import { oneLine } from './one-line.js';
import { cutToWidth, terminalWidth } from './terminal-width.js';
import { chooseColumns, type TextColumn } from './text-columns.js';

/** Options of `toText`. */
export interface TextOptions {
  /** Characters in a line at most. Default 100. */
  width?: number;
  /** Rows shown at most: half of them from the beginning, half from the end. Default 20. */
  rows?: number;
}

const GAP = '  ';

/**
 * A frame as a text table that fits a terminal. Numbers are right-aligned with thousands separators; long ids (also in
 * names of columns) and long texts are shortened. Columns that do not fit are left out and named below: empty ones
 * first, then all ids and long texts but the first. Characters that are two places wide count as two.
 *
 * @param options.width Characters in a line at most. Default 100.
 * @param options.rows Rows shown at most: half of them from the beginning, half from the end. Default 20.
 * @throws {UsageError} If an option is unknown.
 * @example console.log(toText(pnl, { width: process.stdout.columns }));
 */
export function toText(frame: Tabular, options: TextOptions = {}): string {
  knownOptions('toText', options, ['width', 'rows']);
  const { width = 100, rows = 20 } = options;
  const excerpt = excerptOf(frame, rows);
  const columns = excerpt.columns.map(layOut);
  const labels = labelColumn(excerpt);
  const chosen = chooseColumns(columns, width - (labels ? labels.width + GAP.length : 0), GAP.length);
  const lines = tableLines(excerpt, labels ? [labels, ...chosen] : chosen);
  const names = new Set(chosen.map(({ name }) => name));
  const left = columns.filter(({ name }) => !names.has(name)).map(({ header }) => header);
  if (left.length > 0) lines.push(...wrapped(`… and ${left.join(', ')}`, width));
  lines.push(sizeLine(excerpt.rows, columns.length));
  return lines.join('\n');
}

function layOut({ column, texts, numeric, cells }: ExcerptColumn): TextColumn {
  const { name } = column;
  const header = oneLine(shortId(name));
  const plain = texts.map(oneLine);
  const width = plain.reduce((most, text) => Math.max(most, terminalWidth(text)), terminalWidth(header));
  const isId = !numeric && plain.some((text, at) => text !== '' && text !== cells[at] && /^\w{4,6}…\w{4}$/.test(text));
  return { name, header, texts: plain, numeric, width, isEmpty: plain.every((text) => text === ''), isId };
}

function labelColumn({ labels }: Excerpt): TextColumn | undefined {
  if (!labels) return undefined;
  const texts = labels.map(oneLine);
  const width = texts.reduce((most, text) => Math.max(most, terminalWidth(text)), 0);
  return { name: '', header: '', texts, numeric: false, width, isEmpty: false, isId: false };
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
