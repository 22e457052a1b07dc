import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConnectionPool, Database } from '../../../src/service/store/database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** More than a pool has places. */
const MANY = 12;

let instance: DuckDBInstance;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
});
afterAll(() => instance.closeSync());

const one = async (connection: DuckDBConnection) =>
  (await connection.runAndReadAll('SELECT 1 AS n')).getRowObjects()[0]?.n;

it('a connection that cannot be opened fails its own statement alone, and leaves its place', async () => {
  let refusals = MANY;
  const pool = new ConnectionPool(async () => {
    if (refusals-- > 0) throw new Error('no connection');
    return instance.connect();
  });
  const statements = Array.from({ length: MANY + 5 }, () => pool.run(one));
  const ends = await Promise.allSettled(statements);
  const [fulfilled, rejected] = [1, 'no connection'];
  const told = ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason.message));
  expect(told.sort()).toEqual([...Array(5).fill(fulfilled), ...Array(MANY).fill(rejected)]);
  expect(await pool.run(one)).toBe(1);
  pool.close();
});

it('a database that is closed at once still answers what was asked before, and refuses what comes later', async () => {
  const path = join(await temporaryFolder(), 'lab.duckdb');
  const made = await Database.open(path);
  await made.run('CREATE TABLE t AS SELECT range AS i FROM range(1000000)');
  made.close();
  // Without a connection yet, and with one: either way the engine must outlive the statement.
  for (let round = 0; round < 20; round++) {
    const db = await Database.open(path, { locked: true, threads: 1 });
    if (round % 2) await db.ask('SELECT 1');
    const asked = Array.from({ length: 6 }, () => db.ask<{ n: bigint }>('SELECT count(*) AS n FROM t'));
    db.close();
    db.close();
    expect(await Promise.all(asked)).toEqual(Array(6).fill([{ n: 1_000_000n }]));
    await expect(db.ask('SELECT 1')).rejects.toThrow('is closed');
  }
});

it('a database that is closed under its statements ends after them, and takes no more', async () => {
  for (let round = 0; round < 40; round++) {
    const database = await Database.open(':memory:');
    const fails = database.ask('SELECT * FROM nowhere');
    const others = [1, 2, 3].map(() => database.ask<{ n: bigint }>('SELECT count(*) AS n FROM range(100000)'));
    await expect(fails).rejects.toThrow('nowhere');
    database.close();
    await expect(database.rows('SELECT 1')).rejects.toThrow('is closed');
    expect((await Promise.all(others)).map(([row]) => row?.n)).toEqual([100000n, 100000n, 100000n]);
  }
});
