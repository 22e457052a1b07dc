/** A place in a source text: line and column from 1, columns in UTF-16 units as in editors. */
export interface Position {
  line: number;
  column: number;
}

/** Converts between offsets in a text and its lines and columns. */
export class LineIndex {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** The offset of a position; a line past the end counts as the last line. */
  offset(position: Position): number {
    const line = Math.min(position.line, this.#starts.length);
    return this.#startOf(line) + position.column - 1;
  }

  /** The position of an offset. */
  position(offset: number): Position {
    const line = this.#starts.findLastIndex((start) => start <= offset) + 1;
    return { line, column: offset - this.#startOf(line) + 1 };
  }

  #startOf(line: number): number {
    const start = this.#starts[line - 1];
    if (start === undefined) throw new RangeError(`A text of ${this.#starts.length} lines has no line ${line}.`);
    return start;
  }
}

const LINES_AROUND = 2;
const WIDEST = 160;

/**
 * The numbered lines around a place, with a caret under it; empty if the place lies outside the source.
 *
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
  for (const [index, near] of lines.slice(first - 1, last).entries()) {
    const number = first + index;
    const label = String(number).padStart(width);
    frame.push(`${number === line ? '>' : ' '} ${label} | ${clipped(near, skipped)}`.trimEnd());
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
