import { join } from 'node:path';
import { expect, it } from 'vitest';
import { quoteText } from '../../../src/base/duckdb.js';
import { writeLedger } from '../../../src/service/ingest/write-ledger.js';
import { KIND, type LedgerEvent, type LedgerMarket, NO_TX } from '../../../src/service/ledger/event.js';
import { Database } from '../../../src/service/store/database.js';
import fc from '../../support/fast-check.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { naiveBooks } from '../ledger/naive-ledger.js';

const DAY = 86_400;
/** Two markets that exclude each other, and one alone. */
const MARKETS: readonly LedgerMarket[] = [
  { winner: 0, closeTime: 5 * DAY, siblings: [0, 1] },
  { winner: undefined, closeTime: undefined, siblings: [0, 1] },
  { winner: 1, closeTime: 3 * DAY, siblings: [2] },
];
const GROUPS = [0, 0, 1];

interface Event extends LedgerEvent {
  wallet: number;
}

/** Few moments and amounts: many events are of one second, and alike. */
const event: fc.Arbitrary<Event> = fc
  .record({
    wallet: fc.nat(2),
    market: fc.nat(2),
    side: fc.constantFrom(0, 1),
    kind: fc.constantFrom(KIND.split, KIND.buy, KIND.buy, KIND.conversion, KIND.sell, KIND.merge),
    time: fc.nat(3).map((n) => n * 2 * DAY),
    shares: fc.integer({ min: 1, max: 3 }),
    usd: fc.integer({ min: 1, max: 3 }),
  })
  .filter(({ kind, market }) => kind !== KIND.conversion || market !== 2)
  .map((each) => ({ ...each, tx: each.kind === KIND.conversion ? each.market : NO_TX }));

function inOrder(a: Event, b: Event): number {
  const of = ({ wallet, market, time, kind, tx, side, shares, usd }: Event) => [
    ...[wallet, GROUPS[market] ?? 0, time, kind, tx, market, side, shares, usd],
  ];
  const [left, right] = [of(a), of(b)];
  return left.map((n, i) => n - (right[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

it('is the plain rules over the events in their order, in whatever order they lie there', async () => {
  const folder = await temporaryFolder();
  const db = await Database.open(join(folder, 'events.duckdb'));
  const names = ['wallet', 'grp', 'market', 'side', 'kind', 'ts', 'shares', 'usd', 'tx'];
  const types = names.map((name) => `${name} ${/ts|shares|usd/.test(name) ? 'DOUBLE' : 'INTEGER'}`);
  await db.run(`CREATE TABLE events (${types.join(', ')})`);
  const property = fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 40 }), async (events) => {
    const rows = events.map(({ wallet, market, side, kind, time, shares, usd, tx }) =>
      [wallet, GROUPS[market], market, side, kind, time, shares, usd, tx].join(', '),
    );
    await db.run(`DELETE FROM events; INSERT INTO events VALUES (${rows.join('), (')})`);
    const parquet = join(folder, 'ledger.parquet');
    const positions = join(folder, 'positions.parquet');
    expect(await writeLedger(db, 'events', MARKETS, { days: parquet, positions })).toBe(events.length);
    const found = await db.rows(`SELECT * FROM read_parquet(${quoteText(parquet)}) ORDER BY wallet, market, day`);
    const sorted = events.sort(inOrder);
    const books = [0, 1, 2].flatMap((wallet) =>
      [0, 1].map((group) => {
        const own = sorted.filter((each) => each.wallet === wallet && GROUPS[each.market] === group);
        return { wallet, ...naiveBooks(MARKETS, own) };
      }),
    );
    expect(found).toEqual(books.flatMap(({ wallet, rows }) => rows.map((row) => ({ wallet, ...row }))));
    const held = await db.rows(`SELECT * FROM read_parquet(${quoteText(positions)}) ORDER BY wallet, market, side`);
    const plain = books.flatMap(({ wallet, positions }) =>
      positions.map(({ market, side, average, ...rest }) => {
        const amounts = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, Number(value)]));
        return { wallet, market, side, average: average === undefined ? Number.NaN : Number(average), ...amounts };
      }),
    );
    expect(held).toEqual(plain.sort((a, b) => a.wallet - b.wallet || a.market - b.market || a.side - b.side));
  });
  await fc.assert(property, { numRuns: 60 });
  db.close();
});
