import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Frame } from '../zmtp/frame.js';

/** How many signatures are remembered in order to refuse repeated messages. */
const REMEMBERED = 65_536;

/** Of SHA-256. */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Messages of up to so many UTF-16 units, or bytes, are signed in one go. */
const SHORT = 4096;
/** Most bytes that one UTF-16 unit takes in UTF-8. */
const MOST_UNIT_BYTES = 3;

/** Signs messages with the key shared by front end and kernel, and checks the signatures of messages. */
export class Signer {
  readonly #key: string;
  /** What the two hashes of an HMAC (RFC 2104) are of: the key in two disguises, each before its data. */
  readonly #inner = Buffer.alloc(BLOCK_BYTES + SHORT * MOST_UNIT_BYTES, 0x36);
  readonly #outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c);
  readonly #seen = new Set<string>();

  /** @param key Empty if messages are not signed; then every signature is accepted. */
  constructor(key: string) {
    this.#key = key;
    const bytes = Buffer.from(key);
    const short = bytes.length > BLOCK_BYTES ? hash('sha256', bytes, 'buffer') : bytes;
    short.forEach((byte, at) => {
      this.#inner[at] = byte ^ 0x36;
      this.#outer[at] = byte ^ 0x5c;
    });
  }

  /** The signature of a message's four JSON parts in hexadecimal digits; empty without a key. */
  sign(parts: readonly Frame[]): string {
    if (this.#key === '') return '';
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length <= SHORT) return this.#signShort(parts);
    const hmac = createHmac('sha256', this.#key);
    for (const part of parts) hmac.update(part);
    return hmac.digest('hex');
  }

  /**
   * Checks a message's signature and remembers it.
   *
   * @returns What is wrong with it; undefined if it is valid.
   */
  refuse(signature: Buffer, parts: readonly Uint8Array[]): string | undefined {
    if (this.#key === '') return undefined;
    if (signature.length === 0) return 'it is not signed';
    const right = this.sign(parts);
    const expected = Buffer.from(right);
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return 'its signature is wrong';
    if (this.#seen.has(right)) return 'its signature was used before';
    this.#remember(right);
    return undefined;
  }

  /** Without the objects of Node's HMAC, which take longer to make than a short message to be hashed. */
  #signShort(parts: readonly Frame[]): string {
    let end = BLOCK_BYTES;
    for (const part of parts) {
      if (typeof part === 'string') end += this.#inner.write(part, end);
      else {
        this.#inner.set(part, end);
        end += part.length;
      }
    }
    this.#outer.write(hash('sha256', this.#inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'binary');
    return hash('sha256', this.#outer, 'hex');
  }

  #remember(signature: string): void {
    this.#seen.add(signature);
    if (this.#seen.size <= REMEMBERED) return;
    const [oldest = ''] = this.#seen;
    this.#seen.delete(oldest);
  }
}
