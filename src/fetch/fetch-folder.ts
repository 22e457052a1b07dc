import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../base/errors.js';
import { takeLock } from '../base/lock-file.js';
import { isObject, jsonIn } from '../base/texts.js';
import { makeFolder, orRefuse, systemErrorCode, writeFailure, writeWhole } from '../base/whole-file.js';
import { type Change, Drift } from './drift.js';
import type { Sources } from './sources.js';

/** What a fetch needs besides its target. */
export interface FetchOptions {
  /** The sources; the caller closes them. */
  readonly sources: Sources;
  /** The folder of all fetches; each gets a folder of its own in it. */
  readonly out: string;
  /** Called with what is being done, in one line. */
  readonly onProgress?: ((text: string) => void) | undefined;
}

/** What a fetch fetches. */
export type FetchKind = 'wallet' | 'market' | 'event' | 'markets' | 'events' | 'leaderboard';

/** Something that a fetch could not get. */
export interface Missing {
  /** Which records, such as `activity` or `markets`. */
  readonly what: string;
  /** The time that they cover, as ISO 8601; null if it is not known. */
  readonly from: string | null;
  readonly until: string | null;
  readonly why: string;
}

/** `fetch.json`: what a folder holds, and whether that is everything. */
export interface FetchManifest {
  readonly oddslab_fetch: 1;
  readonly kind: FetchKind;
  readonly target: string;
  readonly started: string;
  /** Null while it runs, and after a kill. */
  readonly ended: string | null;
  readonly complete: boolean;
  /** Unix seconds up to which the record is known; null if nothing is. */
  readonly until: number | null;
  readonly missing: readonly Missing[];
  /** What the sources themselves do not know yet, in a sentence each; absent if there is nothing of the kind. */
  readonly pending?: readonly string[];
  /** Number of records of each file. */
  readonly rows: Readonly<Record<string, number>>;
  /** How the records of the last run differ from what is known of their sources. */
  readonly drift: readonly Change[];
}

const MANIFEST = 'fetch.json';
const LOCK = '.lock';
/** What {@link writeWhole} has begun. Figures are kept without the lock, so they may be under way. */
const PART = /^(?!figures\.json\.).+\.[0-9a-f]{12}\.part$/;

/** A folder that one fetch writes, while it is locked for this process. */
export class FetchFolder {
  readonly path: string;
  readonly missing: Missing[] = [];
  /** What the sources themselves do not know yet, in a sentence each. It does not make a fetch incomplete. */
  readonly pending: string[] = [];
  /** Counts how the records differ from what is known of their sources. */
  readonly drift = new Drift();
  readonly #begun: Pick<FetchManifest, 'oddslab_fetch' | 'kind' | 'target' | 'started'>;
  readonly #unlock: () => Promise<void>;
  /** The manifest of the run before; undefined on the first run. */
  readonly before: FetchManifest | undefined;

  private constructor(
    path: string,
    begun: FetchManifest,
    unlock: () => Promise<void>,
    before: FetchManifest | undefined,
  ) {
    this.path = path;
    const { oddslab_fetch, kind, target, started } = begun;
    this.#begun = { oddslab_fetch, kind, target, started };
    this.#unlock = unlock;
    this.before = before;
  }

  /**
   * Opens the folder of a fetch, or makes it, and writes a manifest that says that the fetch is under way.
   *
   * @param out The folder of all fetches, such as `data/raw`.
   * @param name The name of this one's, such as `wallet-0x…`.
   * @throws {DataError} If it holds another fetch or other files, another process is writing it, or it cannot be
   *   written.
   */
  static async open(out: string, name: string, kind: FetchKind, target: string): Promise<FetchFolder> {
    const path = join(out, name);
    await orRefuse(path, makeFolder(path));
    const lock = await orRefuse(path, takeLock(join(path, LOCK)));
    if (typeof lock !== 'function') {
      const who = `process ${lock.pid}${lock.elsewhere === undefined ? '' : ` on ${lock.elsewhere}`}`;
      throw new DataError(`${path} is being written by ${who}: wait until it is done.`);
    }
    try {
      const before = await manifestIn(path, kind, target);
      await removeParts(path);
      const started = new Date().toISOString();
      const { until = null, rows = {} } = before ?? {};
      const begun = {
        oddslab_fetch: 1,
        kind,
        target,
        started,
        ended: null,
        complete: false,
        until,
        missing: [],
        rows,
        drift: [],
      } as const;
      await writeManifest(path, begun);
      return new FetchFolder(path, begun, lock, before);
    } catch (error) {
      await lock();
      throw error;
    }
  }

  /** Notes what could not be fetched. Times are Unix seconds. */
  miss(what: string, why: string, from: number | null = null, until: number | null = null): void {
    this.missing.push({ what, from: isoOf(from), until: isoOf(until), why });
  }

  /** Writes the manifest of a fetch that has ended: complete if nothing is missing. */
  async finish(until: number | null, rows: FetchManifest['rows']): Promise<FetchManifest> {
    const { missing, pending } = this;
    const ended = new Date().toISOString();
    const manifest = {
      ...this.#begun,
      ended,
      complete: missing.length === 0,
      until,
      missing,
      ...(pending.length > 0 ? { pending } : {}),
      rows,
      drift: this.drift.changes,
    };
    await writeManifest(this.path, manifest);
    return manifest;
  }

  /** Releases the folder; `empty` removes it, if this fetch wrote nothing worth keeping into a new folder. */
  async close({ empty = false } = {}): Promise<void> {
    if (empty && !this.before) {
      const names = await readdir(this.path);
      for (const name of names) if (name !== LOCK) await rm(join(this.path, name), { force: true });
    }
    await this.#unlock();
    if (empty && !this.before) await rmdir(this.path).catch(() => {});
  }
}

/** Removes what a killed fetch was writing beside its place. */
async function removeParts(path: string): Promise<void> {
  const parts = (await readdir(path)).filter((name) => PART.test(name));
  for (const part of parts) await orRefuse(path, rm(join(path, part), { force: true }));
}

async function writeManifest(folder: string, manifest: FetchManifest): Promise<void> {
  await writeWhole(join(folder, MANIFEST), `${JSON.stringify(manifest, undefined, 1)}\n`, { durable: true });
}

async function manifestIn(path: string, kind: FetchKind, target: string): Promise<FetchManifest | undefined> {
  const file = join(path, MANIFEST);
  const text = await readFile(file, 'utf8').catch((error) => {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw new DataError(`Cannot read ${file}: ${writeFailure(error)}.`, { cause: error });
  });
  const choose = 'Choose another folder with --out; this one was left as it is.';
  if (text === undefined) {
    const [other] = (await readdir(path)).filter((name) => !name.startsWith('.') && !name.endsWith('.part'));
    if (other === undefined) return undefined;
    throw new DataError(`${path} holds other files (${other}), but no fetch. ${choose}`);
  }
  const found = jsonIn(text);
  if (!isObject(found) || found.oddslab_fetch !== 1)
    throw new DataError(`${file} is no manifest of a fetch. ${choose}`);
  if (found.kind === kind && found.target === target) return found as unknown as FetchManifest;
  throw new DataError(`${path} holds another fetch: ${found.kind} ${found.target}, not ${kind} ${target}. ${choose}`);
}

function isoOf(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString();
}
