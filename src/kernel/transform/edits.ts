interface Edit {
  start: number;
  end: number;
  text: string;
  /** Of what is wrapped around a range: 1 before it, -1 behind it; else 0. */
  side: -1 | 0 | 1;
  /** Of what is wrapped around a range: the range's length. */
  length: number;
}

interface Range {
  start: number;
  end: number;
}

interface Piece {
  /** Offset in the rewritten text where the piece begins. */
  at: number;
  /** Offset in the original that its first character stands for. */
  from: number;
  /** False for text that we put in: all of it stands for the one offset. */
  copied: boolean;
}

/** The rewritten text, and where each of its characters came from. */
export interface Rewritten {
  text: string;
  /** The offset in the original that an offset in `text` stands for. */
  origin(offset: number): number;
}

/** Replacements in a text, and ranges of it that move to its front, collected in any order and applied at once. */
export class Edits {
  readonly #text: string;
  readonly #edits: Edit[] = [];
  readonly #hoisted: Range[] = [];
  #header = '';

  constructor(text: string) {
    this.#text = text;
  }

  /** Replaces a range, or inserts where it is empty. Ranges must not overlap. */
  replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text, side: 0, length: 0 });
  }

  /** Inserts around a range. Of two that begin or end at one place, the longer lies outside, else the earlier. */
  wrap(start: number, end: number, before: string, after: string): void {
    const length = end - start;
    this.#edits.push({ start, end: start, text: before, side: 1, length });
    this.#edits.push({ start: end, end, text: after, side: -1, length });
  }

  /** Moves a range to the front, behind what was moved before it; edits inside go along. */
  hoist(start: number, end: number): void {
    this.#hoisted.push({ start, end });
  }

  /** Puts a text before everything else, on the first line. */
  prepend(text: string): void {
    this.#header += text;
  }

  /** Applies everything. */
  apply(): Rewritten {
    const edits = this.#edits.map((edit, order) => ({ ...edit, order }));
    edits.sort(
      (a, b) =>
        a.start - b.start ||
        a.end - b.end ||
        a.side - b.side ||
        // At its end, what is innermost comes first.
        (a.side === -1 ? a.length - b.length || b.order - a.order : b.length - a.length || a.order - b.order),
    );
    const writer = new Writer(this.#text, edits);
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
}

class Writer {
  readonly #source: string;
  /** By their starts. */
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
      // What ends there belongs to what stands before.
      if (edit.start === start && edit.side === -1) continue;
      this.#raw(position, edit.start);
      this.put(edit.text, edit.start);
      position = edit.end;
    }
    this.#raw(position, end);
  }

  /** The index of the first edit that begins there or behind. */
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
