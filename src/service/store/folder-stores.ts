import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { currentName, currentPath } from '../folder/folder-layout.js';
import { earlierVersions } from '../folder/list-versions.js';
import { currentLost, damage, sizeFaults, versionNames } from '../folder/sealed-version.js';
import { readVersion } from '../folder/version.js';
import { openDuckDbStore } from './duckdb-store.js';
import { type DataState, HeldStore, type ServedData, type ServedVersion, UnreadableData } from './served-data.js';
import type { Store } from './store.js';

/** Options of {@link FolderStores}. */
interface FolderStoresOptions {
  /** Called with every change: another version is served, or a problem begins or ends. */
  onChange?: (state: DataState) => void;
}

type Work = (store: Store, id: string) => Promise<unknown>;

/** What was found wrong with a version while it was served. */
interface Fault {
  readonly error: DataError;
  /** The work that found it. */
  readonly work: Work;
  readonly foundMs: number;
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
 * or, at the start, the newest earlier version that is whole. If there is none, what of the current one can be read is
 * served, and {@link state} names no version as served.
 */
export class FolderStores implements ServedData {
  readonly #folder: string;
  readonly #onChange: (state: DataState) => void;
  readonly #timer: NodeJS.Timeout;
  #held: HeldStore | undefined;
  /** Whether what is served was opened although a part of it is damaged. */
  #isMakeshift = false;
  #current: string | undefined;
  /** Why the current version is not served. */
  #failure: DataError | undefined;
  /** The faults of versions that were opened and then found damaged, by id. */
  readonly #damaged = new Map<string, Fault>();
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
   * Opens a data folder.
   *
   * @param mustBeWhole Whether all queries must be answered, by the current version or an earlier one.
   * @throws {DataError} If no version can be read, or none that is whole, where one must be.
   */
  static async open(folder: string, options: FolderStoresOptions, mustBeWhole = false): Promise<FolderStores> {
    const stores = new FolderStores(folder, options);
    await stores.#follow();
    if (mustBeWhole) await stores.settle();
    const failure = stores.#failure;
    if (failure === undefined || (mustBeWhole ? stores.#isWhole : stores.#held)) return stores;
    stores.close();
    throw failure;
  }

  /**
   * See {@link ServedData.use}. If the work finds the version damaged, it runs again on the earlier version that is then
   * served.
   */
  async use<T>(work: (store: Store, id: string) => Promise<T>): Promise<T | undefined> {
    if (this.#isStale || this.#hasUnknownDamage) await this.#follow();
    const held = this.#held;
    if (held === undefined) {
      if (this.#failure) throw unreadable(this.#failure);
      return undefined;
    }
    try {
      return await held.use(work);
    } catch (error) {
      if (!tellsDamage(error)) throw error;
      const instead = await this.#insteadOf(held, work, error);
      if (instead === undefined) throw unreadable(error);
      return await instead.use(work);
    }
  }

  /** See {@link ServedData.useNow}. */
  useNow<T>(work: (store: Store, id: string) => T, isLookedAt = false): T | undefined {
    if (this.#held === undefined || this.#hasUnknownDamage || (this.#isStale && !isLookedAt)) return undefined;
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

  async settle(): Promise<void> {
    await this.#held?.settle();
    if (this.#hasUnknownDamage) await this.#follow();
  }

  /** Which version should be served, which one is, and what is wrong, as of a quarter of a second ago. */
  state(): DataState {
    return { current: this.#current, served: this.#isWhole ? this.#held?.name : undefined, problem: this.#problem() };
  }

  /** Whether there is a version of which nothing is known to be damaged that a query may need. */
  get #isWhole(): boolean {
    return this.#held !== undefined && !this.#damaged.has(this.#held.id) && this.#held.damage === undefined;
  }

  /** Whether what is served was found damaged by itself, and no other version was looked for yet. */
  get #hasUnknownDamage(): boolean {
    return this.#held?.damage !== undefined && this.#failure === undefined;
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
    const isWhole = this.#isWhole;
    const part = ' What can be read of it is served; all else is answered 503.';
    const instead = isWhole ? ` Version ${this.#held?.name} is served${this.#isMakeshift ? ', slower' : ''}.` : part;
    return this.#failure.message + (this.#held ? instead : '');
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
    if (stamp === this.#stamp && !isTime && !this.#isSuspect && !this.#hasUnknownDamage) return;
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
    if (!failure || this.#isWhole) return failure;
    const older = await this.#newestOlder(name);
    if (older) this.#serve(older);
    else if (name !== undefined && !this.#held) await this.#serveAnyhow(name);
    return failure;
  }

  /** Serves what can be read of a damaged version, if anything can. */
  async #serveAnyhow(name: string): Promise<void> {
    const opened = await this.#openStore(name, 'anyhow').catch(() => undefined);
    if (!opened) return;
    this.#serve(opened);
    this.#isMakeshift = true;
  }

  async #serveNamed(name: string | undefined): Promise<DataError | undefined> {
    try {
      if (name !== undefined) this.#serve(await this.#open(name, this.#held ? 'whole' : 'soon'));
      else if (this.#held || (await versionNames(this.#folder)).length > 0) throw currentLost(this.#folder);
      return undefined;
    } catch (error) {
      return error instanceof DataError ? error : damage(this.#folder, String(name), error);
    }
  }

  async #newestOlder(name: string | undefined): Promise<HeldStore | undefined> {
    for (const each of await earlierVersions(this.#folder, name)) {
      const opened = await this.#open(each, 'whole').catch(() => undefined);
      if (opened) return opened;
    }
    return undefined;
  }

  /** Opens a version that nothing is known to be wrong with any more. @throws {DataError} If it is damaged. */
  async #open(name: string, how: 'soon' | 'whole'): Promise<HeldStore> {
    const { id } = await readVersion(this.#folder, name);
    const fault = this.#damaged.get(id);
    if (fault) return this.#openAgain(name, id, fault);
    // One that could not be opened whole is tried anew: its cause may have passed.
    const isSound = !this.#isMakeshift && this.#held?.damage === undefined;
    return this.#held?.id === id && isSound ? this.#held : this.#openStore(name, how);
  }

  /**
   * Opens a version anew in which damage was found a while ago, as a file may have been put back, or a disk failed but
   * once. The work that found it tells whether it has gone.
   */
  async #openAgain(name: string, id: string, fault: Fault): Promise<HeldStore> {
    if (performance.now() - fault.foundMs < RETRY_MS) throw fault.error;
    const opened = await this.#openStore(name, 'whole');
    try {
      await opened.use(fault.work);
    } catch (error) {
      // Any other error is that work's own, such as that nobody waits for its answer.
      if (tellsDamage(error)) {
        opened.retire();
        throw damage(this.#folder, name, error);
      }
    }
    this.#damaged.delete(id);
    return opened;
  }

  async #openStore(name: string, how: 'soon' | 'whole' | 'anyhow'): Promise<HeldStore> {
    const { id, path, manifest, database, files } = await readVersion(this.#folder, name, how === 'anyhow');
    try {
      const faults = how === 'anyhow' ? await sizeFaults(path, files) : undefined;
      if (faults?.size === Object.keys(files).length) throw [...faults.values()][0];
      const store = await openDuckDbStore(database, how, faults);
      return new HeldStore(name, { id, createdMs: Date.parse(manifest.created) }, store);
    } catch (error) {
      throw damage(this.#folder, name, error);
    }
  }

  #serve(next: HeldStore): void {
    if (next === this.#held) return;
    this.#held?.retire();
    this.#held = next;
    this.#isMakeshift = false;
    if (this.#closed) next.retire();
  }

  /** The version to answer from instead of one that was found damaged; undefined if there is none. */
  async #insteadOf(held: HeldStore, work: Work, cause: unknown): Promise<HeldStore | undefined> {
    // One whose database cannot be opened tells by itself whether it can be; one that was opened anew is judged anew.
    if (held === this.#held && held.damage === undefined && !this.#damaged.has(held.id)) {
      const error = damage(this.#folder, held.name, cause);
      this.#damaged.set(held.id, { error, work, foundMs: performance.now() });
      this.#isSuspect = true;
    }
    await this.#following;
    await this.#follow();
    return this.#held === held ? undefined : this.#held;
  }

  #tell(): void {
    const told = JSON.stringify(this.state());
    if (told === this.#told || this.#closed) return;
    this.#told = told;
    this.#onChange(this.state());
  }
}

function unreadable(cause: unknown): UnreadableData {
  return new UnreadableData('What this query needs cannot be read now.', { cause });
}

/** Whether a store's error means that a file was changed or cannot be read. */
function tellsDamage(error: unknown): boolean {
  if (error instanceof DataError || systemErrorCode(error) === 'EIO') return true;
  return error instanceof Error && /^IO Error: .*(corrupt|checksum|could not read)/i.test(error.message);
}
