import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { hashKey } from './hash-key.js';
import type { StoredKey } from './keys.js';

/** Random in each process, so that nobody can predict where in an index a key lands. */
const BLIND = randomBytes(32).toString('hex');

/** What is compared if there is no candidate, so that this takes the same time. */
const NOBODY: Entry = { key: undefined, mark: randomBytes(32) };

interface Entry {
  readonly key: StoredKey | undefined;
  readonly mark: Buffer;
}

const indexes = new WeakMap<readonly StoredKey[], ReadonlyMap<string, Entry>>();

/**
 * Finds which of these keys was presented. It takes the same time for 1 key and for 100,000, and that time reveals
 * nothing about a wrong key: a blinded hash finds the candidate, whole hashes are compared in constant time, and if
 * there is no candidate, a comparison is made all the same.
 *
 * @param keys The list that `listKeys` returned; the same list is indexed only once.
 * @returns The key, or undefined if it is none of them.
 */
export function keyOf(keys: readonly StoredKey[], presented: string): StoredKey | undefined {
  const mark = markOf(hashKey(presented));
  const { key, mark: known } = indexOf(keys).get(mark.toString('latin1', 0, 8)) ?? NOBODY;
  return timingSafeEqual(mark, known) ? key : undefined;
}

function indexOf(keys: readonly StoredKey[]): ReadonlyMap<string, Entry> {
  const known = indexes.get(keys);
  if (known) return known;
  const index = new Map<string, Entry>();
  for (const key of keys) {
    const mark = markOf(key.sha256);
    index.set(mark.toString('latin1', 0, 8), { key, mark });
  }
  indexes.set(keys, index);
  return index;
}

/** A blinded hash. Its input always has the same length, so the blind before it is as good as the key of an HMAC. */
function markOf(sha256: string): Buffer {
  return hash('sha256', BLIND + sha256, 'buffer');
}
