import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConnectionPool } from '../../../src/service/store/database.js';

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
