import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { currentName, currentPath } from '../folder/folder-layout.js';
import { earlierVersions } from '../folder/list-versions.js';
import { currentLost, damage, readVersion, versionNames } from '../folder/version.js';
import { openDuckDbStore } from './duckdb-store.js';
import { type DataState, HeldStore, type ServedData, type ServedVersion } from './served-data.js';
import type { Store } from './store.js';

/** Options of {@link Stores}. */
interface FolderStoresOptions {
  /** Called with every change: another version is served, or a problem begins or ends. */
  onChange?: (state: DataState) => void;
}

/** The interval between looks for another version in the folder. */
const POLL_MS = 250;

/** The age of the last look, as after a machine's sleep, beyond which a request looks again first. */
const STALE_MS = 750;

/** How long a look may be waited for outside the turn of a query. */
const LOOK_MS = 1000;

/** The interval between attempts to open a version that could not be opened, since the cause may pass. */
const RETRY_MS = 5000;

/**
 * The current version of a data folder. It follows ingests and rollbacks: the next version is opened beside the one
 * that is served, so that no request waits or fails. If the current version is damaged, the last one is still served
 * or, at the start, the newest earlier version that is whole.
 */
export class FolderStores implements ServedData {
  readonly #folder: string;
  readonly #onChange: (state: DataState) => void;
  readonly #timer: NodeJS.Timeout;
  #held: HeldStore | undefined;
  #current: string | undefined;
  /** Why the current version is not served. */
  #failure: DataError | undefined;
  /** The faults of versions that were opened and then found damaged, by id. */
  readonly #damaged = new Map<string, DataError>();
  /** Whether the served version was found damaged after the last look. */
  #isSuspect = false;
  #stamp: string | undefined;
  #checked = Number.NEGATIVE_INFINITY;
  #loaded = Number.NEGATIVE_INFINITY;
  #following: Promise<void> | undefined;
  #freshening: Promise<boolean> | undefined;
  #closed = false;
  #told = '';

  constructor(folder: string, { onChange = () => {} }: FolderStoresOptions = {}) {
    this.#folder = folder;
    this.#onChange = onChange;
    this.#timer = setInterval(() => void this.#follow(), POLL_MS).unref();
  }

  /**
   * See {@link ServedData.use}. If the work finds the version damaged, it runs again on the earlier version that is then
   * served.
   *
   * @throws {DataError} If the current version is damaged and there is no older one that is whole.
   */
  async use<T>(work: (store: Store, id: string) => Promise<T>): Promise<T | undefined> {
    if (this.#isStale) await this.#follow();
    const held = this.#held;
    if (held === undefined) {
      if (this.#failure) throw this.#failure;
      return undefined;
    }
    try {
      return await held.use(work);
    } catch (error) {
      if (!tellsDamage(error)) throw error;
      const instead = await this.#insteadOf(held, error);
      return await instead.use(work);
    }
  }

  /** See {@link ServedData.useNow}. */
  useNow<T>(work: (store: Store, id: string) => T, isLookedAt = false): T | undefined {
    if (this.#held === undefined || (this.#isStale && !isLookedAt)) return undefined;
    try {
      return this.#held.useNow(work);
    } catch (error) {
      if (tellsDamage(error)) return undefined;
      throw error;
    }
  }

  freshen(): Promise<boolean> | undefined {
    if (!this.#isStale) return undefined;
    const look = this.#follow().then(() => true);
    this.#freshening ??= Promise.race([look, sleep(LOOK_MS, false, { ref: false })]).finally(() => {
      this.#freshening = undefined;
    });
    return this.#freshening;
  }

  get #isStale(): boolean {
    return performance.now() - this.#checked > STALE_MS;
  }

  /** Which version should be served, which one is, and what is wrong, as of a quarter of a second ago. */
  state(): DataState {
    return { current: this.#current, served: this.#held?.name, problem: this.#problem() };
  }

  version(): ServedVersion | undefined {
    return this.#held;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#held?.retire();
    this.#held = undefined;
  }

  #problem(): string | undefined {
    if (!this.#failure) return undefined;
    const instead = this.#held && !this.#damaged.has(this.#held.id) ? ` Version ${this.#held.name} is served.` : '';
    return this.#failure.message + instead;
  }

  /** Looks whether another version should be served, once for all callers that wait; never fails. */
  #follow(): Promise<void> {
    this.#following ??= this.#look()
      .catch((error: unknown) => {
        this.#failure = error instanceof DataError ? error : new DataError(String(error), { cause: error });
      })
      .then(() => {
        this.#following = undefined;
        this.#checked = performance.now();
        this.#tell();
      });
    return this.#following;
  }

  async #look(): Promise<void> {
    const found = await stat(currentPath(this.#folder), { bigint: true }).catch(() => undefined);
    const name = await currentName(this.#folder);
    // The same name in another file may be another version, if the folder was removed and made anew.
    const stamp = `${name} ${found?.ino} ${found?.mtimeNs}`;
    const isTime = this.#failure !== undefined && performance.now() - this.#loaded > RETRY_MS;
    if (stamp === this.#stamp && !isTime && !this.#isSuspect) return;
    if (stamp !== this.#stamp && !this.#isSuspect) this.#damaged.clear();
    this.#isSuspect = false;
    this.#current = name;
    this.#failure = await this.#load(name);
    this.#loaded = performance.now();
    this.#stamp = stamp;
  }

  /**
   * Serves a version or, if it is damaged, the best one instead.
   *
   * @returns What is wrong with the version that should be served.
   */
  async #load(name: string | undefined): Promise<DataError | undefined> {
    const failure = await this.#serveNamed(name);
    const isGood = this.#held !== undefined && !this.#damaged.has(this.#held.id);
    const instead = failure && !isGood ? await this.#newestOlder(name) : undefined;
    if (instead) this.#serve(instead);
    return failure;
  }

  async #serveNamed(name: string | undefined): Promise<DataError | undefined> {
    try {
      if (name !== undefined) this.#serve(await this.#open(name));
      else if (this.#held || (await versionNames(this.#folder)).length > 0) throw currentLost(this.#folder);
      return undefined;
    } catch (error) {
      return error instanceof DataError ? error : damage(this.#folder, String(name), error);
    }
  }

  async #newestOlder(name: string | undefined): Promise<HeldStore | undefined> {
    for (const each of await earlierVersions(this.#folder, name)) {
      const opened = await this.#open(each).catch(() => undefined);
      if (opened) return opened;
    }
    return undefined;
  }

  async #open(name: string): Promise<HeldStore> {
    const version = await readVersion(this.#folder, name);
    const known = this.#damaged.get(version.id);
    if (known) throw known;
    if (version.id === this.#held?.id) return this.#held;
    try {
      const { id, manifest, database } = version;
      return new HeldStore(name, { id, createdMs: Date.parse(manifest.created) }, await openDuckDbStore(database));
    } catch (error) {
      throw damage(this.#folder, name, error);
    }
  }

  #serve(next: HeldStore): void {
    if (next === this.#held) return;
    this.#held?.retire();
    this.#held = next;
    if (this.#closed) next.retire();
  }

  /** The version to answer from instead of one that was found damaged. @throws {DataError} If there is none. */
  async #insteadOf(held: HeldStore, cause: unknown): Promise<HeldStore> {
    const failure = this.#damaged.get(held.id) ?? damage(this.#folder, held.name, cause);
    if (!this.#damaged.has(held.id)) {
      this.#damaged.set(held.id, failure);
      this.#isSuspect = true;
    }
    await this.#following;
    await this.#follow();
    if (this.#held === undefined || this.#held === held) throw failure;
    return this.#held;
  }

  #tell(): void {
    const told = JSON.stringify(this.state());
    if (told === this.#told || this.#closed) return;
    this.#told = told;
    this.#onChange(this.state());
  }
}

/** Whether a store's error means that a file was changed or cannot be read. */
function tellsDamage(error: unknown): boolean {
  if (error instanceof DataError || systemErrorCode(error) === 'EIO') return true;
  return error instanceof Error && /^IO Error: .*(corrupt|checksum|could not read)/i.test(error.message);
}
