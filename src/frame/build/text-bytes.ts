/**
 * Encodes texts as bytes. It is UTF-8, extended to lone surrogates, which escapes in JSON can make, so that different
 * texts always have different bytes.
 */
export class TextBytes {
  #bytes = new Uint8Array(256);
  view = new DataView(this.#bytes.buffer);
  /** Whether the last encoded text is ASCII. */
  plain = true;
  /** Whether it has lone surrogates, so that its bytes are not UTF-8. */
  halves = false;

  /** Encodes a text at the start of `view` and returns the number of bytes. */
  encode(text: string): number {
    if (this.#bytes.length < 3 * text.length) {
      this.#bytes = new Uint8Array(3 * text.length);
      this.view = new DataView(this.#bytes.buffer);
    }
    this.plain = true;
    this.halves = false;
    const bytes = this.#bytes;
    let end = 0;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit >= 0x80) return this.#encodeRest(text, at, end);
      bytes[end++] = unit;
    }
    return end;
  }

  #encodeRest(text: string, from: number, start: number): number {
    const bytes = this.#bytes;
    this.plain = false;
    let end = start;
    for (let at = from; at < text.length; at += 1) {
      const point = text.codePointAt(at) ?? 0;
      if (point < 0x80) bytes[end++] = point;
      else if (point < 0x800) bytes[end++] = 0xc0 | (point >> 6);
      else if (point < 0x10000) bytes[end++] = 0xe0 | (point >> 12);
      else {
        bytes[end++] = 0xf0 | (point >> 18);
        bytes[end++] = 0x80 | ((point >> 12) & 0x3f);
        at += 1;
      }
      if (point >= 0xd800 && point < 0xe000) this.halves = true;
      if (point >= 0x800) bytes[end++] = 0x80 | ((point >> 6) & 0x3f);
      if (point >= 0x80) bytes[end++] = 0x80 | (point & 0x3f);
    }
    return end;
  }
}
