import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../base/errors.js';
import { folderError, ifThere } from '../folder/folder-layout.js';
import { privateFolder, writeOnce } from './private-files.js';

/** Bytes of an AES-GCM nonce and of its tag. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

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

  /** What the log calls somebody: a keyed hash, long enough to tell apart whoever comes. */
  logCodeOf(what: 'client' | 'address', text: string): string {
    return this.codeOf(`${what} in the log`, text).slice(0, 16);
  }

  /** A text followed by a dot and its code; {@link Signer.verified} reads it. */
  signed(purpose: string, text: string): string {
    return `${text}.${this.codeOf(purpose, text)}`;
  }

  /** The text of a result of {@link Signer.signed}; undefined if it was changed or is something else. */
  verified(purpose: string, signed: string): string | undefined {
    const dot = signed.lastIndexOf('.');
    const text = signed.slice(0, Math.max(dot, 0));
    return isSameSecret(this.codeOf(purpose, text), signed.slice(dot + 1)) ? text : undefined;
  }

  /** Encrypts a text with the secret. @param whose Its owner; {@link Signer.unsealed} needs the same. */
  sealed(purpose: string, text: string, whose: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(purpose), nonce).setAAD(Buffer.from(whose));
    return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  /** The text of a result of {@link Signer.sealed}; undefined if it was changed or is somebody else's. */
  unsealed(purpose: string, sealed: string, whose: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const cipher = createDecipheriv('aes-256-gcm', this.#keyOf(purpose), bytes.subarray(0, NONCE_BYTES));
    cipher.setAAD(Buffer.from(whose)).setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()]).toString();
    } catch {
      return undefined;
    }
  }

  #keyOf(purpose: string): Buffer {
    return createHmac('sha256', this.#secret).update(purpose).digest();
  }
}

/** Whether two texts are the same, compared in a time that tells only whether they are equally long. */
export function isSameSecret(right: string, given: string): boolean {
  const [a, b] = [Buffer.from(right), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The length of the secret. */
const SECRET_BYTES = 32;

/**
 * Reads the secret with which a data folder's dashboard signs its cookies: 32 random bytes in `dashboard/secret`, which
 * only the file's owner may read. The first call makes it. All processes over the folder get the same. Removing the
 * file signs everybody out.
 *
 * @throws {DataError} If it cannot be made or read, or is damaged.
 */
export async function loadSecret(folder: string): Promise<Buffer> {
  const path = join(folder, 'dashboard', 'secret');
  const secret = Buffer.from((await readSecret(path)) ?? (await makeSecret(folder, path)), 'base64url');
  if (secret.length !== SECRET_BYTES) {
    throw new DataError(`The secret in ${path} is damaged: remove the file, and all users sign in once more.`);
  }
  return secret;
}

function readSecret(path: string): Promise<string | undefined> {
  const read = async () => {
    const text = await readFile(path, 'utf8');
    // A copied folder may have lost its permissions.
    if ((await stat(path)).mode & 0o077) await chmod(path, 0o600);
    return text.trim();
  };
  return ifThere(`the secret in ${path}`, read());
}

async function makeSecret(folder: string, path: string): Promise<string> {
  try {
    await privateFolder(join(folder, 'dashboard'));
    await writeOnce(path, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
    return (await readSecret(path)) ?? '';
  } catch (error) {
    throw folderError(folder, error);
  }
}
