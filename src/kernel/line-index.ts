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
    return (this.#starts[line - 1] ?? 0) + position.column - 1;
  }

  /** The position of an offset. */
  position(offset: number): Position {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}
