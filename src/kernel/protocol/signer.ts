import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Frame } from '../zmtp/frame.js';

/** How many signatures are remembered in order to refuse repeated messages. */
const REMEMBERED = 65_536;

/** Signs messages with the key shared by front end and kernel, and checks the signatures of messages. */
export class Signer {
  readonly #key: string;
  readonly #seen = new Set<string>();

  /** @param key Empty if messages are not signed; then every signature is accepted. */
  constructor(key: string) {
    this.#key = key;
  }

  /** The signature of a message's four JSON parts in hexadecimal digits; empty without a key. */
  sign(parts: readonly Frame[]): string {
    if (this.#key === '') return '';
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

  #remember(signature: string): void {
    this.#seen.add(signature);
    if (this.#seen.size <= REMEMBERED) return;
    const [oldest = ''] = this.#seen;
    this.#seen.delete(oldest);
  }
}
