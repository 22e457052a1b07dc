import { Buffer, isUtf8 } from 'node:buffer';

/** A position in the UTF-8 text of a page. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Offset of the next byte. */
  at = 0;
  /** Decimal places of the last number that was read. */
  places = 0;
  /** Whether the last text that was examined is ASCII. */
  plain = true;
  readonly #text: Buffer;
  #valid: boolean | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The text from `start` to before `end`, whose bytes must be ASCII. */
  ascii(start: number, end: number): string {
    return this.#text.toString('latin1', start, end);
  }

  /** The text from `start` to before `end`, neither inside a character; undefined if the page is not UTF-8. */
  text(start: number, end: number): string | undefined {
    return this.isUtf8() ? this.#text.toString('utf8', start, end) : undefined;
  }

  /** Whether the page is UTF-8. Checked once, and only if text that is not ASCII, or an odd value, is read. */
  isUtf8(): boolean {
    this.#valid ??= isUtf8(this.bytes);
    return this.#valid;
  }
}
