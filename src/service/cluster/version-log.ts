import { DataError } from '../../base/errors.js';
import { type Cells, type Connection, sqlLiteral } from '../clickhouse/clickhouse-connection.js';
import { RESULT_TABLES, TABLE_PREFIX, tableName } from '../clickhouse/result-tables.js';
import type { Shard } from '../clickhouse/shard.js';
import { ShardError } from '../clickhouse/shard-error.js';

/** The number of a table's rows, and a checksum over them. */
export interface TableSum {
  readonly rows: number;
  readonly checksum: string;
}

/** The sums of a version's tables on one shard, by table. */
export type TableSums = Readonly<Record<string, TableSum>>;

/** A version in the cluster's log. */
export interface PushedVersion {
  /** Its id, such as `000012-1b9f03ac`. */
  readonly id: string;
  /** When it was made, as ISO 8601. */
  readonly created: string;
}

/** A version that was published. */
export interface Publication extends PushedVersion {
  /** Its number over all shards; the highest is the one that counts. */
  readonly seq: number;
}

/** The state of a shard, as its log and its tables show it. */
export interface ShardState {
  /** Which shard it is, from 0, of how many; undefined before the first push. */
  readonly place: { readonly shard: number; readonly shards: number } | undefined;
  /** Versions that were loaded whole and checked, by id. */
  readonly whole: ReadonlyMap<string, TableSums>;
  /** Versions in the order of their publication, each once; the last is to be served. */
  readonly published: readonly Publication[];
  /** The number of rows of each of the service's tables, by name. */
  readonly rows: ReadonlyMap<string, number>;
  /** The highest number in the log; 0 if it is empty. */
  readonly seq: number;
}

interface LogLine extends Publication {
  readonly event: 'whole' | 'published' | 'removed';
  readonly shard: number;
  readonly shards: number;
  readonly sums?: TableSums;
}

const LOG = `${TABLE_PREFIX}versions`;

/** Creates a shard's log if there is none. */
export function createLog(connection: Connection): Promise<void> {
  const columns = 'seq UInt64, event String, version String, created String, shard UInt16, shards UInt16, sums String';
  return connection.run(`CREATE TABLE IF NOT EXISTS ${LOG} (${columns}) ENGINE = MergeTree ORDER BY seq`, SHORT_MS);
}

/** Adds a line to a shard's log, atomically. */
export function writeLog(connection: Connection, line: LogLine): Promise<void> {
  const { seq, event, id, created, shard, shards, sums = {} } = line;
  const texts = [event, id, created].map(sqlLiteral).join(', ');
  const values = `${seq}, ${texts}, ${shard}, ${shards}, ${sqlLiteral(JSON.stringify(sums))}`;
  return connection.run(`INSERT INTO ${LOG} VALUES (${values})`, SHORT_MS);
}

/** The log and the numbers of rows, in one query, so that they are of the same moment. */
const STATE = `
  SELECT seq, event, version, created, shard, shards, sums FROM ${LOG}
  UNION ALL
  SELECT toUInt64(sum(rows)), 'rows', table, '', toUInt16(0), toUInt16(0), '' FROM system.parts
  WHERE database = currentDatabase() AND active AND startsWith(table, '${TABLE_PREFIX}') GROUP BY table
  FORMAT TabSeparated`;

/** The server's error for an unknown table. */
const NO_TABLE = /Code: 60\b/;

/** Reads the state of a shard. @throws {ShardError} If it cannot be asked. */
export async function readState(connection: Connection, timeMs: number): Promise<ShardState> {
  try {
    return stateOf(await connection.rows(STATE, { timeMs }), connection.shown);
  } catch (error) {
    if (error instanceof ShardError && NO_TABLE.test(error.message)) return stateOf([], connection.shown);
    throw error;
  }
}

/** Whether a shard has all rows of a version; one that an earlier release made has no table that came later. */
export function isWhole({ whole, rows }: ShardState, version: string): boolean {
  const sums = whole.get(version);
  return (
    sums !== undefined &&
    RESULT_TABLES.every(({ name, isLater }) =>
      isLater && sums[name] === undefined ? true : (rows.get(tableName(name, version)) ?? 0) === sums[name]?.rows,
    )
  );
}

/** The publication that counts, by the states of shards; undefined if nothing was published. */
export function lastPublished(states: readonly ShardState[]): Publication | undefined {
  return states
    .flatMap(({ published }) => published.at(-1) ?? [])
    .sort(bySeq)
    .at(-1);
}

/** Compares publications by number, then by id: two pushes at the same moment may give the same number. */
export function bySeq(a: Pick<Publication, 'seq' | 'id'>, b: Pick<Publication, 'seq' | 'id'>): number {
  return a.seq - b.seq || Number(a.id > b.id) - Number(a.id < b.id);
}

function stateOf(cells: readonly Cells[], shown: string): ShardState {
  const read = cells.map((row) => row.map((cell) => cell ?? ''));
  const lines = read
    .filter(([, event]) => event !== 'rows')
    .map(([seq, event, id = '', ...rest]) => ({ seq: Number(seq), event, id, rest }))
    .sort(bySeq);
  const whole = new Map<string, TableSums>();
  const published = new Map<string, Publication>();
  let place: ShardState['place'];
  for (const { seq, event, id, rest } of lines) {
    const [created = '', shard, shards, sums = ''] = rest;
    place = { shard: Number(shard), shards: Number(shards) };
    if (event === 'whole') whole.set(id, parseSums(sums, shown));
    // A version that is published again becomes the last one.
    if (event !== 'whole') published.delete(id);
    if (event === 'published') published.set(id, { id, created, seq });
    if (event === 'removed') whole.delete(id);
  }
  const rows = read.flatMap(([count, event, table = '']) =>
    event === 'rows' ? [[table, Number(count)] as const] : [],
  );
  return { place, whole, published: [...published.values()], rows: new Map(rows), seq: lines.at(-1)?.seq ?? 0 };
}

function parseSums(text: string, shown: string): TableSums {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `The log of versions of ClickHouse at ${shown} is damaged: push into another database.`;
    throw new DataError(message, { cause });
  }
}

/** Says whose rows a shard holds instead of its own; undefined if it is in its place, or empty. */
export function misplacement({ name, place, connection }: Shard, { place: told }: ShardState, shards: number) {
  if (!told || (told.shard === place && told.shards === shards)) return undefined;
  const remedy =
    told.shards === shards
      ? 'name the shards in the order in which they were pushed to'
      : `name all ${told.shards} shards in their order. To spread the data over another number, push them into ` +
        'another database: add its name to each address, as in http://10.0.0.1:8123/odds2';
  return (
    `ClickHouse at ${connection.shown} is named as ${name}, but holds shard ${told.shard + 1} of ${told.shards}: ` +
    `${remedy}.`
  );
}

/** Milliseconds for a statement on the log, or that creates or drops a table; a drop waits for the table's readers. */
export const SHORT_MS = 60_000;

/** Milliseconds for a checksum over all rows of a table. */
export const LONG_MS = 3_600_000;
