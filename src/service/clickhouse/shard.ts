import { type AskOptions, type Cells, Connection, type Login, type ShardUrl } from './clickhouse-connection.js';
import { ShardError } from './shard-error.js';

/** One shard of a cluster, and what is known about its health. */
export class Shard {
  /** Its place, from 0. */
  readonly place: number;
  /** A name that clients may see, such as `shard 1 of 2`. */
  readonly name: string;
  readonly connection: Connection;
  readonly #running = new Set<AbortController>();
  /** Statements that may run on it at a time. */
  #most = Number.POSITIVE_INFINITY;
  #problem: string | undefined;
  #answeredMs = Number.NEGATIVE_INFINITY;

  constructor(url: ShardUrl, login: Login, place: number, shards: number) {
    this.place = place;
    this.name = `shard ${place + 1} of ${shards}`;
    this.connection = new Connection(url, login);
  }

  /** Why it cannot be asked now; undefined while it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get isSuspected(): boolean {
    return this.#most < Number.POSITIVE_INFINITY;
  }

  /** When it last answered a query, by `performance.now()`. */
  get answeredMs(): number {
    return this.#answeredMs;
  }

  /**
   * Reads the rows of a query: all of them, or none.
   *
   * @throws {ShardError} As {@link Connection.rows}; also if the shard is marked or suspected meanwhile.
   */
  async rows(sql: string, { timeMs, signal }: AskOptions): Promise<Cells[]> {
    if (this.#running.size >= this.#most) throw this.#notWaited();
    const running = new AbortController();
    this.#running.add(running);
    try {
      const either = signal ? AbortSignal.any([signal, running.signal]) : running.signal;
      const rows = await this.connection.rows(sql, { timeMs, signal: either });
      this.#answeredMs = performance.now();
      return rows;
    } catch (error) {
      throw running.signal.aborted ? this.#notWaited() : error;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Marks it as not to be asked. What runs on it is ended, so that nothing waits for a server that hangs. */
  mark(problem: string): void {
    this.#problem = problem;
    this.#allow(0);
  }

  /** Notes that it may hang: until it is marked or trusted, at most that many statements may wait for it. */
  suspect(most: number): void {
    this.#allow(Math.min(most, this.#most));
  }

  trust(): void {
    this.#problem = undefined;
    this.#most = Number.POSITIVE_INFINITY;
  }

  #allow(most: number): void {
    this.#most = most;
    for (const running of [...this.#running].slice(most)) running.abort();
  }

  #notWaited(): ShardError {
    return new ShardError(`ClickHouse at ${this.connection.shown} does not answer.`, 'busy');
  }
}

/** The shards over which wallets are spread, in the order of the configuration. */
export class Cluster {
  readonly shards: readonly Shard[];

  constructor(urls: readonly ShardUrl[], login: Login) {
    this.shards = urls.map((url, place) => new Shard(url, login, place, urls.length));
  }

  close(): void {
    for (const { connection } of this.shards) connection.close();
  }
}
