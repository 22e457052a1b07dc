import { type BigIntStats, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DataError } from '../../base/errors.js';
import { queryDifferences, queryKey, type RecordedQuery, recordedQueryText } from './recorded-query.js';
import { manifestPath, readManifest, type SnapshotEntry, type SnapshotManifest } from './snapshot-manifest.js';

/** The manifests last read, by path, since a notebook over many wallets may make hundreds of queries. */
const known = new Map<string, { stamp: string; manifest: SnapshotManifest }>();

/**
 * The snapshot's present manifest, empty if there is none. It is read again only if it has changed.
 *
 * @throws {DataError} If it is no manifest of a snapshot.
 */
export async function presentManifest(folder: string): Promise<SnapshotManifest> {
  const path = resolve(manifestPath(folder));
  const stamp = stampOf(await stat(path, { bigint: true }).catch(() => undefined));
  const kept = known.get(path);
  if (kept?.stamp === stamp) return kept.manifest;
  const manifest = (await readManifest(folder)) ?? new Map<string, SnapshotEntry>();
  known.set(path, { stamp, manifest });
  return manifest;
}

/** Keeps what was just written as the snapshot's present manifest, for a caller that holds its lock. */
export async function keepManifest(folder: string, manifest: SnapshotManifest): Promise<void> {
  const path = resolve(manifestPath(folder));
  known.set(path, { stamp: stampOf(await stat(path, { bigint: true })), manifest });
}

function stampOf(found: BigIntStats | undefined): string {
  return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : 'none';
}

/**
 * Finds the recorded query that answers a query: the same one, or one with the same filters and at least its records.
 *
 * @returns Undefined if the manifest holds none.
 */
export function findEntry(
  manifest: SnapshotManifest,
  { dataset, params, maxRecords }: RecordedQuery,
): SnapshotEntry | undefined {
  const same = manifest.get(queryKey({ dataset, params, maxRecords }));
  if (same || maxRecords === undefined) return same;
  const whole = manifest.get(queryKey({ dataset, params }));
  if (whole) return whole;
  const longer = [...manifest.values()].filter((entry) => (entry.maxRecords ?? 0) > maxRecords);
  return longer.find((entry) => queryKey({ ...entry, maxRecords: undefined }) === queryKey({ dataset, params }));
}

/** The error for a query that a snapshot lacks: shows the most similar one that it holds, and how to record it. */
export function missingQuery(folder: string, manifest: SnapshotManifest, query: RecordedQuery): DataError {
  const near = nearestEntry(manifest, query);
  const held = near
    ? `The nearest that it holds, of ${near.recordedAt}, is\n  ${recordedQueryText(near)}\n` +
      `in which ${queryDifferences(near, query).join('; ')}.`
    : existsSync(folder)
      ? 'It holds no query at all.'
      : `There is no such folder (${resolve(folder)}).`;
  return new DataError(
    `The snapshot ${folder} does not hold the query\n  ${recordedQueryText(query)}\n${held}\nTo record it, run it once ` +
      `with connect({ snapshot: '${folder}', mode: 'auto' }), or ODDSLAB_SNAPSHOT_MODE=auto, where the service is.`,
  );
}

/** The recorded query with the fewest differences, preferring those of the same dataset. */
function nearestEntry(manifest: SnapshotManifest, query: RecordedQuery): SnapshotEntry | undefined {
  let best: { entry: SnapshotEntry; distance: number } | undefined;
  for (const entry of manifest.values()) {
    const other = entry.dataset === query.dataset ? 0 : 1000;
    const distance = other + queryDifferences(entry, query).length;
    if (!best || distance < best.distance) best = { entry, distance };
  }
  return best?.entry;
}
