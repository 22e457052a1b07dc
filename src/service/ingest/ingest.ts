import { mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { DataError } from '../../base/errors.js';
import { makeFolder } from '../../base/whole-file.js';
import { folderError } from '../folder/folder-error.js';
import { healFolder } from '../folder/heal-folder.js';
import { lockFolder } from '../folder/lock.js';
import type { InputReport, Manifest } from '../folder/manifest.js';
import type { Version } from '../folder/read-version.js';
import { currentVersion, draftVersion, publishVersion } from '../folder/versions.js';
import { abortable } from './abortable.js';
import { buildVersion } from './build-version.js';
import { type Doubtful, DoubtReport } from './doubt-report.js';
import { DEFAULT_MEMORY, engineWithin } from './memory.js';
import { openInputs } from './open-inputs.js';
import { Progress, type Tell } from './progress.js';
import { readInputs } from './read-inputs.js';
import { readMapping } from './read-mapping.js';
import { newDoubts, refuseDoubts } from './refuse-doubts.js';
import { isHalfStaged, Staging } from './staging.js';

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
  left: { path: string; why: string }[];
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
  manifest: Manifest | undefined;
}

/**
 * Reads inputs into a new version of a data folder, on top of what it holds, and switches to that version once it is
 * complete. If the inputs add no row, the current version stays: ingesting the same content again changes nothing.
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
  | { findings: Findings; built: { draft: string; manifest: Manifest }; previous: Version | undefined }
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
    const { stdin = process.stdin, format } = options;
    const opening = openInputs(options.inputs, { folder, scratch, stdin, mapping, format });
    const { inputs, left } = await abortable(signal, opening);
    const held = previous?.manifest.inputs ?? [];
    const rebuilding = events / EVENTS_A_SECOND;
    const reading = { held, rebuilding, staging: new Staging(staging), scratch, engine, progress, doubts, signal };
    const read = await abortable(signal, readInputs(inputs, reading));
    const { reports, known } = read;
    const findings = { reports, known, left: [...left, ...read.left], examples: doubts.examples };
    const skipped = reports.map((report) => report.skipped);
    if (strict && !options.report) refuseDoubts(skipped);
    if (previous && reports.every(({ kept }) => kept === 0)) {
      await doubts.finish();
      if (strict) refuseDoubts(skipped);
      return { findings, built: undefined, previous };
    }
    draft = await writing(folder, () => draftVersion(folder));
    const kept = reports.reduce((sum, { records, kept }) => sum + (records === 'events' ? kept : 0), 0);
    const building = rebuilding + kept / EVENTS_A_SECOND;
    progress.expect(building - progress.rest);
    progress.begin('building the ledger', building);
    const manifest = await abortable(signal, buildVersion(draft, { previous, read, scratch, engine, doubts, signal }));
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

const SCRATCH = '.scratch-';

async function makeScratch(staging: string): Promise<string> {
  await removeScratch(staging);
  await makeFolder(staging);
  const scratch = await mkdtemp(join(staging, SCRATCH));
  await makeFolder(join(scratch, 'spill'));
  return scratch;
}

/**
 * Removes scratch and half-staged inputs, which a killed ingest may leave, and the folder if nothing is staged there.
 */
async function removeScratch(staging: string): Promise<void> {
  for (const name of await readdir(staging).catch(() => [])) {
    // This may fail while the engine still writes after an abort; the next ingest removes the rest.
    if (!name.startsWith(SCRATCH) && !isHalfStaged(name)) continue;
    await rm(join(staging, name), { recursive: true, force: true }).catch(() => {});
  }
  await rmdir(staging).catch(() => {});
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
