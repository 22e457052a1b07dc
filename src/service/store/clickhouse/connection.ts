import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { systemErrorCode } from '../../../base/whole-file.js';
import { Insertion } from './insertion.js';
import { refusal, ShardError } from './shard-error.js';
import type { ShardUrl } from './shard-urls.js';
import { type Cells, readTabSeparated } from './tab-separated.js';

/** The user that asks. Default: the server's user `default`, without a password. */
export interface Login {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

/** How one statement is run. */
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
const WHOLE = { wait_end_of_query: '1', buffer_size: String(BUFFER_BYTES) };

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
   * @param sql A statement that ends in `FORMAT TabSeparated`.
   * @throws {ShardError} If the server cannot be reached, refuses, or takes too long.
   */
  async rows(sql: string, { timeMs, signal }: AskOptions): Promise<Cells[]> {
    const id = `oddslab-${randomUUID()}`;
    const limits = { max_execution_time: String(Math.ceil(timeMs / 1000)), query_id: id };
    try {
      return readTabSeparated(await this.#read(sql, { ...WHOLE, ...limits }, { timeMs, signal }));
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
  const why = cause instanceof Error ? cause.message || systemErrorCode(cause) : String(cause);
  return new ShardError(`ClickHouse at ${shown} cannot be reached: ${why}.`, 'unreachable', { cause });
}

/** Reads a whole answer. @throws {ShardError} If the server refused, or the answer was cut off. */
async function readAnswer(response: http.IncomingMessage, shown: string): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  if (!response.complete) throw unreachable(shown, new Error('its answer was cut off'));
  const text = Buffer.concat(parts).toString();
  if (response.statusCode !== 200) throw refusal(shown, response.statusCode ?? 0, text);
  return text;
}
