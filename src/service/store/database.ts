import { resolve } from 'node:path';
import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBResult,
  DuckDBValue,
  DuckDBVector,
} from '@duckdb/node-api';
import { loadDuckDb, NO_EXTENSIONS } from '../../base/duckdb.js';

/** How a database file is opened. */
export interface DatabaseOptions {
  /** Refuse every write, file access and change of settings, as a service needs it. Default false. */
  locked?: boolean;
  threads?: number;
  /** Most memory that the engine uses before it spills to disk, such as `1GB`. */
  memory?: string;
  /** Folder for what does not fit in memory. Default: beside the file. */
  spillTo?: string;
}

/** A value that is bound to a statement or held by a row. */
export type SqlValue = DuckDBValue;

/** How much of {@link Database.numbers} the engine produces ahead of the reader. */
const STREAM_AHEAD = '64MB';

/** One open DuckDB database: a main connection, and others for {@link Database.ask} and {@link Database.numbers}. */
export class Database {
  static #isEngineLoaded = false;
  /** Where the file is. */
  readonly path: string;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #pool: ConnectionPool;
  #running = 0;
  #isClosing = false;

  private constructor(path: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.path = path;
    this.#instance = instance;
    this.#connection = connection;
    this.#pool = new ConnectionPool(() => instance.connect());
  }

  /** Whether the engine is loaded already: loading takes most of the time to open a database. */
  static get isEngineLoaded(): boolean {
    return Database.#isEngineLoaded;
  }

  /**
   * Opens a database file, or a database in memory at `:memory:`. A missing file is created unless `locked` is set.
   *
   * @throws {OddslabError} If DuckDB cannot be loaded.
   */
  static async open(file: string, options: DatabaseOptions = {}): Promise<Database> {
    const { DuckDBInstance } = await loadDuckDb();
    Database.#isEngineLoaded = true;
    // An absolute path, as the engine gives a leading `~` or `md:` a meaning of its own.
    const path = file === ':memory:' ? file : resolve(file);
    const instance = await DuckDBInstance.create(path, engineSettings(options));
    const connection = await instance.connect();
    await connection.run(`SET TimeZone = 'UTC'`);
    if (options.locked) await connection.run('SET lock_configuration = true');
    return new Database(path, instance, connection);
  }

  /** Runs one statement or several. */
  async run(sql: string, values?: Record<string, SqlValue>): Promise<void> {
    await this.#during(() => this.#connection.run(sql, values));
  }

  /** All rows of a query, by column name; BIGINT as bigint. */
  async rows<Row>(sql: string, values?: Record<string, SqlValue>): Promise<Row[]> {
    return this.#during(() => rowsOf<Row>(this.#connection, sql, values));
  }

  /**
   * All rows of a query, as {@link rows} gives them, but on a pooled connection: several queries may run at a time.
   *
   * @param signal Interrupts the query once aborted; its reason is thrown.
   */
  ask<Row>(sql: string, values?: Record<string, SqlValue>, signal?: AbortSignal): Promise<Row[]> {
    return this.#during(() => this.#pool.run((connection) => rowsOf<Row>(connection, sql, values), signal));
  }

  /** The rows of a query one by one, as {@link rows} gives them: for results larger than memory. */
  async *each<Row>(sql: string): AsyncGenerator<Row> {
    const result = await this.#connection.stream(sql);
    const names = result.columnNames();
    for await (const chunk of streamed(result)) yield* chunk.getRowObjects(names) as Row[];
  }

  /** The rows of a query as columns, in chunks of up to 2,048 rows: for results larger than memory. */
  async *chunks(sql: string): AsyncGenerator<SqlValue[][]> {
    for await (const chunk of streamed(await this.#connection.stream(sql))) yield chunk.getColumns();
  }

  /**
   * The rows of a query whose columns are INTEGER or DOUBLE without nulls, as {@link chunks} gives them but several
   * times as fast. It has a connection of its own, which sees no temporary tables. The engine's threads begin at once,
   * and stay up to {@link AHEAD} ahead of the reader.
   */
  async numbers(sql: string): Promise<AsyncGenerator<NumberColumn[]>> {
    const connection = await this.#instance.connect();
    try {
      await connection.run(`SET streaming_buffer_size = '${STREAM_AHEAD}'`);
      return numbersOf(streamed(await connection.stream(sql)), connection);
    } catch (error) {
      connection.closeSync();
      throw error;
    }
  }

  /**
   * Closes the database: at once, or after the statements that still run, of which each may outlive its query (where two
   * ran at a time and the first failed). The engine crashes the process if it is closed under them.
   */
  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    if (this.#running === 0) this.#closeNow();
  }

  #closeNow(): void {
    this.#pool.close();
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async #during<T>(statement: () => Promise<T>): Promise<T> {
    if (this.#isClosing) throw new Error(`The database ${this.path} is closed.`);
    this.#running++;
    try {
      return await statement();
    } finally {
      this.#running--;
      if (this.#isClosing && this.#running === 0) this.#closeNow();
    }
  }
}

async function rowsOf<Row>(connection: DuckDBConnection, sql: string, values?: Record<string, SqlValue>) {
  const reader = await connection.runAndReadAll(sql, values);
  return reader.getRowObjects() as Row[];
}

async function* numbersOf(
  chunks: AsyncIterable<DuckDBDataChunk>,
  connection: DuckDBConnection,
): AsyncGenerator<NumberColumn[]> {
  try {
    for await (const chunk of chunks) {
      yield Array.from({ length: chunk.columnCount }, (_, column) => numberColumn(chunk.getColumnVector(column)));
    }
  } finally {
    connection.closeSync();
  }
}

async function* streamed(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk> {
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk())
    yield chunk;
}

function engineSettings(options: DatabaseOptions): Record<string, string> {
  return {
    // First, as it can no longer be set once access to other files is off.
    ...(options.spillTo ? { temp_directory: resolve(options.spillTo) } : {}),
    ...(options.locked ? { access_mode: 'READ_ONLY', enable_external_access: 'false' } : {}),
    ...NO_EXTENSIONS,
    ...(options.threads ? { threads: String(options.threads) } : {}),
    ...(options.memory ? { memory_limit: options.memory } : {}),
  };
}

/** How many statements run at a time. All share one thread: more of them would only wait inside the engine. */
const MOST_CONNECTIONS = 4;

/** The engine forgets an interrupt that reaches it before its statement has begun: it is told again until it ends. */
const INTERRUPT_AGAIN_MS = 20;

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
    let again: NodeJS.Timeout | undefined;
    const interrupt = () => {
      connection.interrupt();
      again = setTimeout(interrupt, INTERRUPT_AGAIN_MS);
    };
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', interrupt, { once: true });
      return await statement(connection);
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    } finally {
      signal?.removeEventListener('abort', interrupt);
      clearTimeout(again);
      this.#giveBack(connection);
    }
  }

  close(): void {
    for (const connection of this.#idle) connection.closeSync();
  }

  async #take(): Promise<DuckDBConnection> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#open === MOST_CONNECTIONS) return new Promise((resolve) => this.#waiting.push(resolve));
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

/** A column of numbers, none of them missing. */
type NumberColumn = Int32Array | Float64Array;

/**
 * The values of an INTEGER or DOUBLE column of a chunk, without nulls. This is the vector's own array: reading the
 * values one by one would take several times as long.
 */
function numberColumn(vector: DuckDBVector): NumberColumn {
  const items: unknown = Reflect.get(vector, 'items');
  if (items instanceof Int32Array || items instanceof Float64Array) return items;
  return Float64Array.from({ length: vector.itemCount }, (_, i) => Number(vector.getItem(i)));
}
