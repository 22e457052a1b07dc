import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Bytes of an AES-GCM nonce and of its tag. */
const NONCE = 12;
const TAG = 16;

/** Signs and seals with the dashboard's secret. Each purpose has its own key, so that no value serves for another. */
export class Signer {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /** A code of a text that only the secret's holder can make: 43 characters that are safe in a URL and a cookie. */
  codeOf(purpose: string, text: string): string {
    return createHmac('sha256', this.#keyOf(purpose)).update(text).digest('base64url');
  }

  /** Whether a code is that of a text, compared in constant time. */
  isCodeOf(purpose: string, text: string, code: string): boolean {
    const [right, given] = [Buffer.from(this.codeOf(purpose, text)), Buffer.from(code)];
    return right.length === given.length && timingSafeEqual(right, given);
  }

  /** A text followed by a dot and its code; {@link Signer.verified} reads it. */
  signed(purpose: string, text: string): string {
    return `${text}.${this.codeOf(purpose, text)}`;
  }

  /** The text of a result of {@link Signer.signed}; undefined if it was changed or is something else. */
  verified(purpose: string, signed: string): string | undefined {
    const dot = signed.lastIndexOf('.');
    const text = signed.slice(0, Math.max(dot, 0));
    return this.isCodeOf(purpose, text, signed.slice(dot + 1)) ? text : undefined;
  }

  /** Encrypts a text with the secret. @param whose Its owner; {@link Signer.unsealed} needs the same. */
  sealed(purpose: string, text: string, whose: string): string {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(purpose), nonce).setAAD(Buffer.from(whose));
    return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  /** The text of a result of {@link Signer.sealed}; undefined if it was changed or is somebody else's. */
  unsealed(purpose: string, sealed: string, whose: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < NONCE + TAG) return undefined;
    const cipher = createDecipheriv('aes-256-gcm', this.#keyOf(purpose), bytes.subarray(0, NONCE));
    cipher.setAAD(Buffer.from(whose)).setAuthTag(bytes.subarray(-TAG));
    try {
      return Buffer.concat([cipher.update(bytes.subarray(NONCE, -TAG)), cipher.final()]).toString();
    } catch {
      return undefined;
    }
  }

  #keyOf(purpose: string): Buffer {
    return createHmac('sha256', this.#secret).update(purpose).digest();
  }
}
