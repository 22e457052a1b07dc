import type { ServedVersion } from './served-data.js';
import type { Store } from './store/store.js';

/** A version's store that counts its readers, so that a retired one closes after its last answer. */
export class HeldStore implements ServedVersion {
  /** The version's name. */
  readonly name: string;
  /** The version's id, which no other version has, even one of the same name. */
  readonly id: string;
  readonly createdMs: number;
  readonly #store: Store;
  #readers = 0;
  #retired = false;

  constructor(name: string, { id, createdMs }: ServedVersion, store: Store) {
    this.name = name;
    this.id = id;
    this.createdMs = createdMs;
    this.#store = store;
  }

  /** Runs work on the store, which stays open until the work is done. */
  async use<T>(work: (store: Store, id: string) => Promise<T>): Promise<T> {
    this.#readers++;
    try {
      return await work(this.#store, this.id);
    } finally {
      this.#readers--;
      this.#closeIfIdle();
    }
  }

  /** Runs synchronous work, during which the store cannot close. */
  useNow<T>(work: (store: Store, id: string) => T): T {
    return work(this.#store, this.id);
  }

  /** Closes the store as soon as nobody reads it. */
  retire(): void {
    this.#retired = true;
    this.#closeIfIdle();
  }

  #closeIfIdle(): void {
    if (this.#retired && this.#readers === 0) this.#store.close();
  }
}
