import type { Store } from './store/store.js';

/** What is to be served and what is served, by the names of data versions. */
export interface DataState {
  /** The version that is to be served; undefined where there is none yet. */
  current: string | undefined;
  /** The version that queries are answered from; undefined where there is none, or nothing of it can be asked. */
  served: string | undefined;
  /** Why not all of the current version is served; undefined while all is well. */
  problem: string | undefined;
}

/** The version that is served. */
export interface ServedVersion {
  /** What tells it from every other version. */
  readonly id: string;
  /** When it was made, in Unix milliseconds. */
  readonly createdMs: number;
}

/** The data that queries are answered from, wherever they are kept, followed as they are switched to other versions. */
export interface ServedData {
  /**
   * Runs work on the version that is served, which stays open until the work is done.
   *
   * @param work Gets the store and the version's id, which no other data ever had.
   * @returns Undefined where no data are loaded yet.
   */
  use<T>(work: (store: Store, id: string) => Promise<T>): Promise<T | undefined>;
  /**
   * Runs work that ends at once on the version that is served.
   *
   * @returns What the work gave; undefined where only {@link use} can tell: what is known of the version is too old, or
   *   the work found it damaged.
   */
  useNow?<T>(work: (store: Store, id: string) => T): T | undefined;
  /** What is to be served, what is, and what is wrong; as of a moment ago. */
  state(): DataState;
  /** The version that is served; undefined where there is none. */
  version(): ServedVersion | undefined;
  close(): void;
}
