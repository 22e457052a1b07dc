import type { Position } from '../line-index.js';

const LINES_AROUND = 2;
const WIDEST = 160;

/**
 * The numbered lines around a place, with a caret under it.
 *
 * @returns One string a line; empty if the place lies outside the source.
 * @example codeFrame('a();\nb();', { line: 2, column: 1 }); // ['  1 | a();', '> 2 | b();', '    | ^']
 */
export function codeFrame(source: string, { line, column }: Position): string[] {
  const lines = source.split('\n');
  const text = lines[line - 1];
  if (text === undefined) return [];
  // Lines that are too wide show only the part around the place.
  const skipped = text.length > WIDEST ? Math.max(0, Math.min(column - 1 - WIDEST / 2, text.length - WIDEST)) : 0;
  const first = Math.max(1, line - LINES_AROUND);
  const last = Math.min(lines.length, line + LINES_AROUND);
  const width = String(last).length;
  const frame: string[] = [];
  for (let number = first; number <= last; number++) {
    const label = String(number).padStart(width);
    frame.push(`${number === line ? '>' : ' '} ${label} | ${clipped(lines[number - 1] ?? '', skipped)}`.trimEnd());
    if (number !== line) continue;
    const indent = clipped(text, skipped)
      .slice(0, column - 1 - skipped)
      .replace(/[^\t]/g, ' ');
    frame.push(`  ${' '.repeat(width)} | ${indent}^`);
  }
  return frame;
}

function clipped(line: string, skipped: number): string {
  if (line.length <= WIDEST && skipped === 0) return line;
  const part = line.slice(skipped, skipped + WIDEST);
  const before = skipped > 0 && part !== '' ? '…' : '';
  return before + part.slice(before.length) + (line.length > skipped + WIDEST ? '…' : '');
}
