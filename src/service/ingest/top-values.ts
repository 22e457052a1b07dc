const [NEWLINE, QUOTE, COMMA, BACKSLASH] = [10, 34, 44, 92];
const [OPENING, CLOSING] = [
  [91, 123],
  [93, 125],
];

/** Which bytes tell something outside of texts, within one, and behind a backslash of one. */
const OUTSIDE = telling([NEWLINE, QUOTE, COMMA, ...OPENING, ...CLOSING]);
const IN_TEXT = telling([NEWLINE, QUOTE, BACKSLASH]);
const ESCAPED = new Uint8Array(256).fill(1);

function telling(bytes: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (bytes.includes(byte) ? 1 : 0));
}

/** Tells where JSON lists or records follow another one of a file, or of a line. */
export class TopValues {
  /** Whether one follows another. */
  areSeveral = false;
  /** Whether a comma does, in no list. */
  areParted = false;
  readonly #byLine: boolean;
  #depth = 0;
  #ended = false;
  #tells = OUTSIDE;

  /** @param byLine Whether each line is looked at for itself. */
  constructor(byLine: boolean) {
    this.#byLine = byLine;
  }

  /** Takes the next block. @returns Where in it a list or record, or a comma, stands behind a list or record. */
  add(block: Buffer): number[] {
    // In variables of its own, as it looks at each byte.
    let [depth, ended, tells] = [this.#depth, this.#ended, this.#tells];
    const byLine = this.#byLine;
    const places: number[] = [];
    for (let at = 0; at < block.length; at++) {
      const byte = block[at] ?? 0;
      if (tells[byte] === 0) continue;
      if (byte === NEWLINE && byLine) [depth, ended, tells] = [0, false, OUTSIDE];
      else if (tells === ESCAPED) tells = IN_TEXT;
      else if (byte === QUOTE) tells = tells === OUTSIDE ? IN_TEXT : OUTSIDE;
      else if (byte === BACKSLASH) tells = ESCAPED;
      else if (isClosing(byte)) ended = --depth === 0;
      else if (byte !== NEWLINE) {
        if (ended) places.push(at);
        ended = false;
        if (byte !== COMMA) depth++;
      }
    }
    [this.#depth, this.#ended, this.#tells] = [depth, ended, tells];
    this.#note(block, places);
    return places;
  }

  #note(block: Buffer, places: readonly number[]): void {
    for (const place of places) {
      if (block[place] === COMMA) this.areParted = true;
      else this.areSeveral = true;
    }
  }
}

function isClosing(byte: number): boolean {
  return byte === 93 || byte === 125;
}

/** JSON lines with each record that follows another one on a line of its own, without commas between them. */
export async function* withLineEach(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const values = new TopValues(true);
  for await (const block of content) {
    const pieces: Buffer[] = [];
    let from = 0;
    for (const place of values.add(block)) {
      pieces.push(block.subarray(from, place), LINE_END);
      from = block[place] === COMMA ? place + 1 : place;
    }
    yield Buffer.concat([...pieces, block.subarray(from)]);
  }
}

const LINE_END = Buffer.of(NEWLINE);
