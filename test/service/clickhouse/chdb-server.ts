import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/packages.js';

/** Where `npm run install:chdb` puts a recent ClickHouse as a library. */
export const CHDB = join(packageRoot(), 'test/chdb/node_modules/chdb');

/** The part of the package that is used here. */
interface Session {
  query(sql: string, format?: string): string;
  cleanup(): void;
}

/**
 * A recent ClickHouse behind the part of its HTTP interface that oddslab uses. The engine runs in this process, with
 * one database per shard.
 */
export class ChdbServer {
  readonly #session: Session;
  readonly #server: Server;
  readonly #inputs: string;
  #port = 0;

  private constructor(folder: string) {
    const { Session: Chdb } = createRequire(join(CHDB, 'package.json'))(CHDB);
    this.#session = new Chdb(join(folder, 'chdb'));
    this.#inputs = join(folder, 'rows.tsv');
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body }) => response.writeHead(status).end(body));
    });
  }

  /** Starts one that keeps its data in a folder. */
  static async start(folder: string, databases: readonly string[]): Promise<ChdbServer> {
    const server = new ChdbServer(folder);
    for (const name of databases) server.#session.query(`CREATE DATABASE ${name} ENGINE = Atomic`);
    await new Promise<void>((done) => server.#server.listen(0, '127.0.0.1', done));
    const address = server.#server.address();
    server.#port = typeof address === 'object' && address ? address.port : 0;
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Runs a statement; returns text as the server gives it. */
  run(sql: string): string {
    return this.#session.query(sql, 'TabSeparated');
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#session.cleanup();
    await rm(this.#inputs, { force: true });
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const { searchParams } = new URL(request.url ?? '/', this.url);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    try {
      this.#session.query(`USE ${searchParams.get('database')}`);
      const query = searchParams.get('query');
      return { status: 200, body: query === null ? this.run(body.toString()) : this.#insert(query, body) };
    } catch (error) {
      return { status: 500, body: String(error).replace(/^[^C]*(?=Code:)/, '') };
    }
  }

  /** Runs an INSERT; in process, its rows must come from a file. */
  #insert(query: string, rows: Buffer): string {
    writeFileSync(this.#inputs, rows);
    const [, target = '', format = ''] = /^(INSERT INTO .*) FORMAT (\w+)$/.exec(query) ?? [];
    return this.run(`${target} FROM INFILE '${this.#inputs}' FORMAT ${format}`);
  }
}
