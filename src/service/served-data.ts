import type { Store } from './store/store.js';

/** Which version should be served and which one is, by name. */
export interface DataState {
  /** The version that should be served; undefined if there is none yet. */
  current: string | undefined;
  /** The version that queries are answered from; undefined if there is none, or none of it can be reached. */
  served: string | undefined;
  /** Why not all of the current version is served; undefined if all is. */
  problem: string | undefined;
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
   */
  use<T>(work: (store: Store, id: string) => Promise<T>): Promise<T | undefined>;
  /**
   * Runs synchronous work on the version that is served.
   *
   * @returns The result of the work; undefined if {@link use} must be called instead, since no version is known, what
   *   is known of it is too old, or the work found it damaged.
   */
  useNow?<T>(work: (store: Store, id: string) => T): T | undefined;
  /** Which version should be served, which one is, and what is wrong, as of a moment ago. */
  state(): DataState;
  /** The version that is served; undefined if there is none. */
  version(): ServedVersion | undefined;
  close(): void;
}
