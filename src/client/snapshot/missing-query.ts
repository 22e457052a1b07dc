import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DataError } from '../../base/errors.js';
import type { Entry, Manifest } from './manifest.js';
import { queryDifferences, queryText, type RecordedQuery } from './query-key.js';

/**
 * The error for a query that a snapshot does not hold: shows the most similar one that it holds, and how to record it.
 */
export function missingQuery(folder: string, manifest: Manifest, query: RecordedQuery): DataError {
  const near = nearestEntry(manifest, query);
  const held = near
    ? `The nearest that it holds, of ${near.recordedAt}, is\n  ${queryText(near)}\n` +
      `in which ${queryDifferences(near, query).join('; ')}.`
    : existsSync(folder)
      ? 'It holds no query at all.'
      : `There is no such folder (${resolve(folder)}).`;
  return new DataError(
    `The snapshot ${folder} does not hold the query\n  ${queryText(query)}\n${held}\nTo record it, run it once ` +
      `with connect({ snapshot: '${folder}', mode: 'auto' }), or ODDSLAB_SNAPSHOT_MODE=auto, where the service is.`,
  );
}

/** The recorded query with the fewest differences, preferring those of the same dataset. */
function nearestEntry(manifest: Manifest, query: RecordedQuery): Entry | undefined {
  let best: { entry: Entry; distance: number } | undefined;
  for (const entry of manifest.values()) {
    const other = entry.dataset === query.dataset ? 0 : 1000;
    const distance = other + queryDifferences(entry, query).length;
    if (!best || distance < best.distance) best = { entry, distance };
  }
  return best?.entry;
}
