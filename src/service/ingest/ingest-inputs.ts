import { addAbortListener } from 'node:events';
import { rm, rmdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { DataError } from '../../base/errors.js';
import { makeFolder } from '../../base/whole-file.js';
import { currentVersion, draftVersion, publishVersion } from '../folder/current-version.js';
import { folderError, healFolder, lockFolder } from '../folder/folder-layout.js';
import type { InputReport, Version, VersionManifest } from '../folder/version.js';
import { Database, type DatabaseOptions } from '../store/database.js';
import { hasFills } from '../store/fill-rows.js';
import { hasStandings } from '../store/standing-rows.js';
import { buildVersion } from './build-version.js';
import { type Doubtful, DoubtReport, newDoubts, refuseDoubts } from './doubts.js';
import { type FetchStatus, tellsMore } from './fetch-status.js';
import { Progress, type Tell } from './ingest-progress.js';
import { readMapping } from './mapping.js';
import { type LeftInput, openInputs } from './open-inputs.js';
import { readInputs } from './read-inputs.js';
import { makeScratch, removeScratch, Staging } from './stage.js';

/** Options of an ingest. */
export interface IngestOptions {
  /** The data folder; created if it does not exist. */
  folder: string;
  /** Files and folders of any known format; `-` for stdin. */
  inputs: readonly string[];
  /** A mapping file, which says how to read files that have its columns. */
  mapping?: string | undefined;
  /** Id of the one format that all inputs must have; `mapping` for that of the mapping. */
  format?: string | undefined;
  /**
   * Whether the inputs are pages of one download, in which equal rows are events of their own. Default false: each file
   * is a download, and what several hold counts once. A folder that `oddslab fetch` wrote is a download either way.
   */
  pages?: boolean | undefined;
  /**
   * Whether to refuse doubtful rows, and more doubts of a kind than the folder had. Default false: doubtful rows are
   * counted, and left out or kept as their reason says.
   */
  strict?: boolean | undefined;
  /** Path of a file to write all doubtful rows to, as JSON lines. */
  report?: string | undefined;
  /** The most memory to use, in bytes. Default 1 GB. */
  memory?: number | undefined;
  /** How many versions the folder keeps, including the new one. Default 3. */
  keep?: number | undefined;
  /** What `-` stands for. Default the stdin of the process. */
  stdin?: Readable;
  /** Called with the current step and the seconds left. */
  onProgress?: Tell;
  /** Aborts the ingest at once. The folder stays as it was, except that inputs read to their end stay staged. */
  signal?: AbortSignal;
}

/** What an ingest found in its inputs. */
export interface Findings {
  /** A report for each input that this ingest read. */
  reports: InputReport[];
  /** Inputs whose content was read before. They are skipped, so that nothing counts twice. */
  known: string[];
  /** Inputs that were not read, and why: most have no known format. */
  left: LeftInput[];
  /** A few doubtful rows for each reason. */
  examples: ReadonlyMap<string, readonly Doubtful[]>;
}

/** What an ingest did. */
export interface IngestResult extends Findings {
  version: Version;
}

/** What an ingest would do. */
export interface Rehearsal extends Findings {
  /** The manifest of the version that would be built; undefined if nothing is new. */
  manifest: VersionManifest | undefined;
}

/**
 * Reads inputs into a new version of a data folder, on top of what it holds, and switches to that version once it is
 * complete. If the inputs add no row, the current version stays: ingesting the same content again changes nothing, unless
 * an earlier release built it without the tables of a dataset.
 * Inputs that an interrupted ingest read to their end are not read again.
 *
 * @throws {InputError} If an input is missing or malformed, none has a known format, or `strict` refuses a row. The
 *   folder is left as it was.
 * @throws {DataError} If the folder cannot be written, has a `?` in its path, is damaged, or another ingest is
 *   writing it.
 */
export async function ingest(options: IngestOptions): Promise<IngestResult> {
  const { folder, keep } = options;
  return inFolder(options, async (scratch, progress) => {
    const { findings, built, previous } = await prepare(options, scratch, progress, join(folder, 'staging'));
    if (built === undefined) {
      // Drafting a version would have cleaned up after an ingest that was killed while publishing.
      await writing(folder, () => healFolder(folder));
      return { version: previous, ...findings };
    }
    progress.begin('switching to the new version', 0);
    try {
      const version = await writing(folder, () => publishVersion(folder, built.draft, built.manifest, { keep }));
      await rm(join(folder, 'staging'), { recursive: true, force: true });
      return { version, ...findings };
    } finally {
      await removeDraft(folder, built.draft);
    }
  });
}

/** Does all that {@link ingest} does, without changing anything; throws as it does. */
export async function rehearseIngest(options: IngestOptions): Promise<Rehearsal> {
  return inFolder(options, async (scratch, progress) => {
    const { findings, built } = await prepare(options, scratch, progress, join(scratch, 'staging'));
    if (built) await removeDraft(options.folder, built.draft);
    return { manifest: built?.manifest, ...findings };
  });
}

/** Events a second from which the ledger is built, including those of the previous version. */
const EVENTS_A_SECOND = 80_000;

type Prepared =
  | { findings: Findings; built: { draft: string; manifest: VersionManifest }; previous: Version | undefined }
  | { findings: Findings; built: undefined; previous: Version };

/** Reads the inputs and builds a draft from them, which nobody sees yet. */
async function prepare(
  options: IngestOptions,
  scratch: string,
  progress: Progress,
  staging: string,
): Promise<Prepared> {
  const { folder, signal, strict = false, memory = DEFAULT_MEMORY } = options;
  const engine = engineWithin(memory, join(scratch, 'spill'));
  const doubts = await DoubtReport.open(options.report);
  let draft: string | undefined;
  try {
    const previous = await currentVersion(folder);
    const events = previous?.manifest.totals.events ?? 0;
    const mapping = options.mapping === undefined ? undefined : await readMapping(options.mapping);
    const { stdin = process.stdin, format, pages } = options;
    const opening = openInputs(options.inputs, { folder, scratch, stdin, mapping, format, pages });
    const { inputs, fetches, left } = await abortable(signal, opening);
    const held = previous?.manifest.inputs ?? [];
    const rebuilding = events / EVENTS_A_SECOND;
    const reading = { held, rebuilding, staging: new Staging(staging), scratch, engine, progress, doubts, signal };
    const read = await abortable(signal, readInputs(inputs, reading));
    const { reports, known } = read;
    const findings = { reports, known, left: [...left, ...read.left], examples: doubts.examples };
    const skipped = reports.map((report) => report.skipped);
    if (strict && !options.report) refuseDoubts(skipped);
    const isNew = reports.some(({ kept }) => kept > 0);
    if (previous && !isNew && !(await tellMore(previous, fetches)) && (await isServedWhole(previous))) {
      await doubts.finish();
      if (strict) refuseDoubts(skipped);
      return { findings, built: undefined, previous };
    }
    draft = await writing(folder, () => draftVersion(folder));
    const kept = reports.reduce((sum, { records, kept }) => sum + (records === 'events' ? kept : 0), 0);
    const building = rebuilding + kept / EVENTS_A_SECOND;
    progress.expect(building - progress.rest);
    progress.begin('building the ledger', building);
    const manifest = await abortable(
      signal,
      buildVersion(draft, { previous, read, fetches, scratch, engine, doubts, signal }),
    );
    await doubts.finish();
    const doubtful = newDoubts(manifest.doubtful, previous?.manifest.doubtful);
    if (strict) refuseDoubts([...skipped, doubtful]);
    return { findings, built: { draft, manifest }, previous };
  } catch (error) {
    if (draft !== undefined) await removeDraft(folder, draft);
    throw signal?.aborted ? error : (outOfMemory(error) ?? folderError(folder, error));
  } finally {
    await doubts.discard();
  }
}

/** Whether folders of `oddslab fetch` say of themselves what the previous version does not know. */
async function tellMore(previous: Version, fetches: readonly FetchStatus[]): Promise<boolean> {
  if (fetches.length === 0) return false;
  const db = await Database.open(previous.database, { locked: true });
  try {
    return await tellsMore(db, fetches);
  } finally {
    db.close();
  }
}

/** Whether a version has the tables of every dataset, as those of earlier releases have not: then it is built anew. */
async function isServedWhole(previous: Version): Promise<boolean> {
  const db = await Database.open(previous.database, { locked: true });
  try {
    return (await hasFills(db)) && (await hasStandings(db));
  } finally {
    db.close();
  }
}

function outOfMemory(cause: unknown): Error | undefined {
  if (!(cause instanceof Error) || !/out of memory/i.test(cause.message)) return undefined;
  return new DataError('The ingest needs more memory than it may take: give it more with --memory.', { cause });
}

/** Runs an action while it holds the folder's lock and a scratch folder inside the data folder. */
async function inFolder<T>(
  { folder, onProgress = () => {} }: IngestOptions,
  action: (scratch: string, progress: Progress) => Promise<T>,
): Promise<T> {
  refuseQuestionMark(folder);
  const created = await writing(folder, () => makeFolder(folder));
  const progress = new Progress(onProgress);
  const staging = join(folder, 'staging');
  try {
    const unlock = await writing(folder, () => lockFolder(folder));
    try {
      const scratch = await writing(folder, () => makeScratch(staging));
      try {
        return await action(scratch, progress);
      } catch (error) {
        // Staged inputs would keep the disk full.
        if (/disk is full/.test(String(error))) await rm(staging, { recursive: true, force: true });
        throw error;
      } finally {
        await removeScratch(staging);
      }
    } finally {
      await unlock();
    }
  } finally {
    progress.end();
    if (created !== undefined) await removeEmpty(resolve(folder), created);
  }
}

/**
 * Refuses a `?` in the path: the engine ends a file's name there, and would write a database's other files elsewhere.
 */
function refuseQuestionMark(folder: string): void {
  const path = resolve(folder);
  if (!path.includes('?')) return;
  throw new DataError(
    `The data folder ${path} cannot be written, as the database takes the ? in its path for the end of a name: choose a ` +
      'folder without one.',
  );
}

async function removeDraft(folder: string, draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true }).catch(() => {});
  await rmdir(join(folder, 'versions')).catch(() => {});
}

/** Removes this folder and its parents, up to the first one that was created, as far as they are empty. */
async function removeEmpty(folder: string, first: string): Promise<void> {
  for (let path = folder; path.length >= first.length; path = dirname(path)) {
    try {
      await rmdir(path);
    } catch {
      return;
    }
  }
}

async function writing<T>(folder: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw folderError(folder, error);
  }
}

/**
 * Waits for work until the signal is aborted. The work itself is not stopped: a statement of the engine runs to its
 * end.
 *
 * @throws The signal's reason as soon as it is aborted; else whatever the work throws.
 */
async function abortable<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const listener = addAbortListener(signal, () => reject(signal.reason));
    void work.then(resolve, reject).finally(() => listener[Symbol.dispose]());
  });
}

/** The most memory that an ingest uses by default, in bytes. */
const DEFAULT_MEMORY = 1_000_000_000;

/**
 * Bytes that the process uses besides the engine: the program itself, the markets, and the rows between the engine and
 * the ledger. Measured, like the next figure, with 3 million fills of 940,000 wallets in 300,000 markets.
 */
const BESIDE = 330_000_000;
/** What the engine allocates without counting it, as a share of what it counts. */
const UNCOUNTED = 0.8;

/** The least memory for the engine, in bytes: with less, its sorts and joins fail, however much it spills to disk. */
const LEAST_ENGINE = 200_000_000;

/** The engine's memory, in bytes, from which another thread is worthwhile: each sorts and reads on its own. */
const PER_THREAD = 300_000_000;

/**
 * The engine's settings that keep the whole process within some bytes.
 *
 * @param spillTo A folder for what does not fit.
 */
function engineWithin(memory: number, spillTo: string): DatabaseOptions {
  const engine = Math.max(LEAST_ENGINE, (memory - BESIDE) / (1 + UNCOUNTED));
  const threads = Math.max(1, Math.min(availableParallelism(), Math.floor(engine / PER_THREAD)));
  return { memory: `${Math.floor(engine / 1e6)}MB`, threads, spillTo };
}
