const [NEWLINE, RETURN, QUOTE] = [10, 13, 34];

/** Tells whether some lines of a CSV end by LF and others by CRLF; what stands in quoted values is left aside. */
export class LineEnds {
  #quoted = false;
  #last = 0;
  #hasPlain = false;
  #hasReturned = false;

  add(block: Buffer): void {
    let quote = block.indexOf(QUOTE);
    const countQuotes = (before: number) => {
      for (; quote !== -1 && quote < before; quote = block.indexOf(QUOTE, quote + 1)) this.#quoted = !this.#quoted;
    };
    for (let at = block.indexOf(NEWLINE); at !== -1; at = block.indexOf(NEWLINE, at + 1)) {
      countQuotes(at);
      if (this.#quoted) continue;
      if ((at === 0 ? this.#last : block[at - 1]) === RETURN) this.#hasReturned = true;
      else this.#hasPlain = true;
    }
    countQuotes(block.length);
    this.#last = block.at(-1) ?? this.#last;
  }

  get areMixed(): boolean {
    return this.#hasPlain && this.#hasReturned;
  }
}

/** The content of a CSV with all lines ended by LF; what stands in quoted values stays as it is. */
export async function* withLineFeeds(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [quoted, held] = [false, false];
  for await (const block of content) {
    const lines = Buffer.allocUnsafe(block.length + 1);
    let length = 0;
    for (let at = 0; at < block.length; at++) {
      const byte = block[at] ?? 0;
      if (held && byte !== NEWLINE) lines[length++] = RETURN;
      held = byte === RETURN && !quoted;
      if (byte === QUOTE) quoted = !quoted;
      if (!held) lines[length++] = byte;
    }
    yield lines.subarray(0, length);
  }
  if (held) yield Buffer.of(RETURN);
}
