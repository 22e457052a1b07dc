import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { hashKey, type StoredKey } from './api-keys.js';

/** Random in each process, so that nobody can predict where in an index a key lands. */
const BLIND = randomBytes(32).toString('hex');

/** What is compared if there is no candidate, so that this takes the same time. */
const NOBODY: IndexedKey = { key: undefined, mark: randomBytes(32) };

interface IndexedKey {
  readonly key: StoredKey | undefined;
  readonly mark: Buffer;
}

const indexes = new WeakMap<readonly StoredKey[], ReadonlyMap<string, IndexedKey>>();

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

function indexOf(keys: readonly StoredKey[]): ReadonlyMap<string, IndexedKey> {
  const known = indexes.get(keys);
  if (known) return known;
  const index = new Map<string, IndexedKey>();
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

/** The time for which a look at the disk stays valid. */
const FRESH_MS = 500;

/** The age from which a path's modification time is sure to differ after another change. */
const SETTLED_MS = 1000;

/**
 * A value read from the data folder. It is read again at most twice a second, and only after its path changed: what
 * another process writes, such as a revoked key, is in force within a second without a restart.
 */
export class Watched<T> {
  readonly #path: string;
  readonly #read: () => Promise<T>;
  #checked = Number.NEGATIVE_INFINITY;
  #stamp: string | undefined;
  #value: { readonly is: T } | undefined;
  #checking: Promise<void> | undefined;

  constructor(path: string, read: () => Promise<T>) {
    this.#path = path;
    this.#read = read;
  }

  /** The value without a wait; undefined if the disk must be looked at first. */
  now(): T | undefined {
    return performance.now() - this.#checked > FRESH_MS ? undefined : this.#value?.is;
  }

  async get(): Promise<T> {
    if (performance.now() - this.#checked > FRESH_MS) {
      this.#checking ??= this.#check().finally(() => {
        this.#checking = undefined;
      });
      await this.#checking;
    }
    return this.#value ? this.#value.is : this.#read();
  }

  /** Has it read again at the next {@link get} or, if it is being read just now, half a second later. */
  forget(): void {
    this.#checked = Number.NEGATIVE_INFINITY;
    this.#stamp = undefined;
  }

  async #check(): Promise<void> {
    const found = await stat(this.#path, { bigint: true }).catch(() => undefined);
    const stamp = found ? `${found.ino} ${found.mtimeNs}` : 'absent';
    if (stamp !== this.#stamp) {
      const asked = Date.now();
      this.#stamp = stamp;
      try {
        this.#value = { is: await this.#read() };
      } catch (error) {
        this.#stamp = undefined;
        throw error;
      }
      // A path that changed just now may change again within the same coarse time, so it is read once more.
      if (found && asked - Number(found.mtimeMs) < SETTLED_MS) this.#stamp = undefined;
    }
    this.#checked = performance.now();
  }
}
