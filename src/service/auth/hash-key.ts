import { hash } from 'node:crypto';

/**
 * The SHA-256 of an API key in hexadecimal, which is all that is kept. A key has 256 random bits, so it needs no salt.
 */
export function hashKey(key: string): string {
  return hash('sha256', key);
}
