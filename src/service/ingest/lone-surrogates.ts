/** A pair of escaped surrogates, or a lone one (captured), whose backslash is not itself escaped. */
const SURROGATES =
  /\\u(?<=(?<!\\)(?:\\\\)*\\u)(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|([dD][89a-fA-F][0-9a-fA-F]{2}))/g;
const FIRST_HALF = /^\\u[dD][89abAB][0-9a-fA-F]{2}$/;
const LONGEST_ESCAPE = '\\uffff'.length;
const BACKSLASH = 0x5c;

/**
 * Finds escaped surrogates in JSON that lack their other half, such as `"\ud83d"`, and replaces them by U+FFFD. They
 * come from characters that were cut in two, and the engine refuses the whole text around them.
 */
export class LoneSurrogates {
  /** Whether there was one. */
  areThere = false;
  #rest: Buffer = Buffer.alloc(0);

  /** Takes the next block. @returns The mended text so far, without an end that the next block may continue. */
  add(block: Buffer): Buffer {
    const text = Buffer.concat([this.#rest, block]);
    const end = endOfWhole(text);
    this.#rest = text.subarray(end);
    return this.#mended(text.subarray(0, end));
  }

  /** What is left of the last block, mended. */
  end(): Buffer {
    return this.#mended(this.#rest);
  }

  #mended(text: Buffer): Buffer {
    if (!text.includes('\\ud') && !text.includes('\\uD')) return text;
    const mended = text.toString('latin1').replace(SURROGATES, (whole, lone) => {
      if (lone === undefined) return whole;
      this.areThere = true;
      return '\\ufffd';
    });
    return Buffer.from(mended, 'latin1');
  }
}

/** The start of a last escape that may be cut off, or of a first half whose other half may be; else the text's end. */
function endOfWhole(text: Buffer): number {
  const last = text.lastIndexOf(BACKSLASH);
  if (last < text.length - LONGEST_ESCAPE || !startsEscape(text, last)) return text.length;
  const before = last - LONGEST_ESCAPE;
  return FIRST_HALF.test(text.toString('latin1', before, last)) && startsEscape(text, before) ? before : last;
}

/** Whether a backslash stands here, after an even number of others. */
function startsEscape(text: Buffer, at: number): boolean {
  let first = at;
  while (text[first - 1] === BACKSLASH) first--;
  return text[at] === BACKSLASH && (at - first) % 2 === 0;
}

/** JSON with U+FFFD for each surrogate that lacks its other half. */
export async function* withWholeCharacters(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const surrogates = new LoneSurrogates();
  for await (const block of content) yield surrogates.add(block);
  yield surrogates.end();
}
