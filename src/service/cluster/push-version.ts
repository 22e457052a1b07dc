import { DataError, UsageError } from '../../base/errors.js';
import { greatestOf } from '../../base/many.js';
import { RESULT_TABLES, TABLE_PREFIX, tableName } from '../clickhouse/result-tables.js';
import type { Cluster, Shard } from '../clickhouse/shard.js';
import { currentVersion, KEPT } from '../folder/current-version.js';
import type { Version } from '../folder/version.js';
import { loadShards } from './load-shards.js';
import {
  bySeq,
  createLog,
  isWhole,
  lastPublished,
  misplacement,
  type Publication,
  readState,
  SHORT_MS,
  type ShardState,
  type TableSums,
  writeLog,
} from './version-log.js';

/** How a version is pushed. */
export interface PushOptions {
  /** How many published versions stay; the published one and the one before it always do. Default 3. */
  readonly keep?: number | undefined;
  /** Called with what is being done, in words, and how far it is. */
  readonly onProgress?: ((doing: string) => void) | undefined;
}

/** The result of a push. */
export interface Pushed {
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
  const seq = isNew ? undefined : last.seq;
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

function tell(
  { id, manifest }: Version,
  event: 'whole' | 'published',
  { place, connection }: Shard,
  known: readonly KnownShard[],
  sums?: TableSums,
  seq = greatestOf(known.map(({ state }) => state.seq)) + 1,
): Promise<void> {
  const line = { seq, event, id, created: manifest.created, shard: place, shards: known.length };
  return writeLog(connection, sums ? { ...line, sums } : line);
}

interface KnownShard {
  readonly shard: Shard;
  readonly state: ShardState;
}

/** Reads the state of every shard, and creates the log of a new one. @throws {DataError} As {@link pushVersion}. */
async function knownShards({ shards }: Cluster): Promise<KnownShard[]> {
  const known = await Promise.all(
    shards.map(async (shard) => {
      await createLog(shard.connection);
      return { shard, state: await readState(shard.connection, SHORT_MS) };
    }),
  );
  const misplaced = known.flatMap(({ shard, state }) => misplacement(shard, state, shards.length) ?? []);
  if (misplaced.length > 0) throw new DataError(misplaced.join('\n'));
  return known;
}

/** Removes from a shard what interrupted pushes have left there, and what it has of this version. */
async function removeLeftovers({ shard, state }: KnownShard, version: string): Promise<void> {
  const whole = [...state.whole.keys()].filter((id) => id !== version);
  const kept = new Set(whole.flatMap((id) => RESULT_TABLES.map(({ name }) => tableName(name, id))));
  for (const table of await tablesOf(shard)) {
    if (!kept.has(table)) await drop(shard, table);
  }
}

function drop({ connection }: Shard, table: string): Promise<void> {
  return connection.run(`DROP TABLE IF EXISTS ${table}`, SHORT_MS);
}

/**
 * Removes all versions but those that were published last: at least 2, as a service may still serve the last but one.
 *
 * @returns The ids of the removed versions.
 */
async function removeVersions(known: readonly KnownShard[], keep: number): Promise<string[]> {
  const published = new Map(known.flatMap(({ state }) => state.published.map((each) => [each.id, each] as const)));
  const last = [...published.values()].sort(bySeq).slice(-keep);
  const kept = new Set(last.map(({ id }) => id));
  const removed = new Set<string>();
  for (const { shard, state } of known) {
    for (const id of state.whole.keys()) {
      if (kept.has(id)) continue;
      // Out of the log first, so that a version in the log is always whole.
      const line = { seq: state.seq + 1, id, created: '', shard: shard.place, shards: known.length };
      await writeLog(shard.connection, { ...line, event: 'removed' });
      for (const { name } of RESULT_TABLES) await drop(shard, tableName(name, id));
      removed.add(id);
    }
  }
  return [...removed];
}

/** The names of all tables of versions on a shard; after the prefix comes a version's number. */
async function tablesOf({ connection }: Shard): Promise<string[]> {
  const sql =
    'SELECT name FROM system.tables WHERE database = currentDatabase() ' +
    `AND match(name, '^${TABLE_PREFIX}[0-9]{6,}_[0-9a-f]+_') FORMAT TabSeparated`;
  return (await connection.rows(sql, { timeMs: SHORT_MS })).map(([name]) => name ?? '');
}
