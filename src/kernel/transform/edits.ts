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
  text: string;
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
  /** The offset in `text` of what stands at an offset in the original; undefined if it was replaced. */
  place(offset: number): number | undefined;
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

  /** Inserts text around a range. Of ranges that begin or end at one place, the longer is outside, else the earlier. */
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
    const edits = this.#edits.sort(
      (a, b) =>
        a.start - b.start ||
        a.end - b.end ||
        a.side - b.side ||
        // Where ranges end together, the innermost comes first.
        (a.side === -1 ? a.length - b.length || b.order - a.order : b.length - a.length || a.order - b.order),
    );
    const rest: Piece[] = [];
    const moved = new Map(this.#hoisted.map((range): [Range, Piece[]] => [range, []]));
    let position = 0;
    let next = 0;
    const copyTo = (end: number, pieces: Piece[]): void => {
      const copy = (to: number): unknown =>
        to > position && pieces.push({ text: this.#text.slice(position, to), from: position, copied: true });
      // Text inserted after a range that ends here belongs to what comes before.
      for (let edit = edits[next]; edit && (edit.start < end || (edit.start === end && edit.side === -1)); ) {
        copy(edit.start);
        pieces.push({ text: edit.text, from: edit.start, copied: false });
        position = edit.end;
        edit = edits[++next];
      }
      copy(end);
      position = Math.max(position, end);
    };
    for (const range of [...this.#hoisted].sort((a, b) => a.start - b.start)) {
      const pieces = moved.get(range) ?? [];
      copyTo(range.start, rest);
      copyTo(range.end, pieces);
      pieces.push({ text: '\n', from: range.end, copied: false });
    }
    copyTo(this.#text.length + 1, rest);
    return joined([{ text: this.#header, from: 0, copied: false }, ...[...moved.values()].flat(), ...rest]);
  }

  #add({ start, end, text, side, length }: Omit<Edit, 'order'>): void {
    this.#edits.push({ start, end, text, side, length, order: this.#edits.length });
  }
}

function joined(pieces: readonly Piece[]): Rewritten {
  let text = '';
  const placed = pieces.map((piece) => {
    const at = text.length;
    text += piece.text;
    return { ...piece, at };
  });
  const origin = (offset: number): number => {
    const piece = placed.findLast(({ at }) => at <= offset);
    if (!piece) return 0;
    return piece.copied ? piece.from + offset - piece.at : piece.from;
  };
  const place = (offset: number): number | undefined => {
    const piece = placed.find((each) => each.copied && each.from <= offset && offset < each.from + each.text.length);
    return piece && piece.at + offset - piece.from;
  };
  return { text, origin, place };
}
