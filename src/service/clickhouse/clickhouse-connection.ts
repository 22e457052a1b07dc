import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { messageOf, UsageError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { Insertion } from './insertion.js';
import { refusal, ShardError } from './shard-error.js';

/** The user that asks. Default: the server's user `default`, without a password. */
export interface Login {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

export interface AskOptions {
  /** Milliseconds within which the whole answer must have come. */
  readonly timeMs: number;
  /** Ends the statement, on the server too. */
  readonly signal?: AbortSignal | undefined;
}

/** How long a connection may take to be established. */
const CONNECT_MS = 1500;

/** Bytes of an answer that the server holds in memory until it is complete; the rest goes to its disk. */
const BUFFER_BYTES = 1 << 24;

/** Makes a failure after the first rows an error, instead of a part of the rows. */
const WHOLE_ANSWER = { wait_end_of_query: '1', buffer_size: String(BUFFER_BYTES) };

/**
 * One ClickHouse server, asked over HTTP on kept connections. It uses `node:http` itself, which takes a quarter of the
 * time of the vendor's client, and works with servers from 2018 on.
 */
export class Connection {
  /** Its address, as messages show it. */
  readonly shown: string;
  readonly #url: ShardUrl;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent: http.Agent;
  readonly #request: typeof http.request;

  constructor(url: ShardUrl, { user = 'default', password = '' }: Login) {
    this.shown = url.shown;
    this.#url = url;
    // Never in the address, which ends up in the server's log.
    this.#headers = { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
    const isSecure = url.origin.startsWith('https:');
    this.#request = isSecure ? https.request : http.request;
    this.#agent = new (isSecure ? https : http).Agent({ keepAlive: true, maxFreeSockets: 64 });
  }

  /**
   * Reads the rows of a query: all of them, or none.
   *
   * @param sql A statement that ends in `FORMAT TabSeparated`, or in `FORMAT TabSeparatedWithNames`: then the first row is the
   *   names of the columns.
   * @throws {ShardError} If the server cannot be reached, refuses, or takes too long.
   */
  async rows(sql: string, { timeMs, signal }: AskOptions): Promise<Cells[]> {
    const id = `oddslab-${randomUUID()}`;
    const limits = { max_execution_time: String(Math.ceil(timeMs / 1000)), query_id: id };
    try {
      return readTabSeparated(await this.#read(sql, { ...WHOLE_ANSWER, ...limits }, { timeMs, signal }));
    } catch (error) {
      // The server goes on with a query whose client has gone, unless the query is killed.
      if (error instanceof ShardError && error.fault === 'busy') void this.#kill(id);
      throw error;
    }
  }

  /** Runs a statement that gives no rows. @throws {ShardError} As {@link rows}. */
  async run(sql: string, timeMs: number): Promise<void> {
    await this.#ask(sql, this.#open({}, false), { timeMs });
  }

  /** Starts writing lines of TabSeparated into a table. */
  insert(table: string, columns: readonly string[]): Insertion {
    const query = `INSERT INTO ${table} (${columns.join(', ')}) FORMAT TabSeparated`;
    // Blocks of fewer rows than by default, since a server holds each in memory until it is written.
    const request = this.#open({ query, max_insert_block_size: '262144' }, false);
    return new Insertion(request, this.shown);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #kill(id: string): Promise<void> {
    await this.run(`KILL QUERY WHERE query_id = '${id}' ASYNC`, CONNECT_MS).catch(() => {});
  }

  async #read(sql: string, parameters: Readonly<Record<string, string>>, options: AskOptions): Promise<string> {
    if (options.signal?.aborted) throw this.#ended();
    try {
      return await this.#ask(sql, this.#open(parameters, this.#agent), options);
    } catch (error) {
      // A server may close a kept connection just as the next request is sent on it.
      if (!(error instanceof StaleConnection)) throw error;
      return await this.#ask(sql, this.#open(parameters, false), options);
    }
  }

  #ask(sql: string, request: http.ClientRequest, { timeMs, signal }: AskOptions): Promise<string> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => request.destroy(this.#late(timeMs)), timeMs);
      const abort = () => request.destroy(this.#ended());
      signal?.addEventListener('abort', abort, { once: true });
      request.once('close', () => {
        clearTimeout(late);
        signal?.removeEventListener('abort', abort);
      });
      request.once('error', (error) => reject(this.#failure(error, request.reusedSocket)));
      request.once('response', (response) => {
        const answered = readAnswer(response, this.shown);
        answered.then(resolve, (error: unknown) => reject(this.#failure(request.errored ?? error, false)));
      });
      request.end(sql);
    });
  }

  /** Opens a request on a kept connection of the agent, or on a new one without an agent. */
  #open(parameters: Readonly<Record<string, string>>, agent: http.Agent | false): http.ClientRequest {
    const search = new URLSearchParams({ database: this.#url.database, ...parameters });
    const request = this.#request(`${this.#url.origin}/?${search}`, {
      method: 'POST',
      agent,
      headers: this.#headers,
    });
    request.once('socket', (socket) => {
      if (!socket.connecting) return;
      const late = setTimeout(() => request.destroy(new Error(`no connection within ${CONNECT_MS} ms`)), CONNECT_MS);
      for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(late));
    });
    return request;
  }

  #late(timeMs: number): ShardError {
    return new ShardError(`ClickHouse at ${this.shown} did not answer within ${timeMs / 1000} s.`, 'busy');
  }

  #ended(): ShardError {
    return new ShardError(`A query of ClickHouse at ${this.shown} was ended: nobody waits for it.`, 'busy');
  }

  #failure(error: unknown, wasKept: boolean): Error {
    if (error instanceof ShardError) return error;
    const code = systemErrorCode(error);
    if (wasKept && (code === 'ECONNRESET' || code === 'EPIPE')) return new StaleConnection();
    return unreachable(this.shown, error);
  }
}

/** A kept connection was closed under a request; used only inside {@link Connection}, which then asks once more. */
class StaleConnection extends Error {}

/** The error for a server that cannot be reached, or whose connection was lost while it answered. */
function unreachable(shown: string, cause: unknown): ShardError {
  const why = messageOf(cause) || systemErrorCode(cause);
  return new ShardError(`ClickHouse at ${shown} cannot be reached: ${why}.`, 'unreachable', { cause });
}

/** Reads a whole answer. @throws {ShardError} If the server refused, or the answer was cut off. */
async function readAnswer(response: http.IncomingMessage, shown: string): Promise<string> {
  const said = await text(response);
  if (!response.complete) throw unreachable(shown, new Error('its answer was cut off'));
  if (response.statusCode !== 200) throw refusal(shown, response.statusCode ?? 0, said);
  return said;
}

/** The address of one shard: a ClickHouse server and a database on it. */
export interface ShardUrl {
  /** Protocol, host and port, such as `http://10.0.0.1:8123`. */
  readonly origin: string;
  readonly database: string;
  /** The address as it is shown. It never holds a user or a password, since addresses with these are refused. */
  readonly shown: string;
}

const DATABASE_PATH = /^\/?$|^\/(\w{1,100})\/?$/;

/**
 * Reads the addresses of a cluster's shards, in their order.
 *
 * @param urls Addresses separated by commas, such as `http://10.0.0.1:8123,http://10.0.0.2:8123/odds`. A path is the
 *   name of the database; without one it is `default`.
 * @throws {UsageError} If one is no such address, is named twice, or holds a user or a password, which the message does
 *   not repeat.
 */
export function readShardUrls(urls: string): ShardUrl[] {
  const shards = urls.split(',').map((part, index) => readShardUrl(part.trim(), index));
  const twice = shards.find(({ shown }, index) => shards.findIndex((other) => other.shown === shown) < index);
  if (twice) throw new UsageError(`The shard ${twice.shown} is named twice: each shard is a server of its own.`);
  return shards;
}

function readShardUrl(given: string, index: number): ShardUrl {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (given.includes('@') || url?.username || url?.password) {
    throw new UsageError(
      `ClickHouse address ${index + 1} holds a user or a password, which every user of the machine could see: set ` +
        'ODDSLAB_CLICKHOUSE_USER and ODDSLAB_CLICKHOUSE_PASSWORD in the environment instead.',
    );
  }
  const database = DATABASE_PATH.exec(url?.pathname ?? '-');
  if (!url || !database || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new UsageError(
      `ClickHouse address ${index + 1} must be like http://10.0.0.1:8123, or http://10.0.0.1:8123/DATABASE; commas ` +
        `stand between shards. Got ${JSON.stringify(given)}.`,
    );
  }
  const name = database[1] ?? 'default';
  return { origin: url.origin, database: name, shown: name === 'default' ? url.origin : `${url.origin}/${name}` };
}

/** A row of a result: the text of each column, or null for a null value. */
export type Cells = readonly (string | null)[];

const TAB_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', r: '\r', n: '\n', t: '\t', '0': '\0' };

/** Reads the rows of a result in ClickHouse's format TabSeparated. */
function readTabSeparated(rows: string): Cells[] {
  const lines = rows.split('\n');
  // Each line ends with a line break, the last one too.
  lines.pop();
  return lines.map((line) => (line.includes('\\') ? line.split('\t').map(unescapedCell) : line.split('\t')));
}

function unescapedCell(cell: string): string | null {
  if (cell === '\\N') return null;
  return cell.replace(/\\(.)/gs, (_, letter: string) => TAB_ESCAPES[letter] ?? letter);
}

/** Text as a literal of ClickHouse's SQL, escaped so that nothing in it ends the literal or has a special meaning. */
export function sqlLiteral(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`;
}
