import { DataError } from '../../base/errors.js';
import { type AnswerDiff, diffAnswers } from './diff-answers.js';
import { type Entry, type Manifest, readManifest } from './manifest.js';
import { readRecorded } from './read-recorded.js';

/** The differences between two snapshots. */
export interface SnapshotDiff {
  /** Queries that only the second holds. */
  readonly added: readonly Entry[];
  /** Queries that only the first holds. */
  readonly removed: readonly Entry[];
  /** Queries with another answer in the second. */
  readonly changed: readonly AnswerDiff[];
  /** Number of queries with the same answer in both. */
  readonly same: number;
}

/**
 * Compares two snapshots: which queries were added or removed, and which records of changed answers differ.
 *
 * @param options.examples The largest number of records of each kind to show for an answer. Default: 3.
 * @throws {DataError} If one is no snapshot, or an answer to a query that both hold is missing or damaged.
 */
export async function diffSnapshots(
  before: string,
  after: string,
  { examples = 3 }: { readonly examples?: number } = {},
): Promise<SnapshotDiff> {
  const [old, now] = [await manifestOf(before), await manifestOf(after)];
  const added = [...now].flatMap(([key, entry]) => (old.has(key) ? [] : [entry]));
  const removed = [...old].flatMap(([key, entry]) => (now.has(key) ? [] : [entry]));
  const changed: AnswerDiff[] = [];
  for (const [key, entry] of old) {
    const other = now.get(key);
    if (!other) continue;
    if (other.sha256 !== entry.sha256) {
      changed.push(await diffAnswers({ folder: before, entry }, { folder: after, entry: other }, examples));
      continue;
    }
    // Equal manifests do not show whether a file was damaged since.
    for (const folder of [before, after]) for await (const _ of readRecorded(folder, entry));
  }
  return { added, removed, changed, same: old.size - removed.length - changed.length };
}

/**
 * Reads the manifest of a folder that must be a snapshot.
 *
 * @throws {DataError} If it has none.
 */
export async function manifestOf(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (manifest) return manifest;
  throw new DataError(`${folder} is no snapshot: it holds no manifest.json. Record one by connect({ snapshot }).`);
}
