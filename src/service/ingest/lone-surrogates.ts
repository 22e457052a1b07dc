/** A pair of escaped surrogates, one alone, or any other escape of JSON. */
const ESCAPE = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|[\s\S])/g;

/**
 * Finds surrogates in JSON that are escaped without their other half, as `"\ud83d"`, and puts U+FFFD in their place: a
 * character that was cut in two, for which the engine refuses all text around it.
 */
export class LoneSurrogates {
  /** Whether there was one. */
  areThere = false;
  #rest: Buffer = Buffer.alloc(0);

  /** Takes the next block. @returns What is mended so far, up to a comma: none stands within a pair. */
  add(block: Buffer): Buffer {
    const text = Buffer.concat([this.#rest, block]);
    const end = text.lastIndexOf(',') + 1;
    this.#rest = text.subarray(end);
    return this.#mended(text.subarray(0, end));
  }

  /** What is left behind the last comma, mended. */
  end(): Buffer {
    return this.#mended(this.#rest);
  }

  #mended(text: Buffer): Buffer {
    if (!text.includes('\\ud') && !text.includes('\\uD')) return text;
    const mended = text.toString('latin1').replace(ESCAPE, (whole, lone) => {
      if (lone === undefined) return whole;
      this.areThere = true;
      return '\\ufffd';
    });
    return Buffer.from(mended, 'latin1');
  }
}

/** JSON with U+FFFD for each surrogate that lacks its other half. */
export async function* withWholeCharacters(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const surrogates = new LoneSurrogates();
  for await (const block of content) yield surrogates.add(block);
  yield surrogates.end();
}
