import { stat } from 'node:fs/promises';

/** How long an answer about the disk is believed. */
const FRESH_MS = 500;

/** How old a path's last change must be for its time to tell every change after it. */
const SETTLED_MS = 1000;

/**
 * A value read from the data folder, read again at most twice a second and only after its path changed: what another
 * process writes (a new version, a revoked key) is in force within a second, without a restart.
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

  /** The value without a wait; undefined where the disk is to be asked first. */
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

  /** Reads it again at the next {@link get}, or where it is being read, half a second later. */
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
      // A path that changed just now may change again without its coarse time telling: then it is read once more.
      if (found && asked - Number(found.mtimeMs) < SETTLED_MS) this.#stamp = undefined;
    }
    this.#checked = performance.now();
  }
}
