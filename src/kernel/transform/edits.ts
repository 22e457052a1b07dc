interface Edit {
  start: number;
  end: number;
  text: string;
  /** For text wrapped around a range: 1 before it, -1 after it; otherwise 0. */
  side: -1 | 0 | 1;
  /** For text wrapped around a range: the range's length. */
  length: number;
  /** How many edits were made before. */
  order: number;
}

interface Range {
  start: number;
  end: number;
}

interface Piece {
  /** Offset in the rewritten text at which the piece begins. */
  at: number;
  /** Offset in the original that corresponds to its first character. */
  from: number;
  /** False for inserted text, all of which corresponds to that one offset. */
  copied: boolean;
}

/** The rewritten text and the origin of each of its characters. */
export interface Rewritten {
  text: string;
  /** The offset in the original that corresponds to an offset in `text`. */
  origin(offset: number): number;
}

/** Collects, in any order, replacements in a text and ranges to move to its front; applies them all at once. */
export class Edits {
  readonly #text: string;
  readonly #edits: Edit[] = [];
  readonly #hoisted: Range[] = [];
  #header = '';

  constructor(text: string) {
    this.#text = text;
  }

  /** Replaces a range, or inserts if it is empty. Ranges must not overlap. */
  replace(start: number, end: number, text: string): void {
    this.#add({ start, end, text, side: 0, length: 0 });
  }

  /**
   * Inserts text around a range. If two ranges begin or end at one place, the longer is outside, otherwise the earlier.
   */
  wrap(start: number, end: number, before: string, after: string): void {
    const length = end - start;
    this.#add({ start, end: start, text: before, side: 1, length });
    this.#add({ start: end, end, text: after, side: -1, length });
  }

  /** Moves a range to the front, after those moved before it, together with edits inside it. */
  hoist(start: number, end: number): void {
    this.#hoisted.push({ start, end });
  }

  /** Inserts text before everything else, on the first line. */
  prepend(text: string): void {
    this.#header += text;
  }

  /** Applies all edits. */
  apply(): Rewritten {
    this.#edits.sort(
      (a, b) =>
        a.start - b.start ||
        a.end - b.end ||
        a.side - b.side ||
        // Where ranges end together, the innermost comes first.
        (a.side === -1 ? a.length - b.length || b.order - a.order : b.length - a.length || a.order - b.order),
    );
    const writer = new Writer(this.#text, this.#edits);
    writer.put(this.#header, 0);
    for (const range of this.#hoisted) {
      writer.copy(range.start, range.end);
      writer.put('\n', range.end);
    }
    let position = 0;
    for (const range of [...this.#hoisted].sort((a, b) => a.start - b.start)) {
      writer.copy(position, range.start);
      position = range.end;
    }
    writer.copy(position, this.#text.length + 1);
    return writer.done();
  }

  #add({ start, end, text, side, length }: Omit<Edit, 'order'>): void {
    this.#edits.push({ start, end, text, side, length, order: this.#edits.length });
  }
}

class Writer {
  readonly #source: string;
  /** Sorted by start. */
  readonly #edits: Edit[];
  readonly #pieces: Piece[] = [];
  #text = '';

  constructor(source: string, edits: Edit[]) {
    this.#source = source;
    this.#edits = edits;
  }

  put(text: string, from: number): void {
    if (text === '') return;
    this.#pieces.push({ at: this.#text.length, from, copied: false });
    this.#text += text;
  }

  copy(start: number, end: number): void {
    let position = start;
    for (let index = this.#firstFrom(start); ; index++) {
      const edit = this.#edits[index];
      if (!edit || edit.start > end || (edit.start === end && edit.side !== -1)) break;
      // Text inserted after a range that ends here belongs to what comes before.
      if (edit.start === start && edit.side === -1) continue;
      this.#raw(position, edit.start);
      this.put(edit.text, edit.start);
      position = edit.end;
    }
    this.#raw(position, end);
  }

  /** The index of the first edit that begins at `start` or later. */
  #firstFrom(start: number): number {
    let low = 0;
    let high = this.#edits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#edits[middle]?.start ?? start) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #raw(start: number, end: number): void {
    if (end <= start) return;
    this.#pieces.push({ at: this.#text.length, from: start, copied: true });
    this.#text += this.#source.slice(start, end);
  }

  done(): Rewritten {
    const pieces = this.#pieces;
    const origin = (offset: number): number => {
      const piece = pieces.findLast((candidate) => candidate.at <= offset);
      if (!piece) return 0;
      return piece.copied ? piece.from + offset - piece.at : piece.from;
    };
    return { text: this.#text, origin };
  }
}
