import { DataError, UsageError } from '../../base/errors.js';
import { currentVersion, KEPT } from '../folder/current-version.js';
import type { Version } from '../folder/version.js';
import type { Cluster } from '../store/clickhouse/cluster.js';
import type { Shard } from '../store/clickhouse/shard.js';
import { type KnownShard, knownShards } from './known-shards.js';
import { loadShards } from './load-shards.js';
import { removeLeftovers, removeVersions } from './remove-versions.js';
import { SHORT_MS } from './statement-times.js';
import { isWhole, lastPublished, type Publication, type TableSums, writeLog } from './version-log.js';

/** How a version is pushed. */
export interface PushOptions {
  /** How many published versions stay; the published one and the one before it always do. Default 3. */
  readonly keep?: number | undefined;
  /** Called with what is being done, in words, and how far it is. */
  readonly onProgress?: ((doing: string) => void) | undefined;
}

/** The result of a push. */
export interface Pushed {
  /** The version that is published now. */
  readonly version: Version;
  /** Places of the shards that it was loaded into; none if all had it. */
  readonly loaded: readonly number[];
  /** Number of rows that were sent, to all shards together. */
  readonly rows: number;
  /** False if it was the published version before. */
  readonly isNew: boolean;
  /** Ids of older versions that were removed. */
  readonly removed: readonly string[];
}

/**
 * Loads the current version of a data folder into a cluster, checks it there, and publishes it. Until then, the version
 * that was published before is served, also if the push is interrupted; the next push then begins anew. Of two pushes,
 * the one that publishes last counts.
 *
 * @throws {DataError} If the folder has no version, if a shard cannot be asked or is not in its place, if it holds
 *   other rows than were sent, or if another push at the same time came in between.
 * @throws {UsageError} If `keep` is less than 1.
 */
export async function pushVersion(folder: string, cluster: Cluster, options: PushOptions = {}): Promise<Pushed> {
  const { keep = KEPT, onProgress = () => {} } = options;
  if (!(keep >= 1)) throw new UsageError(`At least 1 version must be kept; got ${keep}.`);
  const version = await currentVersion(folder);
  if (!version) throw new DataError(`The data folder ${folder} has no version yet: run "oddslab ingest" first.`);
  const known = await knownShards(cluster);
  const lacking = known.filter(({ state }) => !isWhole(state, version.id));
  const rows = await load(version, lacking, known, onProgress);
  // Read again, as another push may have changed something meanwhile.
  const isNew = await publish(version, await knownShards(cluster));
  const after = await knownShards(cluster);
  requireServed(version, after);
  const removed = await removeVersions(after, Math.max(2, keep));
  return { version, loaded: lacking.map(({ shard }) => shard.place), rows, isNew, removed };
}

async function load(
  version: Version,
  lacking: readonly KnownShard[],
  known: readonly KnownShard[],
  onProgress: (doing: string) => void,
): Promise<number> {
  if (lacking.length === 0) return 0;
  for (const each of lacking) await removeLeftovers(each, version.id);
  const shards = lacking.map(({ shard }) => shard);
  const sums = await loadShards(version, shards, known.length, onProgress);
  for (const { shard } of lacking) await tell(version, 'whole', shard, known, sums.get(shard.place));
  return [...sums.values()].flatMap((tables) => Object.values(tables)).reduce((all, { rows }) => all + rows, 0);
}

/** Publishes a version. The first shard's log decides; the others have the same line, in case that shard is gone. */
async function publish(version: Version, known: readonly KnownShard[]): Promise<boolean> {
  if (!known.every(({ state }) => isWhole(state, version.id))) {
    throw new DataError(`Another push has removed version ${version.name} before it was published: push it again.`);
  }
  const last = lastOf(known);
  const isNew = last?.id !== version.id;
  const seq = isNew ? nextSeq(known) : last.seq;
  for (const { shard, state } of known) {
    const told = state.published.at(-1);
    if (told?.id === version.id && told.seq === seq) continue;
    await tell(version, 'published', shard, known, undefined, seq);
  }
  return isNew;
}

/** @throws {DataError} If the version that was just published is not the one that is served. */
function requireServed({ id }: Version, known: readonly KnownShard[]): void {
  const last = lastOf(known);
  if (!last || last.id === id) return;
  throw new DataError(
    `Another push at the same time has published version ${last.id}, which is served now: push ${id} again to ` +
      'publish it in its place.',
  );
}

function lastOf(known: readonly KnownShard[]): Publication | undefined {
  return lastPublished(known.map(({ state }) => state));
}

/** A number above all in the logs. */
function nextSeq(known: readonly KnownShard[]): number {
  return Math.max(...known.map(({ state }) => state.seq)) + 1;
}

function tell(
  { id, manifest }: Version,
  event: 'whole' | 'published',
  { place, connection }: Shard,
  known: readonly KnownShard[],
  sums?: TableSums,
  seq = nextSeq(known),
): Promise<void> {
  const line = { seq, event, id, created: manifest.created, shard: place, shards: known.length };
  return writeLog(connection, sums ? { ...line, sums } : line, SHORT_MS);
}
