import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildResults } from '../../../src/service/ingest/build-version.js';
import { createRawTables } from '../../../src/service/ingest/load-raw.js';
import { KIND, type LedgerEvent, type Winner } from '../../../src/service/ledger/event.js';
import { Database } from '../../../src/service/store/database.js';
import fc from '../../support/fast-check.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { closedAtLast, naiveLedger, type ToldMarket } from '../ledger/naive-ledger.js';

const WALLETS = 300_000;
const MARKETS = 200_000;

it('builds all tables in a part of the memory that wallets and markets take', async () => {
  const folder = await temporaryFolder();
  const scratch = join(folder, 'scratch');
  await mkdir(scratch);
  const options = { memory: '130MB', threads: 1, spillTo: join(folder, 'spill') };
  const db = await Database.open(join(folder, 'lab.duckdb'), options);
  await createRawTables(db);
  await db.run(`
    CREATE TABLE markets AS FROM market_records;
    INSERT INTO markets BY NAME SELECT sha256(i::VARCHAR) AS condition_id, 'q' AS question, 's' AS slug,
      false AS closed, 0 AS volume, sha256('a' || i) AS token_a, sha256('b' || i) AS token_b FROM range(${MARKETS}) r(i);
    INSERT INTO events BY NAME SELECT 1 AS kind, '0x' || md5(i::VARCHAR) || '00000000' AS wallet,
      sha256('a' || (i % ${MARKETS})) AS token, i AS ts, 5 AS shares, 2 AS usd FROM range(${WALLETS}) r(i)`);
  const { totals, doubtful } = await buildResults(db, scratch);
  expect({ totals, doubtful }).toEqual({
    totals: { markets: MARKETS, events: WALLETS, wallets: WALLETS, wallet_days: WALLETS, untracked_shares: 0 },
    doubtful: {},
  });
  db.close();
}, 300_000);

const DAY = 86_400;
const market = fc.record({
  winner: fc.constantFrom<Winner>(0, 1, 2, undefined),
  closeTime: fc.constantFrom(undefined, 3 * DAY, 5 * DAY),
  isEnd: fc.boolean(),
  made: fc.constantFrom(undefined, 4 * DAY, 7 * DAY),
});
const event = fc.record({
  wallet: fc.nat(1),
  market: fc.nat(2),
  side: fc.constantFrom(0, 1),
  kind: fc.constantFrom(KIND.split, KIND.buy, KIND.conversion, KIND.conversion, KIND.sell, KIND.redeem),
  time: fc.nat(8).map((n) => n * DAY),
  shares: fc.integer({ min: 1, max: 9 }),
  usd: fc.integer({ min: 1, max: 9 }),
});

/** Three markets that exclude each other, and their events, in which a conversion is a transaction. */
interface Case {
  known: Omit<ToldMarket, 'siblings'>[];
  events: Event[];
}

/** The name of a market, as SQL; names are in the order of numbers. */
const nameOf = (market: number) => `'m${String(market).padStart(3, '0')}'`;

/** Tables of all cases, each with markets and wallets of its own. */
function tablesFor(cases: readonly Case[]) {
  const markets = cases.flatMap(({ known }, at) =>
    known.map(({ winner, closeTime, isEnd, made }, n) => {
      const market = 3 * at + n;
      const close = closeTime === undefined ? 'NULL' : closeTime * 1000;
      const told = [close, isEnd, made === undefined ? 0 : made * 1000];
      return [nameOf(market), `'${market}-0'`, `'${market}-1'`, winner ?? 'NULL', ...told, `'g${at}'`].join();
    }),
  );
  const rows = cases.flatMap(({ events }, at) =>
    events.map(({ wallet, market: n, side, kind, time, shares, usd, tx }) => {
      const market = 3 * at + n;
      const token =
        kind === KIND.split || kind === KIND.redeem ? 'NULL' : `'${market}-${kind === KIND.conversion ? 1 : side}'`;
      const hash = `'${at}-${String(tx).padStart(3, '0')}'`;
      return [kind, `'${2 * at + wallet}'`, nameOf(market), token, time, shares, usd, hash].join();
    }),
  );
  return `
    CREATE TABLE markets AS SELECT * REPLACE ('g' AS neg_risk_id) FROM market_records;
    INSERT INTO markets (condition_id, token_a, token_b, winner, close_ms, end_close, updated_ms, neg_risk_id)
      VALUES (${markets.join('), (')});
    INSERT INTO events (kind, wallet, condition_id, token, ts, shares, usd, tx) VALUES (${rows.join('), (')})`;
}

/** The rows of a case by the ledger that is plain to read. */
function plainRows({ known, events }: Case, at: number) {
  const markets = closedAtLast(
    known.map((each) => ({ ...each, siblings: [0, 1, 2] })),
    events,
  );
  return [0, 1].flatMap((wallet) =>
    naiveLedger(
      markets,
      events.filter((each) => each.wallet === wallet),
    ).map(({ market, day, invested, pnl, wins, losses }) => ({
      ...{ wallet: 2 * at + wallet, market: 3 * at + market, day },
      ...{ invested, pnl, wins, losses },
    })),
  );
}

/** How many cases are built at once: building takes most of the time of one. */
const AT_ONCE = 10;

interface Event extends LedgerEvent {
  wallet: number;
}

it('settles each market at its close or, where none is stated, at its end date and not before its last event: an arrival of YES shares is one, a redemption is none', async () => {
  const folder = await temporaryFolder();
  let run = 0;
  const one = fc
    .record({
      known: fc.array(market, { minLength: 3, maxLength: 3 }),
      steps: fc.array(event, { minLength: 2, maxLength: 6 }),
    })
    .map(({ known, steps }): Case => {
      // The plain ledger knows no redemption in a market without a result.
      const counted = steps.filter(({ kind, market: n }) => kind !== KIND.redeem || known[n]?.winner !== undefined);
      const events = counted.map((each, tx) => ({ ...each, tx })).sort((a, b) => a.time - b.time || a.kind - b.kind);
      return { known, events };
    })
    .filter(({ events }) => events.length > 0);
  const property = fc.asyncProperty(fc.array(one, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (cases) => {
    const at = join(folder, String(run++));
    await mkdir(join(at, 'scratch'), { recursive: true });
    const db = await Database.open(join(at, 'lab.duckdb'));
    await createRawTables(db);
    await db.run(tablesFor(cases));
    await buildResults(db, join(at, 'scratch'));
    const found = await db.rows(`SELECT wallet::INTEGER AS wallet, condition_id[2:]::INTEGER AS market, day,
      invested::DOUBLE AS invested, pnl::DOUBLE AS pnl, wins, losses FROM wallet_market_days ORDER BY ALL`);
    db.close();
    expect(found).toEqual(cases.flatMap(plainRows));
  });
  await fc.assert(property, { numRuns: 3 });
});
