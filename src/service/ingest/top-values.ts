const [NEWLINE, QUOTE, COMMA, BACKSLASH] = [10, 34, 44, 92];
const [OPENING, CLOSING] = [
  [91, 123],
  [93, 125],
];

/** The bytes that matter outside of strings, within a string, and after a backslash in a string. */
const OUTSIDE = telling([NEWLINE, QUOTE, COMMA, ...OPENING, ...CLOSING]);
const IN_TEXT = telling([NEWLINE, QUOTE, BACKSLASH]);
const ESCAPED = new Uint8Array(256).fill(1);

function telling(bytes: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (bytes.includes(byte) ? 1 : 0));
}

/** Finds where a JSON list or record follows another one in a file, or on a line. */
export class TopValues {
  /** Whether a list or record follows another one. */
  areSeveral = false;
  /** Whether a comma follows one, outside of any list. */
  areParted = false;
  readonly #byLine: boolean;
  #depth = 0;
  #ended = false;
  #tells = OUTSIDE;

  /** @param byLine Whether each line stands for itself. */
  constructor(byLine: boolean) {
    this.#byLine = byLine;
  }

  /** Takes the next block. @returns The places in it where a list, record or comma follows a list or record. */
  add(block: Buffer): number[] {
    // Local variables, since this loop looks at each byte.
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

/** JSON lines with each record on a line of its own, without commas between records. */
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
