import { DataError } from '../../base/errors.js';
import type { Store } from './store.js';

/** Which version should be served and which one is, by name. */
export interface DataState {
  /** The version that should be served; undefined if there is none yet. */
  current: string | undefined;
  /** The version that queries are answered from; undefined if there is none that can be read whole. */
  served: string | undefined;
  /** Why not all of the current version is served; undefined if all is. */
  problem: string | undefined;
  /** What is answered 503 although the version is served, for everybody to read; absent if nothing is. */
  unanswered?: string | undefined;
}

/** What a query needs cannot be read now; others may be answered. */
export class UnreadableData extends DataError {
  override name = 'UnreadableData';
}

/** The version that is served. */
export interface ServedVersion {
  /** The id, which no other version has. */
  readonly id: string;
  /** When it was made, in Unix milliseconds. */
  readonly createdMs: number;
}

/** The data that queries are answered from, wherever they are kept. It follows switches to other versions. */
export interface ServedData {
  /**
   * Runs work on the version that is served, which stays open until the work is done.
   *
   * @param work Given the store and the version's id, which no other data ever had.
   * @returns The result of the work; undefined if no data are loaded yet.
   * @throws {UnreadableData} If the work needs what is damaged, and no other version can be served instead.
   */
  use<T>(work: (store: Store, id: string) => Promise<T>): Promise<T | undefined>;
  /**
   * Runs synchronous work on the version that is served.
   *
   * @returns The result of the work; undefined if {@link use} must be called instead, since no version is known, what
   *   is known of it is too old, or the work found it damaged.
   * @param isLookedAt Whether {@link freshen} has just looked, so that nothing counts as too old.
   */
  useNow?<T>(work: (store: Store, id: string) => T, isLookedAt?: boolean): T | undefined;
  /**
   * Looks which version is to be served, if what is known of it is too old for {@link useNow}: one look for all that
   * wait for it, and briefly, as a disk may hang. Undefined if nothing has to be waited for.
   *
   * @returns Whether the look came to its end.
   */
  freshen?(): Promise<boolean> | undefined;
  /** Waits until {@link state} knows whether all of the served version can be read, as right after a start. */
  settle?(): Promise<void>;
  /** Which version should be served, which one is, and what is wrong, as of a moment ago. */
  state(): DataState;
  /** The version that is served; undefined if there is none. */
  version(): ServedVersion | undefined;
  close(): void;
}

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

  /** See {@link Store.damage}. */
  get damage(): DataError | undefined {
    return this.#store.damage;
  }

  /** See {@link Store.settle}. */
  settle(): Promise<void> {
    return this.use(async (store) => store.settle?.());
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
