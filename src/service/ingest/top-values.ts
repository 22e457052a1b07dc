const [NEWLINE, QUOTE, COMMA, BACKSLASH] = [10, 34, 44, 92];

/** Tells whether JSON lists or records follow another one of a file, or of a line. */
export class TopValues {
  /** Whether one follows another. */
  areSeveral = false;
  /** Whether a comma does, in no list. */
  areParted = false;
  readonly #byLine: boolean;
  #depth = 0;
  #ended = false;
  #quoted = false;
  #escaped = false;

  /** @param byLine Whether each line is looked at for itself. */
  constructor(byLine: boolean) {
    this.#byLine = byLine;
  }

  add(block: Buffer): void {
    // In variables of its own, as it looks at each byte.
    let [depth, ended, quoted, escaped] = [this.#depth, this.#ended, this.#quoted, this.#escaped];
    const byLine = this.#byLine;
    for (let at = 0; at < block.length; at++) {
      const byte = block[at] ?? 0;
      if (byte === NEWLINE && byLine) {
        depth = 0;
        ended = quoted = escaped = false;
      } else if (quoted) {
        if (escaped) escaped = false;
        else if (byte === QUOTE) quoted = false;
        else if (byte === BACKSLASH) escaped = true;
      } else if (byte === QUOTE) quoted = true;
      else if (isOpening(byte)) {
        if (ended && depth === 0) this.areSeveral = true;
        depth++;
      } else if (isClosing(byte)) ended = --depth === 0;
      else if (byte === COMMA && ended && depth === 0) this.areParted = true;
    }
    [this.#depth, this.#ended, this.#quoted, this.#escaped] = [depth, ended, quoted, escaped];
  }
}

function isOpening(byte: number): boolean {
  return byte === 123 || byte === 91;
}

function isClosing(byte: number): boolean {
  return byte === 125 || byte === 93;
}
