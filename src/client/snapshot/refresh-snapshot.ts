import { randomBytes } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError, UsageError } from '../../base/errors.js';
import { systemErrorCode, writeFailure } from '../../base/whole-file.js';
import { type Dataset, findDataset, unknownDataset } from '../../contract/dataset.js';
import { checkAliases, checkProgress, checkRepeats, checkWallet } from '../paging/page-checks.js';
import { PageDecoder } from '../paging/page-decoder.js';
import type { PageSource, Series } from '../paging/page-source.js';
import type { KeyHider } from '../transport/server-text.js';
import { diffSnapshots, manifestOf, type SnapshotDiff } from './diff-snapshots.js';
import { updateSnapshot } from './enter-answer.js';
import { answerName, type SnapshotEntry, type SnapshotManifest } from './snapshot-manifest.js';
import { snapshotPages } from './snapshot-pages.js';

/** Options of {@link refreshSnapshot}. */
export interface RefreshOptions {
  /** Folder for the new answers, which must not exist yet or be empty. Default: the snapshot itself. */
  readonly out?: string | undefined;
  /** Number of records of each kind to show for an answer. Default: 3. */
  readonly examples?: number;
  /** Called before each query with its number, counted from 1, and the number of queries. */
  readonly onProgress?: (query: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
  /** Finds the API key, which must not be recorded. Default: no key is sent. */
  readonly hide?: Pick<KeyHider, 'isIn'>;
}

/**
 * Asks a service every query of a snapshot again. The snapshot changes only once all have been answered, and then all
 * at once.
 *
 * @returns The differences between the old answers and the new ones.
 * @throws {UsageError} If the folder for the new answers is in use.
 * @throws What the service's pages throw, and {@link AnswerError} if a record contradicts the contract.
 */
export async function refreshSnapshot(
  folder: string,
  source: PageSource,
  { out, examples = 3, onProgress, signal, hide }: RefreshOptions = {},
): Promise<SnapshotDiff> {
  const before = await manifestOf(folder);
  if (out !== undefined) await refuseUsed(out);
  // Within the folder, or beside the new one, since a rename does not work across disks.
  const staging = `${out ?? join(folder, '.refresh')}-${randomBytes(6).toString('hex')}`;
  try {
    const record = snapshotPages(source, { folder: staging, mode: 'record' }, hide);
    let asked = 0;
    for (const { dataset, params, maxRecords } of before.values()) {
      signal?.throwIfAborted();
      onProgress?.(++asked, before.size);
      const known = findDataset(dataset) ?? unknownDataset(dataset);
      await drain(known, params, record({ dataset: known, params, maxRecords, signal }));
    }
    const difference = await diffSnapshots(folder, staging, { examples });
    if (out === undefined) await replaceAnswers(folder, before, await manifestOf(staging), staging);
    else await moveTo(staging, out);
    return difference;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function refuseUsed(out: string): Promise<void> {
  const files = await readdir(out).catch((cause) => {
    if (systemErrorCode(cause) === 'ENOENT') return [];
    throw new UsageError(`The new state cannot be written to ${out}: ${writeFailure(cause)}.`, { cause });
  });
  if (files.length > 0) throw new UsageError(`${out} is not empty: name a new folder for the new state.`);
}

/** Reads a series to its end as a frame would, so that only records that a frame can hold are recorded. */
async function drain(dataset: Dataset, params: SnapshotEntry['params'], { pages }: Series): Promise<void> {
  const decoder = new PageDecoder(dataset, {});
  for await (const page of pages) {
    const appended = decoder.appendText(page.results);
    // What is recorded must be of one time.
    checkProgress(dataset, page, appended, false);
    checkAliases(dataset, page.results);
    checkWallet(dataset, params, decoder, appended);
    checkRepeats(decoder);
  }
}

/** Replaces the answers; queries that others entered meanwhile stay. */
async function replaceAnswers(
  folder: string,
  before: SnapshotManifest,
  after: SnapshotManifest,
  staging: string,
): Promise<void> {
  const moved = new Set<string>();
  const additions = [...after.values()].map((entry) => {
    // Equal answers share one file, which can be moved only once.
    const isMoved = moved.has(entry.sha256);
    moved.add(entry.sha256);
    return { entry, path: isMoved ? undefined : join(staging, answerName(entry.sha256)) };
  });
  await updateSnapshot(folder, additions, (present) => new Map([...present].filter(([key]) => !before.has(key))));
}

async function moveTo(staging: string, out: string): Promise<void> {
  await rename(staging, out).catch((cause) => {
    throw new DataError(`Cannot write the new state to ${out}: ${writeFailure(cause)}.`, { cause });
  });
}
