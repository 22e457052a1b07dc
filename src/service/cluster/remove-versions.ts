import { RESULT_TABLES, TABLE_PREFIX, tableName } from '../store/clickhouse/result-tables.js';
import type { Shard } from '../store/clickhouse/shard.js';
import type { KnownShard } from './known-shards.js';
import { SHORT_MS } from './statement-times.js';
import { bySeq, writeLog } from './version-log.js';

/** Removes from a shard what interrupted pushes have left there, and what it has of this version. */
export async function removeLeftovers({ shard, state }: KnownShard, version: string): Promise<void> {
  const whole = [...state.whole.keys()].filter((id) => id !== version);
  const kept = new Set(whole.flatMap((id) => RESULT_TABLES.map(({ name }) => tableName(name, id))));
  for (const table of await tablesOf(shard)) {
    if (!kept.has(table)) await shard.connection.run(`DROP TABLE IF EXISTS ${table}`, SHORT_MS);
  }
}

/**
 * Removes all versions but those that were published last.
 *
 * @param keep How many to keep: at least 2, as a service may still serve the one before the last.
 * @returns The ids of the removed versions.
 */
export async function removeVersions(known: readonly KnownShard[], keep: number): Promise<string[]> {
  const published = new Map(known.flatMap(({ state }) => state.published.map((each) => [each.id, each] as const)));
  const kept = new Set(
    [...published.values()]
      .sort(bySeq)
      .slice(-keep)
      .map(({ id }) => id),
  );
  const removed = new Set<string>();
  for (const { shard, state } of known) {
    for (const id of state.whole.keys()) {
      if (kept.has(id)) continue;
      // Out of the log first, so that a version in the log is always whole.
      const line = { seq: state.seq + 1, id, created: '', shard: shard.place, shards: known.length };
      await writeLog(shard.connection, { ...line, event: 'removed' }, SHORT_MS);
      for (const { name } of RESULT_TABLES) {
        await shard.connection.run(`DROP TABLE IF EXISTS ${tableName(name, id)}`, SHORT_MS);
      }
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
