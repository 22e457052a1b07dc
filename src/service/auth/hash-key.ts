import { hash } from 'node:crypto';

/** The SHA-256 of an API key in hexadecimal, all that is kept. It needs no salt, as a key has 256 random bits. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}
