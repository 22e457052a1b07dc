import { currentPath, currentVersion } from './folder/versions.js';
import { openDuckDbStore } from './store/duckdb-store.js';
import type { Store } from './store/store.js';
import { Watched } from './watched.js';

/** A store that counts its readers, so that a version that was switched away from closes after its last answer. */
interface Held {
  name: string;
  store: Store;
  readers: number;
  retired: boolean;
}

/** The current version of a data folder, followed as ingests switch to newer ones. */
export class Stores {
  readonly #watched: Watched<Held | undefined>;
  #held: Held | undefined;

  constructor(folder: string) {
    this.#watched = new Watched(currentPath(folder), () => this.#open(folder));
  }

  /**
   * Runs work on the current version, which stays open until the work is done.
   *
   * @param work Gets the store and the version's name.
   * @returns Undefined where no data are loaded yet.
   * @throws {DataError} If the current version is damaged.
   */
  async use<T>(work: (store: Store, version: string) => Promise<T>): Promise<T | undefined> {
    const held = await this.#watched.get();
    if (!held) return undefined;
    held.readers++;
    try {
      return await work(held.store, held.name);
    } finally {
      held.readers--;
      closeIfIdle(held);
    }
  }

  close(): void {
    if (this.#held) retire(this.#held);
    this.#held = undefined;
  }

  async #open(folder: string): Promise<Held | undefined> {
    const version = await currentVersion(folder);
    if (version?.name === this.#held?.name) return this.#held;
    const previous = this.#held;
    this.#held = version && {
      name: version.name,
      store: await openDuckDbStore(version.database),
      readers: 0,
      retired: false,
    };
    if (previous) retire(previous);
    return this.#held;
  }
}

function retire(held: Held): void {
  held.retired = true;
  closeIfIdle(held);
}

function closeIfIdle(held: Held): void {
  if (held.retired && held.readers === 0) held.store.close();
}
