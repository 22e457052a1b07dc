import { DataError } from '../../errors.js';
import { type AnswerDiff, diffAnswers } from './diff-answers.js';
import { type Entry, type Manifest, readManifest } from './manifest.js';
import { readRecorded } from './read-recorded.js';

/** What differs between two snapshots. */
export interface SnapshotDiff {
  /** Queries that the second alone holds. */
  readonly added: readonly Entry[];
  /** Queries that the first alone holds. */
  readonly removed: readonly Entry[];
  /** Queries with another answer in the second. */
  readonly changed: readonly AnswerDiff[];
  /** How many queries have one answer in both. */
  readonly same: number;
}

/**
 * Compares two snapshots: which queries came and went, and of those with another answer, which records.
 *
 * @param options.examples Records of each kind that are shown of an answer, at most. Default 3.
 * @throws {DataError} If one is no snapshot, or an answer that both hold is missing or damaged.
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
    // That the manifests agree says nothing of a file that was damaged since.
    for (const folder of [before, after]) for await (const _ of readRecorded(folder, entry));
  }
  return { added, removed, changed, same: old.size - removed.length - changed.length };
}

/**
 * The manifest of a folder that must be a snapshot.
 *
 * @throws {DataError} If it has none.
 */
export async function manifestOf(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (manifest) return manifest;
  throw new DataError(`${folder} is no snapshot: it holds no manifest.json. Record one by connect({ snapshot }).`);
}
