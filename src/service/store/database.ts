import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import { ConnectionPool } from './connection-pool.js';

/** How a database file is opened. */
export interface DatabaseOptions {
  /** Refuse every write, file access and setting: what serves requests. Default false. */
  locked?: boolean;
  threads?: number;
  /** Most memory that the engine takes before it spills, such as `1GB`. */
  memory?: string;
  /** Folder for what does not fit in memory. Default: beside the file. */
  spillTo?: string;
}

/** A value that a statement takes or a row holds. */
export type SqlValue = DuckDBValue;

/** Rows a chunk of the engine holds. */
const CHUNK_ROWS = 2048;

/** Appends rows of numbers, a value a column, in chunks. */
export interface RowWriter {
  add(values: readonly number[]): void;
  finish(): void;
}

/** One open DuckDB database with one connection. */
export class Database {
  static #isEngineLoaded = false;
  /** Where the file is. */
  readonly path: string;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #pool: ConnectionPool;

  private constructor(path: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.path = path;
    this.#instance = instance;
    this.#connection = connection;
    this.#pool = new ConnectionPool(() => instance.connect());
  }

  /** Whether the engine is in memory already: what takes long of opening a database is to load it. */
  static get isEngineLoaded(): boolean {
    return Database.#isEngineLoaded;
  }

  /** Opens a database file, or one in memory at `:memory:`; writable ones are created where absent. */
  static async open(path: string, options: DatabaseOptions = {}): Promise<Database> {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    Database.#isEngineLoaded = true;
    const instance = await DuckDBInstance.create(path, settingsOf(options));
    const connection = await instance.connect();
    await connection.run(`SET TimeZone = 'UTC'`);
    if (options.locked) await connection.run('SET lock_configuration = true');
    return new Database(path, instance, connection);
  }

  /** Runs one statement or several. */
  async run(sql: string, values?: Record<string, SqlValue>): Promise<void> {
    await this.#connection.run(sql, values);
  }

  /** All rows of a query, by column name; BIGINT as bigint. */
  async rows<Row>(sql: string, values?: Record<string, SqlValue>): Promise<Row[]> {
    const reader = await this.#connection.runAndReadAll(sql, values);
    return reader.getRowObjects() as Row[];
  }

  /**
   * All rows of a query as {@link rows} gives them, by a connection beside the main one: many may be asked at a time.
   *
   * @param signal Once aborted, the query is interrupted, and its reason thrown.
   */
  ask<Row>(sql: string, values?: Record<string, SqlValue>, signal?: AbortSignal): Promise<Row[]> {
    return this.#pool.run(async (connection) => {
      const reader = await connection.runAndReadAll(sql, values);
      return reader.getRowObjects() as Row[];
    }, signal);
  }

  /** The rows of a query as columns, a chunk of up to 2,048 rows at a time: for results larger than memory. */
  async *chunks(sql: string): AsyncGenerator<SqlValue[][]> {
    const result = await this.#connection.stream(sql);
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
      yield chunk.getColumns();
    }
  }

  /**
   * A writer of number rows to a table of an attached database; finish it to make them all visible. It has a connection
   * of its own: whatever else the main one runs ends a result that {@link chunks} still streams, without an error.
   */
  async writer(catalog: string, table: string): Promise<RowWriter> {
    const { DuckDBDataChunk } = await import('@duckdb/node-api');
    const connection = await this.#instance.connect();
    const appender = await connection.createAppender(table, 'main', catalog);
    const types = Array.from({ length: appender.columnCount }, (_, column) => appender.columnType(column));
    const columns: number[][] = types.map(() => []);
    const flush = () => {
      const chunk = DuckDBDataChunk.create(types);
      chunk.setColumns(columns);
      appender.appendDataChunk(chunk);
      for (const column of columns) column.length = 0;
    };
    return {
      add(values) {
        for (let i = 0; i < columns.length; i++) columns[i]?.push(values[i] ?? 0);
        if (columns[0]?.length === CHUNK_ROWS) flush();
      },
      finish() {
        if (columns[0]?.length) flush();
        appender.closeSync();
        connection.closeSync();
      },
    };
  }

  close(): void {
    this.#pool.close();
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

function settingsOf(options: DatabaseOptions): Record<string, string> {
  return {
    ...(options.locked ? { access_mode: 'READ_ONLY', enable_external_access: 'false' } : {}),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    ...(options.threads ? { threads: String(options.threads) } : {}),
    ...(options.memory ? { memory_limit: options.memory } : {}),
    ...(options.spillTo ? { temp_directory: options.spillTo } : {}),
  };
}

/** Text as an SQL literal, for the places that take no parameter. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
