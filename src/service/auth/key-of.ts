import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { hashKey } from './hash-key.js';
import type { StoredKey } from './keys.js';

/** Drawn anew by each process, so that nobody can tell where in an index a key lands. */
const BLIND = randomBytes(32).toString('hex');

/** What is compared where no key is near, so that this takes as long. */
const NOBODY: Entry = { key: undefined, mark: randomBytes(32) };

interface Entry {
  readonly key: StoredKey | undefined;
  readonly mark: Buffer;
}

const indexes = new WeakMap<readonly StoredKey[], ReadonlyMap<string, Entry>>();

/**
 * Which of these keys was presented. It costs the same for 1 key and for 100,000, and its time tells nothing of a wrong
 * key: a blinded hash finds the candidate, whole hashes are compared in constant time, and a missing one is compared too.
 *
 * @param keys What `listKeys` gave; the same list is indexed once.
 * @returns The key, or undefined where it is none of them.
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

/** What is hashed is always of one length, so that the blind before it is as good as a key. */
function markOf(sha256: string): Buffer {
  return hash('sha256', BLIND + sha256, 'buffer');
}
