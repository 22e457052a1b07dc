import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Gate, Queries } from '../../../src/service/query/queries.js';
import { readRequest } from '../../../src/service/query/read-request.js';
import { Database } from '../../../src/service/store/database.js';
import { duckDbRows } from '../../../src/service/store/duckdb-store.js';
import type { ServedData } from '../../../src/service/store/served-data.js';
import type { Store } from '../../../src/service/store/store.js';

/** Would take days. */
const ENDLESS = 'SELECT count(*) AS n FROM range(10000000) a(i), range(10000000) b(j) WHERE (i * j) % 7 = 3';

const SHORT = { agent_id: 586, params: { wallet_address: `0x${'1'.repeat(40)}` } };
const LONG = { agent_id: 569, params: { wallet: `0x${'1'.repeat(40)}` } };

let db: Database;
beforeAll(async () => {
  db = await Database.open(':memory:', { threads: 1 });
  await db.run(`CREATE TABLE lifetimes (wallet VARCHAR, trades INTEGER, traded BIGINT, invested BIGINT, pnl BIGINT,
    last_ts BIGINT); INSERT INTO lifetimes VALUES ('${SHORT.params.wallet_address}', 1, 1, 1, 1, 1);
    CREATE TABLE wallet_records (wallet VARCHAR)`);
});
afterAll(() => db.close());

/** Queries over a store whose days never come, with room for one query at a time. */
function oneAtATime(timeMs: number): Queries {
  const store: Store = { ...duckDbRows(db), walletDays: (_, signal) => db.ask(ENDLESS, undefined, signal) };
  const data: ServedData = {
    use: (work) => work(store, 'v1'),
    state: () => ({ current: 'v1', served: 'v1', problem: undefined }),
    version: () => undefined,
    close() {},
  };
  return new Queries(data, new Gate({ concurrent: 1, queued: 1, timeMs }));
}

describe('a statement that nobody waits for', () => {
  it('is interrupted, while others on the same database go on', async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const endless = [one, other].map(({ signal }) => db.ask(ENDLESS, undefined, signal));
    one.abort(new Error('enough'));
    await expect(endless[0]).rejects.toThrow('enough');
    expect(await db.ask('SELECT 1 AS n')).toEqual([{ n: 1 }]);
    other.abort(new Error('enough, too'));
    await expect(endless[1]).rejects.toThrow('enough, too');
  });

  it('does not begin where nobody waits any more, and waits its turn behind four', async () => {
    const stop = new AbortController();
    const five = Array.from({ length: 5 }, () => db.ask(ENDLESS, undefined, stop.signal));
    stop.abort(new Error('all of them'));
    const ends = await Promise.allSettled(five);
    expect(ends.map((end) => end.status === 'rejected' && end.reason.message)).toEqual(Array(5).fill('all of them'));
  });

  it('makes room for the next query once its client has gone', async () => {
    const queries = oneAtATime(60_000);
    const clients: (() => void)[] = [];
    const long = queries.run(readRequest(LONG), { onGone: (tell) => clients.push(tell) });
    const next = queries.run(readRequest(SHORT));
    while (clients.length === 0) await new Promise((resolve) => setImmediate(resolve));
    clients[0]?.();
    await expect(long).rejects.toThrow('Nobody waited');
    expect((await next).page?.results.toString()).toContain('"total_trades":1');
  });

  it('makes room once its time is over', async () => {
    const queries = oneAtATime(300);
    await expect(queries.run(readRequest(LONG))).rejects.toThrow('took longer than 0.3 s');
    expect((await queries.run(readRequest(SHORT))).page?.has_more).toBe(false);
  });
});
