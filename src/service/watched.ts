import { stat } from 'node:fs/promises';

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
