import { Buffer, isUtf8 } from 'node:buffer';

/** A place in the UTF-8 text of a page. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Offset of the next byte. */
  at = 0;
  /** Decimal places of the number that was read last. */
  places = 0;
  /** Whether the text that was looked at last is ASCII. */
  plain = true;
  readonly #text: Buffer;
  #valid: boolean | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The text from an offset to before another, where its bytes are known to be ASCII. */
  ascii(start: number, end: number): string {
    return this.#text.toString('latin1', start, end);
  }

  /** The text from an offset to before another, neither inside a character; undefined where the page is no UTF-8. */
  text(start: number, end: number): string | undefined {
    return this.isUtf8() ? this.#text.toString('utf8', start, end) : undefined;
  }

  /** Whether the page is UTF-8. Found out once, and only of pages that are not plain ASCII where it matters. */
  isUtf8(): boolean {
    this.#valid ??= isUtf8(this.bytes);
    return this.#valid;
  }
}
