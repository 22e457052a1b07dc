const [NEWLINE, RETURN, QUOTE, COMMA] = [10, 13, 34, 44];

/** Tracks, from quote to quote, whether a place in a CSV is within a quoted value. */
class Quoting {
  isOpen = false;
  /** Whether the last quote ended a value, unless another one follows it. */
  hasClosed = false;

  /** Takes the next quote. @param before The byte before it. */
  meet(before: number): void {
    const opens = !this.isOpen && (isBetween(before) || (before === QUOTE && this.hasClosed));
    this.hasClosed = this.isOpen;
    this.isOpen = opens;
  }
}

function isBetween(byte: number): boolean {
  return byte === COMMA || byte === NEWLINE || byte === RETURN;
}

/** What is known of a CSV's lines only after all of them were seen. */
export class CsvLines {
  readonly #quoting = new Quoting();
  #line = 1;
  #openedOn = 1;
  #unclosedOn: number | undefined;
  #last = NEWLINE;
  #hasPlain = false;
  #hasReturned = false;

  add(block: Buffer): void {
    if (this.#last === QUOTE || block.includes(QUOTE)) this.#lookAtEach(block);
    else {
      for (let at = block.indexOf(NEWLINE); at !== -1; at = block.indexOf(NEWLINE, at + 1)) {
        this.#look(NEWLINE, block[at - 1] ?? this.#last);
      }
    }
    this.#last = block.at(-1) ?? this.#last;
  }

  /** Whether some lines end in LF and others in CRLF, not counting those within quoted values. */
  get haveMixedEnds(): boolean {
    return this.#hasPlain && this.#hasReturned;
  }

  /** The first line with a quoted value that runs on over other lines and is never closed properly. */
  get unclosedOn(): number | undefined {
    const isOpen = this.#quoting.isOpen && this.#line - this.#openedOn > (this.#last === NEWLINE ? 1 : 0);
    return this.#unclosedOn ?? (isOpen ? this.#openedOn : undefined);
  }

  #lookAtEach(block: Buffer): void {
    let before = this.#last;
    for (let at = 0; at < block.length; at++) {
      const byte = block[at] ?? 0;
      // Other bytes do not matter.
      if (byte === QUOTE || byte === NEWLINE || before === QUOTE) this.#look(byte, before);
      before = byte;
    }
  }

  #look(byte: number, before: number): void {
    const quoting = this.#quoting;
    if (byte === QUOTE) {
      quoting.meet(before);
      if (quoting.isOpen && before !== QUOTE) this.#openedOn = this.#line;
    } else if (byte === NEWLINE) {
      this.#line++;
      if (quoting.isOpen) return;
      if (before === RETURN) this.#hasReturned = true;
      else this.#hasPlain = true;
    } else if (before === QUOTE && quoting.hasClosed && !isBetween(byte) && this.#line > this.#openedOn) {
      this.#unclosedOn ??= this.#openedOn;
    }
  }
}

/** The content of a CSV with all lines ended by LF; quoted values stay as they are. */
export async function* withLineFeeds(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const quoting = new Quoting();
  let last = NEWLINE;
  let isHeld = false;
  for await (const block of content) {
    const lines = Buffer.allocUnsafe(block.length + 1);
    let length = 0;
    for (let at = 0; at < block.length; at++) {
      const byte = block[at] ?? 0;
      if (isHeld && byte !== NEWLINE) lines[length++] = RETURN;
      isHeld = byte === RETURN && !quoting.isOpen;
      if (byte === QUOTE) quoting.meet(last);
      if (!isHeld) lines[length++] = byte;
      last = byte;
    }
    yield lines.subarray(0, length);
  }
  if (isHeld) yield Buffer.of(RETURN);
}
