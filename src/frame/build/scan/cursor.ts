import { Buffer, isUtf8 } from 'node:buffer';

/** A place in the UTF-8 text of a page. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Offset of the next byte. */
  at = 0;
  /** Decimal places of the number that was read last. */
  places = 0;
  readonly #text: Buffer;
  #page: string | undefined;
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

  /**
   * The same, for text of which a page has much: faster, but it keeps the text of the whole page in memory for as long
   * as it lives.
   */
  asciiPart(start: number, end: number): string {
    this.#page ??= this.#text.toString('latin1');
    return this.#page.slice(start, end);
  }

  /** The text from an offset to before another, neither inside a character; undefined where the page is no UTF-8. */
  text(start: number, end: number): string | undefined {
    // Asked once a page, and only of pages that are not plain ASCII where it matters.
    this.#valid ??= isUtf8(this.bytes);
    return this.#valid ? this.#text.toString('utf8', start, end) : undefined;
  }
}
