import type { Position } from '../line-index.js';

const LINES_AROUND = 2;
const WIDEST = 160;

/**
 * The lines around a place, numbered, with a caret under it.
 *
 * @returns One text a line; empty where the place lies outside the source.
 * @example codeFrame('a();\nb();', { line: 2, column: 1 }); // ['  1 | a();', '> 2 | b();', '    | ^']
 */
export function codeFrame(source: string, { line, column }: Position): string[] {
  const lines = source.split('\n');
  const text = lines[line - 1];
  if (text === undefined || text.length > WIDEST) return [];
  const first = Math.max(1, line - LINES_AROUND);
  const last = Math.min(lines.length, line + LINES_AROUND);
  const width = String(last).length;
  const frame: string[] = [];
  for (let number = first; number <= last; number++) {
    const label = String(number).padStart(width);
    frame.push(`${number === line ? '>' : ' '} ${label} | ${lines[number - 1] ?? ''}`.trimEnd());
    if (number !== line) continue;
    const indent = text.slice(0, column - 1).replace(/[^\t]/g, ' ');
    frame.push(`  ${' '.repeat(width)} | ${indent}^`);
  }
  return frame;
}
