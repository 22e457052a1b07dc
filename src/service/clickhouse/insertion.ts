import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { messageOf } from '../../base/errors.js';
import { type ResultColumn, type ResultTable, shardOfColumn, tableName } from './result-tables.js';
import { refusal, ShardError } from './shard-error.js';

/** How long a server may accept no rows of a stream. */
const STALL_MS = 300_000;

/** How much is gathered before it is sent, in characters. */
const BATCH_BYTES = 1 << 18;

/** A stream of rows into a table, sent as fast as the server takes them. */
export class Insertion {
  readonly #request: ClientRequest;
  readonly #shown: string;
  /** Settles with the server's answer. An answer before all rows are sent is a refusal. */
  readonly #answer: Promise<void>;
  #failed: unknown;
  #waiting = '';

  constructor(request: ClientRequest, shown: string) {
    this.#request = request;
    this.#shown = shown;
    request.setTimeout(STALL_MS, () => request.destroy(new Error(`it took no rows for ${STALL_MS / 1000} s`)));
    this.#answer = this.#read();
    this.#answer.catch((error: unknown) => {
      this.#failed = error;
    });
  }

  add(line: string): void {
    this.#waiting += `${line}\n`;
  }

  /** Sends the batch if it is large enough; waits while the server is behind. @throws {ShardError} If it refused. */
  async send(): Promise<void> {
    if (this.#waiting.length >= BATCH_BYTES) await this.#send();
  }

  /** Sends the rest, and waits until the server has written all rows. @throws {ShardError} As {@link send}. */
  async finish(): Promise<void> {
    await this.#send();
    this.#request.end();
    await this.#answer;
  }

  destroy(): void {
    this.#request.destroy();
  }

  async #send(): Promise<void> {
    if (this.#failed) throw this.#failed;
    const batch = this.#waiting;
    this.#waiting = '';
    if (this.#request.write(batch)) return;
    await Promise.race([once(this.#request, 'drain'), this.#answer]);
  }

  async #read(): Promise<void> {
    try {
      const [response] = await once(this.#request, 'response');
      const said = await text(response);
      if (response.statusCode !== 200) throw refusal(this.#shown, response.statusCode, said);
    } catch (error) {
      this.#request.destroy();
      if (error instanceof ShardError) throw error;
      const message = `ClickHouse at ${this.#shown} went while rows were sent: ${messageOf(error)}.`;
      throw new ShardError(message, 'unreachable', { cause: error });
    }
  }
}

/** Characters that TabSeparated cannot hold as they are, and their escapes, both in DuckDB's SQL. */
const ESCAPED = [
  ["'\\'", "'\\\\'"],
  ['chr(9)', "'\\t'"],
  ['chr(10)', "'\\n'"],
  ['chr(13)', "'\\r'"],
] as const;

/** DuckDB's statement for the rows of a table: each one's shard, and its line in ClickHouse's TabSeparated. */
export function linesOf(table: ResultTable, shards: number): string {
  return `SELECT ${shardColumn(table, shards)} AS shard, ${joinedColumns(table, escapedText)} AS line FROM ${table.source ?? table.name}`;
}

/** DuckDB's statement for the number of a table's rows by shard, and a checksum that does not depend on their order. */
export function sumsOf(table: ResultTable, shards: number): string {
  const line = joinedColumns(table, (value) => value);
  // ClickHouse's sum wraps at 2^64, DuckDB's does not.
  const sum = `(sum(md5_number_upper(${line})) % 18446744073709551616)::VARCHAR`;
  return `
    SELECT ${shardColumn(table, shards)} AS shard, count(*)::INTEGER AS rows, ${sum} AS checksum
    FROM ${table.source ?? table.name} GROUP BY 1`;
}

/** ClickHouse's statement for the same number and checksum. */
export function storedSumsOf({ name, columns }: ResultTable, version: string): string {
  const values = columns.map(({ name: column, type, nullable }) => {
    const written = type === 'String' ? column : `toString(${column})`;
    return nullable ? `ifNull(${written}, '\\\\N')` : written;
  });
  const line = `concat(${values.join(", '\\t', ")})`;
  const sum = `sum(reinterpretAsUInt64(substring(MD5(${line}), 1, 8)))`;
  return `SELECT count(), ${sum} FROM ${tableName(name, version)} FORMAT TabSeparated`;
}

function shardColumn({ shardBy }: ResultTable, shards: number): string {
  return shardBy === undefined ? '-1' : shardOfColumn(shardBy, shards);
}

function joinedColumns({ columns }: ResultTable, ofText: (value: string) => string): string {
  return `concat_ws(chr(9), ${columns.map((column) => columnText(column, ofText)).join(', ')})`;
}

function columnText({ name, type, nullable, from }: ResultColumn, ofText: (value: string) => string): string {
  const value = from ?? name;
  const written = type === 'String' ? ofText(value) : `(${value})::VARCHAR`;
  return nullable ? `coalesce(${written}, '\\N')` : written;
}

function escapedText(value: string): string {
  return ESCAPED.reduce((sql, [letter, escaped]) => `replace(${sql}, ${letter}, ${escaped})`, value);
}
