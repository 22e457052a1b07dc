import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { InputError } from '../../errors.js';
import { makeFolder } from '../../make-folder.js';
import { folderError } from '../folder/folder-error.js';
import { lockFolder } from '../folder/lock.js';
import {
  currentVersion,
  draftVersion,
  type InputReport,
  type Manifest,
  publishVersion,
  SCHEMA,
  type Version,
} from '../folder/versions.js';
import { Database, quote } from '../store/database.js';
import { EVENT_TABLE, MARKET_TABLE } from '../store/tables.js';
import { buildResults } from './build.js';
import { type Input, openInput, stageInput } from './stage.js';

/** What an ingest is told. */
export interface IngestOptions {
  /** The data folder; created where absent. */
  folder: string;
  /** Input files, of any known format. */
  inputs: readonly string[];
  /** Told what is being done now. */
  onProgress?: (doing: string) => void;
  /** Ends the ingest before its next step; the folder is then as it was. */
  signal?: AbortSignal;
}

/** What an ingest did. */
export interface IngestResult {
  version: Version;
  /** One report for each input that was read now. */
  reports: InputReport[];
  /** Inputs whose very content an earlier ingest read: left alone, so that nothing counts twice. */
  known: string[];
}

/**
 * Reads inputs into a new version of a data folder, on top of what it holds, and switches to it once it is whole.
 * Ingesting the same content again changes nothing.
 *
 * @throws {InputError} If an input is missing, malformed or of no known format: the folder is left as it was.
 * @throws {DataError} If the folder cannot be written, is damaged, or another ingest is writing it.
 */
export async function ingest({ folder, inputs, onProgress, signal }: IngestOptions): Promise<IngestResult> {
  const tell = (doing: string) => {
    signal?.throwIfAborted();
    onProgress?.(doing);
  };
  const opened: Input[] = [];
  for (const path of inputs) opened.push(await openInput(path));
  const created = await writing(folder, () => makeFolder(folder));
  try {
    const unlock = await writing(folder, () => lockFolder(folder));
    try {
      return await ingestLocked(folder, opened, tell);
    } finally {
      await unlock();
    }
  } finally {
    if (created !== undefined) await removeEmpty(resolve(folder), created);
  }
}

async function ingestLocked(folder: string, inputs: Input[], tell: (doing: string) => void): Promise<IngestResult> {
  const previous = await currentVersion(folder);
  const seen = new Set(previous?.manifest.inputs.map((input) => input.sha256));
  const fresh: { input: Input; sha256: string }[] = [];
  const known: string[] = [];
  for (const input of inputs) {
    const sha256 = await hashOf(input.path);
    if (seen.has(sha256)) known.push(input.path);
    else fresh.push({ input, sha256 });
    seen.add(sha256);
  }
  if (previous && fresh.length === 0) return { version: previous, reports: [], known };
  const draft = await writing(folder, () => draftVersion(folder));
  try {
    const { reports, manifest } = await buildDraft(draft, previous, fresh, tell);
    tell('switching to the new version');
    return { version: await writing(folder, () => publishVersion(folder, draft, manifest)), reports, known };
  } catch (error) {
    throw error instanceof InputError ? error : folderError(folder, error);
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rmdir(join(folder, 'versions')).catch(() => {});
  }
}

async function buildDraft(
  draft: string,
  previous: Version | undefined,
  fresh: readonly { input: Input; sha256: string }[],
  tell: (doing: string) => void,
): Promise<{ reports: InputReport[]; manifest: Manifest }> {
  const spill = join(draft, 'spill');
  await makeFolder(spill);
  const db = await Database.open(join(draft, 'lab.duckdb'), { spillTo: spill, memory: '1GB' });
  try {
    await db.run(`CREATE TABLE markets ${MARKET_TABLE}; CREATE TABLE events ${EVENT_TABLE};`);
    if (previous) await copyPrevious(db, previous);
    const reports: InputReport[] = [];
    for (const { input, sha256 } of fresh) {
      tell(`reading ${input.path} (${input.format.name})`);
      reports.push(await stageInput(db, input, sha256));
    }
    tell('building the ledger');
    const built = await buildResults(db, spill);
    // Into the one file, which is then immutable: a log beside it would be replayed by every reader.
    await db.run('CHECKPOINT');
    const inputs = [...(previous?.manifest.inputs ?? []), ...reports];
    return { reports, manifest: { schema: SCHEMA, created: new Date().toISOString(), inputs, ...built } };
  } finally {
    db.close();
    await rm(spill, { recursive: true, force: true });
  }
}

async function copyPrevious(db: Database, previous: Version): Promise<void> {
  await db.run(`ATTACH ${quote(previous.database)} AS previous (READ_ONLY)`);
  await db.run('INSERT INTO markets SELECT * FROM previous.markets; INSERT INTO events SELECT * FROM previous.events;');
  await db.run('DETACH previous');
}

/** Takes away the folders from this one up to the first that was made, as far as nothing came into them. */
async function removeEmpty(folder: string, first: string): Promise<void> {
  for (let path = folder; path.length >= first.length; path = dirname(path)) {
    try {
      await rmdir(path);
    } catch {
      return;
    }
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  } catch (cause) {
    throw new InputError(`Cannot read the input ${path}: ${(cause as Error).message}.`, { cause });
  }
  return hash.digest('hex');
}

async function writing<T>(folder: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw folderError(folder, error);
  }
}
