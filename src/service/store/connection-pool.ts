import type { DuckDBConnection } from '@duckdb/node-api';

/** How many statements run at a time. All share one thread: more of them would only wait inside the engine. */
const MOST = 4;

/** Connections of one database. Each runs one statement at a time, so that a single statement can be interrupted. */
export class ConnectionPool {
  readonly #connect: () => Promise<DuckDBConnection>;
  #open = 0;
  readonly #idle: DuckDBConnection[] = [];
  readonly #waiting: ((connection: Promise<DuckDBConnection>) => void)[] = [];

  constructor(connect: () => Promise<DuckDBConnection>) {
    this.#connect = connect;
  }

  /**
   * Runs a statement on a connection that nothing else uses meanwhile.
   *
   * @param signal Interrupts the statement once aborted; a statement that still waits does not begin.
   * @throws The signal's reason once it is aborted; else the error of the statement, or of opening a connection.
   */
  async run<T>(statement: (connection: DuckDBConnection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const connection = await this.#take();
    const interrupt = () => connection.interrupt();
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', interrupt, { once: true });
      return await statement(connection);
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    } finally {
      signal?.removeEventListener('abort', interrupt);
      this.#giveBack(connection);
    }
  }

  close(): void {
    for (const connection of this.#idle) connection.closeSync();
  }

  async #take(): Promise<DuckDBConnection> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#open === MOST) return new Promise((resolve) => this.#waiting.push(resolve));
    return this.#openOne();
  }

  /** Opens a connection. If that fails, the next statement in the queue tries in its place. */
  async #openOne(): Promise<DuckDBConnection> {
    this.#open++;
    try {
      return await this.#connect();
    } catch (error) {
      this.#open--;
      this.#waiting.shift()?.(this.#openOne());
      throw error;
    }
  }

  #giveBack(connection: DuckDBConnection): void {
    const next = this.#waiting.shift();
    if (next) next(Promise.resolve(connection));
    else this.#idle.push(connection);
  }
}
