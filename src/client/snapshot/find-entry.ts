import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Entry, type Manifest, manifestPath, readManifest } from './manifest.js';
import { queryKey, type RecordedQuery } from './query-key.js';

/** The manifests last read, by path, since a notebook over many wallets may make hundreds of queries. */
const known = new Map<string, { stamp: string; manifest: Manifest }>();

/**
 * The snapshot's present manifest, empty if there is none. It is read again only if it has changed.
 *
 * @throws {DataError} If it is no manifest of a snapshot.
 */
export async function presentManifest(folder: string): Promise<Manifest> {
  const path = resolve(manifestPath(folder));
  const stamp = stampOf(await stat(path, { bigint: true }).catch(() => undefined));
  const kept = known.get(path);
  if (kept?.stamp === stamp) return kept.manifest;
  const manifest = (await readManifest(folder)) ?? new Map<string, Entry>();
  known.set(path, { stamp, manifest });
  return manifest;
}

/** Keeps what was just written as the snapshot's present manifest, for a caller that holds its lock. */
export async function keepManifest(folder: string, manifest: Manifest): Promise<void> {
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
export function findEntry(manifest: Manifest, { dataset, params, maxRecords }: RecordedQuery): Entry | undefined {
  const same = manifest.get(queryKey({ dataset, params, maxRecords }));
  if (same || maxRecords === undefined) return same;
  const whole = manifest.get(queryKey({ dataset, params }));
  if (whole) return whole;
  const longer = [...manifest.values()].filter((entry) => (entry.maxRecords ?? 0) > maxRecords);
  return longer.find((entry) => queryKey({ ...entry, maxRecords: undefined }) === queryKey({ dataset, params }));
}
