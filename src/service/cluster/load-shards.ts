import { DataError } from '../../base/errors.js';
import { linesOf, storedSumsOf, sumsOf } from '../clickhouse/insertion.js';
import { createTable, RESULT_TABLES, type ResultTable, tableName } from '../clickhouse/result-tables.js';
import type { Shard } from '../clickhouse/shard.js';
import type { Version } from '../folder/version.js';
import { Database } from '../store/database.js';
import { hasStandings } from '../store/standing-rows.js';
import { STANDING_TABLES } from '../store/standings.js';
import { LONG_MS, SHORT_MS, type TableSum, type TableSums } from './version-log.js';

/** Most memory that the engine uses while it reads the version. */
const MEMORY = '512MB';

const STANDINGS: ReadonlySet<string> = new Set(STANDING_TABLES);

const TOLD_ROWS = 50_000;

const NOTHING: TableSum = { rows: 0, checksum: '0' };

/**
 * Loads a version's tables into shards that have none of it. The tables are read once for all shards. Then the number
 * and the checksum of the rows are compared on both sides.
 *
 * @param count The number of shards in the cluster.
 * @returns The sums of each shard's tables, by the shard's place.
 * @throws {DataError} If a shard cannot be asked, or holds other rows than were sent.
 */
export async function loadShards(
  version: Version,
  shards: readonly Shard[],
  count: number,
  onProgress: (doing: string) => void,
): Promise<Map<number, TableSums>> {
  const db = await Database.open(version.database, { locked: true, threads: 2, memory: MEMORY });
  const found = new Map<number, Record<string, TableSum>>(shards.map(({ place }) => [place, {}]));
  try {
    const lacksStandings = !(await hasStandings(db));
    const names = await db.rows<{ name: string }>('SELECT table_name AS name FROM duckdb_tables()');
    const held = new Set(names.map(({ name }) => name));
    for (const known of RESULT_TABLES) {
      if (known.isLater && !held.has(known.name)) continue;
      // Where one of them is an earlier release's, none of their datasets can be asked: the service says so.
      if (lacksStandings && STANDINGS.has(known.name)) continue;
      const table = await withLaterColumns(db, known);
      onProgress(`reading ${table.name}`);
      const sums = await db.rows<TableSum & { shard: number }>(sumsOf(table, count));
      await create(table, version, shards);
      await send(db, table, version, shards, count, onProgress);
      onProgress(`checking ${table.name}`);
      const checks = shards.map(async (shard) => {
        const sent = sums.find(({ shard: place }) => place === shard.place || place === -1) ?? NOTHING;
        const sum = { rows: sent.rows, checksum: sent.checksum };
        await check(table, version, shard, sum);
        Object.assign(found.get(shard.place) ?? {}, { [table.name]: sum });
      });
      await Promise.all(checks);
    }
    return found;
  } finally {
    db.close();
  }
}

/** A table with a source that has its nullable columns: null where the version's release did not know them yet. */
async function withLaterColumns(db: Database, table: ResultTable): Promise<ResultTable> {
  const source = table.source ?? table.name;
  const held = await db.rows<{ column_name: string }>(`DESCRIBE SELECT * FROM ${source}`);
  const names = new Set(held.map(({ column_name }) => column_name));
  // One that is made of other columns may be added, too: it is read from those.
  const lacking = table.columns.filter(({ name, nullable }) => nullable && !names.has(name));
  if (lacking.length === 0) return table;
  const nulls = lacking.map(({ name }) => `NULL::VARCHAR AS ${name}`).join(', ');
  return { ...table, source: `(SELECT *, ${nulls} FROM ${source})` };
}

/** Creates a table on each shard, one after another: if two addresses lead to one server, the second finds it. */
async function create(table: ResultTable, { id }: Version, shards: readonly Shard[]): Promise<void> {
  for (const { connection } of shards) {
    await connection.run(createTable(table, id), SHORT_MS).catch((cause: unknown) => {
      if (!/Code: 57\b/.test(String(cause))) throw cause;
      throw new DataError(
        `ClickHouse at ${connection.shown} got the table ${tableName(table.name, id)} from elsewhere meanwhile: either ` +
          'two of the addresses lead to one server, or another push is under way. Each shard needs a server or a ' +
          'database of its own, and one push at a time.',
        { cause },
      );
    });
  }
}

async function send(
  db: Database,
  table: ResultTable,
  version: Version,
  shards: readonly Shard[],
  count: number,
  onProgress: (doing: string) => void,
): Promise<void> {
  const names = table.columns.map(({ name }) => name);
  const streams = new Map(
    shards.map(({ place, connection }) => [place, connection.insert(tableName(table.name, version.id), names)]),
  );
  const all = [...streams.values()];
  try {
    let rows = 0;
    for await (const [places = [], lines = []] of db.chunks(linesOf(table, count))) {
      for (const [row, line] of lines.entries()) {
        // Those of shards that are not loaded are left out.
        const place = places[row] as number;
        for (const stream of place === -1 ? all : [streams.get(place)]) stream?.add(line as string);
      }
      await Promise.all(all.map((stream) => stream.send()));
      const before = rows;
      rows += lines.length;
      if (Math.floor(before / TOLD_ROWS) < Math.floor(rows / TOLD_ROWS)) {
        onProgress(`sending ${table.name}: ${rows.toLocaleString('en-US')} rows`);
      }
    }
    await Promise.all(all.map((stream) => stream.finish()));
  } catch (error) {
    for (const stream of all) stream.destroy();
    throw error;
  }
}

async function check(table: ResultTable, { id }: Version, { connection }: Shard, sent: TableSum): Promise<void> {
  const [cells = []] = await connection.rows(storedSumsOf(table, id), { timeMs: LONG_MS });
  const [rows = '', checksum = ''] = cells;
  if (Number(rows) === sent.rows && checksum === sent.checksum) return;
  const what = Number(rows) === sent.rows ? 'other rows than were sent' : `${rows} rows instead of ${sent.rows}`;
  throw new DataError(
    `ClickHouse at ${connection.shown} holds ${what} in ${tableName(table.name, id)}: what was published before is ` +
      'served on. Run the push again.',
  );
}
