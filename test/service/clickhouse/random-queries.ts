import type { Dataset } from '../../../src/contract/dataset.js';
import { LIFETIME } from '../../../src/contract/lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from '../../../src/contract/markets.js';
import { PNL } from '../../../src/contract/pnl.js';
import { GRANULARITIES } from '../../../src/contract/time.js';
import { Database } from '../../../src/service/store/database.js';
import { duckDbRows } from '../../../src/service/store/duckdb-store.js';
import type { MarketRow, Slice } from '../../../src/service/store/store.js';
import fc from '../../support/fast-check.js';
import { AWKWARD } from './made-version.js';

/** A query as the service reads it. */
export interface Query {
  dataset: Dataset;
  filters: Record<string, unknown>;
  slice: Slice;
}

const STRANGER = `0x${'ab'.repeat(20)}`;
const slice = fc.record({ limit: fc.integer({ min: 1, max: 250 }), offset: fc.oneof(fc.constant(0), fc.nat(500)) });
const maybe = <T>(value: fc.Arbitrary<T>, weight = 1) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** Random queries over all datasets and filters, for values that a version holds and for others. */
export async function randomQueries(database: string, count: number): Promise<Query[]> {
  const rows = duckDbRows(await Database.open(database, { locked: true, threads: 1 }));
  const markets = await rows.markets({}, { limit: 10_000, offset: 0 });
  rows.close();
  const db = await Database.open(database, { locked: true, threads: 1 });
  const days = await db.rows<{ wallet: string; condition_id: string }>(
    'SELECT DISTINCT wallet, condition_id FROM wallet_market_days ORDER BY ALL LIMIT 400',
  );
  db.close();
  const all = fc.oneof(
    { weight: 3, arbitrary: pnlQueries(days) },
    { weight: 1, arbitrary: lifetimeQueries(days) },
    { weight: 3, arbitrary: marketQueries(markets) },
    fc.record({
      dataset: fc.constant(MARKETS_BY_STATE),
      filters: fc.record({ closed: maybe(fc.boolean()) }),
      slice,
    }),
  );
  return fc.sample(all as fc.Arbitrary<Query>, { numRuns: count, seed: 20_261_121 });
}

function someWallets(days: readonly { wallet: string }[]): fc.Arbitrary<string[]> {
  const known = fc.constantFrom(...days.map(({ wallet }) => wallet));
  const edge = fc.constantFrom(`0x${'0'.repeat(40)}`, `0x${'0'.repeat(39)}1`, `0x${'f'.repeat(40)}`, STRANGER);
  const wallet = fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: edge });
  return fc.oneof(
    wallet.map((one) => [one]),
    fc.uniqueArray(wallet, { minLength: 1, maxLength: 20 }),
  );
}

function pnlQueries(days: readonly { wallet: string; condition_id: string }[]) {
  const day = maybe(
    fc.oneof(fc.integer({ min: 19_700, max: 20_150 }), fc.integer({ min: -719_162, max: 2_932_896 })),
    2,
  );
  const market = fc.oneof(
    fc.constantFrom(...days.map(({ condition_id }) => condition_id)),
    fc.constantFrom('ALL', `0x${'0'.repeat(64)}`),
  );
  const filters = fc.record({
    wallet: someWallets(days),
    granularity: fc.constantFrom(...GRANULARITIES),
    start_time: day,
    end_time: day,
    condition_id: maybe(market, 2),
  });
  return fc.record({ dataset: fc.constant(PNL), filters, slice });
}

function lifetimeQueries(days: readonly { wallet: string }[]) {
  const filters = fc.record({ wallet_address: someWallets(days) });
  return fc.record({ dataset: fc.constant(LIFETIME), filters, slice });
}

function marketQueries(markets: readonly MarketRow[]) {
  const market = fc.constantFrom(...markets);
  const loud = (text: string, isLoud: boolean) => (isLoud ? text.toUpperCase() : text);
  const piece = fc
    .tuple(market, fc.nat(60), fc.integer({ min: 1, max: 14 }), fc.boolean())
    .map(([one, from, length, isLoud]) => loud(`${one.slug} ${one.question}`.slice(from, from + length), isLoud))
    .filter((text) => text !== '' && !/\p{Surrogate}/u.test(text));
  const awkward = fc.constantFrom(...AWKWARD.filter(Boolean), '%', '_', '\\', "'", '\t', "'; --", "' OR 1=1 OR '");
  const seconds = fc.integer({ min: 1_709_990_000, max: 1_770_010_000 });
  const volume = fc.oneof(
    fc.bigInt(0n, 10n ** 18n),
    market.map((one) => one.volume),
  );
  const filters = fc.record({
    closed: maybe(fc.boolean(), 2),
    min_volume: maybe(volume, 3),
    market_slug: maybe(fc.oneof({ weight: 3, arbitrary: piece }, { weight: 1, arbitrary: awkward }), 1),
    end_date_min: maybe(seconds, 3),
    end_date_max: maybe(seconds, 3),
    condition_id: maybe(
      fc.oneof(
        market.map((one) => one.condition_id),
        fc.constantFrom('ALL', `0x${'0'.repeat(64)}`),
      ),
      8,
    ),
    event_slug: maybe(
      fc.oneof(
        market.map((one) => one.event_slug?.toUpperCase()),
        fc.constantFrom(...AWKWARD.filter(Boolean)),
      ),
      6,
    ),
  });
  return fc.record({ dataset: fc.constant(MARKETS), filters, slice });
}
