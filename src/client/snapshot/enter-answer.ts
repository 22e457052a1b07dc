import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DataError, OddslabError } from '../../base/errors.js';
import { takeLock } from '../../base/lock-file.js';
import { writeFailure, writeWhole } from '../../base/whole-file.js';
import { keepManifest, presentManifest } from './find-entry.js';
import { queryKey } from './recorded-query.js';
import {
  answerName,
  manifestPath,
  manifestText,
  type SnapshotEntry,
  type SnapshotManifest,
} from './snapshot-manifest.js';

/** A recorded query and the file of its answer. */
interface Addition {
  readonly entry: SnapshotEntry;
  /** Path of the file; undefined if the answer is already in its place, or another addition puts it there. */
  readonly path: string | undefined;
}

/** Answers that are entered together. */
interface Batch {
  readonly additions: Addition[];
  isBegun: boolean;
  entered: Promise<void>;
}

/** The last batch of each folder; it takes further answers until it is begun. */
const batches = new Map<string, Batch>();

/**
 * Enters an answer into a snapshot: puts its file in place and names it in the manifest, replacing an earlier answer to
 * the same query. Queries that end at the same time are entered together, which halves the time of 300; other processes
 * wait their turn.
 *
 * @throws {DataError} If the snapshot cannot be written; it is then as it was.
 */
export function enterAnswer(folder: string, addition: Addition): Promise<void> {
  const place = resolve(folder);
  const last = batches.get(place);
  if (last && !last.isBegun) {
    last.additions.push(addition);
    return last.entered;
  }
  const batch: Batch = { additions: [addition], isBegun: false, entered: Promise.resolve() };
  const begin = () => {
    batch.isBegun = true;
    return updateSnapshot(folder, batch.additions, (manifest) => manifest);
  };
  batch.entered = (last?.entered ?? Promise.resolve()).then(begin, begin).finally(() => {
    if (batches.get(place) === batch) batches.delete(place);
  });
  batches.set(place, batch);
  return batch.entered;
}

/** Puts answers in place and adds them to the manifest that `base` makes of the present one, all at once. */
export async function updateSnapshot(
  folder: string,
  additions: readonly Addition[],
  base: (present: SnapshotManifest) => SnapshotManifest,
): Promise<void> {
  try {
    await withLock(join(folder, 'manifest.lock'), async () => {
      const present = await presentManifest(folder);
      const manifest = new Map(base(present));
      try {
        for (const { entry, path } of additions) {
          if (path !== undefined) await rename(path, join(folder, answerName(entry.sha256)));
          manifest.set(queryKey(entry), entry);
        }
        await writeWhole(manifestPath(folder), manifestText(manifest));
        await keepManifest(folder, manifest);
      } catch (error) {
        await removeUnnamed(folder, additions, present);
        throw error;
      }
      await removeUnnamed(folder, [...additions, ...[...present.values()].map((entry) => ({ entry }))], manifest);
    });
  } catch (cause) {
    if (cause instanceof OddslabError) throw cause;
    throw new DataError(`Cannot record into the snapshot ${folder}: ${writeFailure(cause)}.`, { cause });
  }
}

/** Removes answers that the manifest does not name. */
async function removeUnnamed(
  folder: string,
  answers: readonly Pick<Addition, 'entry'>[],
  manifest: SnapshotManifest,
): Promise<void> {
  const named = new Set([...manifest.values()].map(({ sha256 }) => sha256));
  for (const { entry } of answers) {
    if (!named.has(entry.sha256)) await rm(join(folder, answerName(entry.sha256)), { force: true });
  }
}

/** How long a writer waits for others, whose turns take milliseconds: longer than a dead one's lock can remain. */
const PATIENCE_MS = 90_000;

/**
 * Does work while it holds a lock file, so that no other process does the same. A lock left behind by a process that
 * died is taken over.
 *
 * @throws {DataError} If the lock is not free within a minute and a half, or cannot be created.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (let pauseMs = 2; ; pauseMs = Math.min(50, pauseMs * 2)) {
    const taken = await takeLock(path);
    if (typeof taken === 'function') return work().finally(taken);
    if (Date.now() > until) {
      throw new DataError(
        `${path} has been held for ${PATIENCE_MS / 1000} seconds, by process ${taken.pid}` +
          `${taken.elsewhere ? ` on ${taken.elsewhere}` : ''}: if it is not recording, delete the file.`,
      );
    }
    await wait(pauseMs * (0.5 + Math.random()));
  }
}
