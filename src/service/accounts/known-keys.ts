import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { accountPath } from './accounts.js';
import { hashKey, keyPath, keysFolder, listKeys, type StoredKey } from './api-keys.js';

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

/** The age from which a folder's modification time is sure to differ after another change. */
const SETTLED_MS = 1000;

/** How long the disk is left alone after a look for unknown keys: at least this, and so many times what it took. */
const LEAST_REST_MS = 5;
const REST_TIMES = 4;

/**
 * The keys of a data folder, as they are on disk at each request, whichever process changes them. A key in force is
 * there, and so is the account that owns it: two looks for a file, which cost some microseconds. A key that is not
 * known here may have been made just now, so it is looked for on disk: one look for all that wait, and none for a while
 * afterwards, so that whoever presents unknown keys takes at most a fifth of this process's time.
 */
export class Keyring {
  readonly #folder: string;
  #keys: readonly StoredKey[] = [];
  /** What the folder looked like when it was read last; undefined if it must be read again. */
  #stamp: string | undefined;
  #looking: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #restUntilMs = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Finds the key in force that was presented: without a wait if it is known here.
   *
   * @returns Undefined, perhaps later, if there is no such key.
   * @throws {DataError} If the disk cannot be read; a promise is rejected with it.
   */
  find(presented: string): StoredKey | undefined | Promise<StoredKey | undefined> {
    return this.#known(presented) ?? this.#look().then(() => this.#known(presented));
  }

  #known(presented: string): StoredKey | undefined {
    const key = keyOf(this.#keys, presented);
    return key && isInForce(this.#folder, key) ? key : undefined;
  }

  /** Settles after a look that begins from now on: a look under way may have missed what was made meanwhile. */
  #look(): Promise<void> {
    this.#next ??= this.#lookAfter(this.#looking);
    return this.#next;
  }

  async #lookAfter(earlier: Promise<void> | undefined): Promise<void> {
    // Those who wait for the earlier look report its failure.
    await earlier?.catch(() => {});
    await sleep(Math.max(0, this.#restUntilMs - performance.now()));
    this.#next = undefined;
    this.#looking = this.#read();
    return this.#looking;
  }

  async #read(): Promise<void> {
    const startMs = performance.now();
    const found = await stat(keysFolder(this.#folder), { bigint: true }).catch(() => undefined);
    const stamp = found ? `${found.ino} ${found.mtimeNs}` : 'absent';
    // A folder that changed just now may change again within the same coarse time.
    let isSettled = !found || Date.now() - Number(found.mtimeMs) >= SETTLED_MS;
    try {
      if (stamp === this.#stamp) return;
      // The repair of a file that is skipped may not show as a change of the folder.
      this.#keys = await listKeys(this.#folder, this.#keys, () => {
        isSettled = false;
      });
      this.#stamp = isSettled ? stamp : undefined;
    } finally {
      const nowMs = performance.now();
      this.#restUntilMs = nowMs + Math.max(LEAST_REST_MS, REST_TIMES * (nowMs - startMs));
    }
  }
}

/** Whether a key is not revoked, and its owner's account neither disabled nor deleted. */
function isInForce(folder: string, { id, owner }: StoredKey): boolean {
  return isThere(keyPath(folder, id)) && (owner === undefined || isThere(accountPath(folder, owner)));
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    throw new DataError(`Cannot look whether ${path} is there (${systemErrorCode(cause)}).`, { cause });
  }
}
