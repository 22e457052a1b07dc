import { chmod, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DataError } from '../../errors.js';
import { makeFolder } from '../../make-folder.js';
import { codeOf, syncFolder, writeWhole } from '../../whole-file.js';

const counts = z.record(z.string(), z.number());

const inputReport = z.object({
  file: z.string(),
  sha256: z.string(),
  format: z.string(),
  rows: z.number(),
  kept: z.number(),
  skipped: counts,
  doubtful: counts,
});

const manifestSchema = z.object({
  schema: z.literal(1),
  created: z.string(),
  inputs: z.array(inputReport),
  totals: counts,
  busiest: z.array(z.string()),
  doubtful: counts,
});

/** What one input gave: rows read and kept, and the skipped and the doubtful ones counted by reason. */
export type InputReport = z.output<typeof inputReport>;

/** What a data version was built from, and what doubts remain; stored beside its tables. */
export type Manifest = z.output<typeof manifestSchema>;

/** One immutable version of the data: a folder with its database and its manifest. */
export interface Version {
  name: string;
  database: string;
  manifest: Manifest;
}

/** Layout number of the version's tables; another one is refused rather than misread. */
export const SCHEMA = 1;

const CURRENT = 'current';

/** The path whose modification tells that another version was switched to. */
export function currentPath(folder: string): string {
  return join(folder, CURRENT);
}

/**
 * The version that a data folder serves.
 *
 * @returns Undefined where nothing was ingested yet.
 * @throws {DataError} If the version that is named is damaged or was written by another release.
 */
export async function currentVersion(folder: string): Promise<Version | undefined> {
  const name = await readFile(currentPath(folder), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new DataError(`Cannot read the data folder ${folder}: ${codeOf(error) ?? error}.`, { cause: error });
  });
  return name === undefined ? undefined : readVersion(folder, name.trim());
}

async function readVersion(folder: string, name: string): Promise<Version> {
  const path = join(folder, 'versions', name);
  try {
    const manifest = manifestSchema.parse(JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8')));
    const database = join(path, 'lab.duckdb');
    await stat(database);
    return { name, database, manifest };
  } catch (cause) {
    throw new DataError(
      `Version ${name} of the data folder ${folder} is missing or damaged: ingest its inputs again into a new folder.`,
      { cause },
    );
  }
}

/** A folder in which the next version is built, out of sight until {@link publishVersion}. */
export async function draftVersion(folder: string): Promise<string> {
  await makeFolder(join(folder, 'versions'));
  for (const entry of await readdir(join(folder, 'versions'))) {
    if (entry.startsWith('.draft-')) await rm(join(folder, 'versions', entry), { recursive: true, force: true });
  }
  const draft = await mkdtemp(join(folder, 'versions', '.draft-'));
  await chmod(draft, 0o755);
  return draft;
}

/** Puts a finished draft on disk under the next number, then switches to it; either all of it is visible or nothing. */
export async function publishVersion(folder: string, draft: string, manifest: Manifest): Promise<Version> {
  const versions = join(folder, 'versions');
  await writeWhole(join(draft, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`, { durable: true });
  const database = await open(join(draft, 'lab.duckdb'), 'r');
  await database.sync();
  await database.close();
  const numbers = (await readdir(versions)).map(Number).filter(Number.isInteger);
  const name = String(Math.max(0, ...numbers) + 1).padStart(6, '0');
  await rename(draft, join(versions, name));
  try {
    await syncFolder(versions);
    await writeWhole(currentPath(folder), `${name}\n`, { durable: true });
  } catch (error) {
    // The switch itself may have come through and only its last step failed.
    const served = await readFile(currentPath(folder), 'utf8').catch(() => '');
    if (served.trim() !== name) await rm(join(versions, name), { recursive: true, force: true });
    throw error;
  }
  await pruneVersions(versions, name);
  return readVersion(folder, name);
}

/** How many versions before the current one stay, for readers that still hold one open. */
const KEPT = 2;

async function pruneVersions(versions: string, current: string): Promise<void> {
  const old = (await readdir(versions)).filter((name) => /^\d{6}$/.test(name) && name < current).sort();
  for (const name of old.slice(0, Math.max(0, old.length - KEPT))) {
    await rm(join(versions, name), { recursive: true, force: true });
  }
}
