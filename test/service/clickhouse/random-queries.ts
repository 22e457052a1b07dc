import { CANDLES } from '../../../src/contract/candles.js';
import type { Dataset } from '../../../src/contract/dataset.js';
import { LEADERBOARD, LEADERBOARD_ORDERS } from '../../../src/contract/leaderboard.js';
import { LIFETIME } from '../../../src/contract/lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from '../../../src/contract/markets.js';
import { PNL } from '../../../src/contract/pnl.js';
import { POSITIONS } from '../../../src/contract/positions.js';
import { CANDLE_INTERVALS, GRANULARITIES } from '../../../src/contract/time.js';
import { TRADES } from '../../../src/contract/trades.js';
import { Database } from '../../../src/service/store/database.js';
import { duckDbRows } from '../../../src/service/store/duckdb-store.js';
import type { FillRow, MarketRow, Slice } from '../../../src/service/store/store.js';
import fc from '../../support/fast-check.js';
import { AWKWARD } from './made-version.js';

/** A query as the service reads it. */
export interface Query {
  dataset: Dataset;
  filters: Record<string, unknown>;
  slice: Slice;
}

/** What the records of wallets in single markets can be narrowed by. */
interface MarketNames {
  readonly days: readonly { wallet: string; condition_id: string }[];
  readonly events: readonly string[];
  readonly categories: readonly string[];
}

const STRANGER = `0x${'ab'.repeat(20)}`;
const slice = fc.record({ limit: fc.integer({ min: 1, max: 250 }), offset: fc.oneof(fc.constant(0), fc.nat(500)) });
const maybe = <T>(value: fc.Arbitrary<T>, weight = 1) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** Random queries over all datasets and filters, for values that a version holds and for others. */
export async function randomQueries(database: string, count: number): Promise<Query[]> {
  const rows = duckDbRows(await Database.open(database, { locked: true, threads: 1 }));
  const markets = await rows.markets({}, { limit: 10_000, offset: 0 });
  const fills = await rows.fills({}, { limit: 10_000, offset: 0 });
  rows.close();
  const db = await Database.open(database, { locked: true, threads: 1 });
  const days = await db.rows<{ wallet: string; condition_id: string }>(
    'SELECT DISTINCT wallet, condition_id FROM wallet_market_days ORDER BY ALL LIMIT 400',
  );
  const texts = async (column: string) => {
    const sql = `SELECT DISTINCT ${column} AS text FROM market_sides WHERE ${column} IS NOT NULL ORDER BY 1 LIMIT 40`;
    return (await db.rows<{ text: string }>(sql)).map(({ text }) => text);
  };
  const names: MarketNames = { days, events: await texts('event_slug'), categories: await texts('category') };
  db.close();
  const all = fc.oneof(
    { weight: 3, arbitrary: pnlQueries(names) },
    { weight: 1, arbitrary: lifetimeQueries(days) },
    { weight: 2, arbitrary: positionQueries(names) },
    { weight: 2, arbitrary: leaderboardQueries(days) },
    { weight: 3, arbitrary: marketQueries(markets) },
    { weight: 3, arbitrary: tradeQueries(fills, days) },
    { weight: 2, arbitrary: candleQueries(fills) },
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

function pnlQueries({ days, categories }: MarketNames) {
  const day = maybe(
    fc.oneof(fc.integer({ min: 19_700, max: 20_150 }), fc.integer({ min: -719_162, max: 2_932_896 })),
    2,
  );
  const filters = fc.record({
    wallet: someWallets(days),
    granularity: fc.constantFrom(...GRANULARITIES),
    start_time: day,
    end_time: day,
    condition_id: maybe(someMarkets(days), 2),
    event_slug: maybe(fc.constantFrom('EVENT-a', 'x', 'event-1-of-mayors'), 4),
    category: maybe(anyCase(categories), 4),
    by: maybe(fc.constantFrom('market', 'event', 'category'), 1),
  });
  return fc.record({ dataset: fc.constant(PNL), filters, slice });
}

/** A text of a version in small or in large letters, one that is near one of its own, or one that it does not have. */
function anyCase(texts: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...texts.flatMap((text) => [text, text.toUpperCase()]), 'Sprots1', 'none', "'; --");
}

function someMarkets(days: readonly { condition_id: string }[]): fc.Arbitrary<string[]> {
  const market = fc.oneof(
    fc.constantFrom(...days.map(({ condition_id }) => condition_id)),
    fc.constant(`0x${'0'.repeat(64)}`),
  );
  return fc.uniqueArray(market, { minLength: 1, maxLength: 3 });
}

function positionQueries({ days, events, categories }: MarketNames) {
  const filters = fc.record({
    wallet: someWallets(days),
    status: maybe(fc.constantFrom('open', 'closed'), 2),
    condition_id: maybe(someMarkets(days), 3),
    event_slug: maybe(anyCase(events), 4),
    category: maybe(anyCase(categories), 4),
  });
  return fc.record({ dataset: fc.constant(POSITIONS), filters, slice });
}

function leaderboardQueries(days: readonly { wallet: string }[]) {
  const amount = fc.bigInt(-100_000_000_000n, 1_000_000_000_000n);
  const filters = fc.record({
    wallet_address: maybe(someWallets(days), 1),
    leaderboard_period: fc.constantFrom('1d', '3d', '7d', '30d', 'all'),
    min_pnl: maybe(amount, 3),
    max_pnl: maybe(amount, 3),
    min_trades: maybe(fc.nat(4000), 3),
    min_volume: maybe(fc.bigInt(0n, 10n ** 13n), 3),
    sort_by: fc.constantFrom(...LEADERBOARD_ORDERS),
  });
  return fc.record({ dataset: fc.constant(LEADERBOARD), filters, slice });
}

function lifetimeQueries(days: readonly { wallet: string }[]) {
  const filters = fc.record({ wallet_address: someWallets(days) });
  return fc.record({ dataset: fc.constant(LIFETIME), filters, slice });
}

/** Fills by none of the filters up to all; most of them ask for what one fill has, so that something is found. */
function tradeQueries(fills: readonly FillRow[], days: readonly { wallet: string }[]) {
  const fill = fc.constantFrom(...fills);
  const loud = (text: string | null | undefined) => text?.toUpperCase() ?? 'none';
  const filters = fc
    .tuple(fill, fill, fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), fc.boolean())
    .chain(([one, other, asks, isBroad]) => {
      const ask = <T>(at: number, value: T) => (asks[at] && !(isBroad && at % 3 > 0) ? value : undefined);
      return fc.record({
        proxy_wallet: asks[0]
          ? fc.oneof(fc.constantFrom([one.wallet], [other.wallet, one.wallet, STRANGER]), someWallets(days))
          : fc.constant(undefined),
        condition_id: fc.constantFrom(ask(1, [one.condition_id]), ask(1, [other.condition_id, one.condition_id])),
        market_slug: fc.constantFrom(ask(2, loud(one.slug)), ask(2, loud(one.slug)), ask(2, `${one.slug}s`)),
        side: fc.constant(ask(3, one.sells ? 'SELL' : 'BUY')),
        start_time: fc.constantFrom(ask(4, Number(one.ts)), ask(4, Number(one.ts) - 86_400)),
        end_time: fc.constantFrom(ask(5, Number(one.ts)), ask(5, Number(one.ts) + 1_000_000)),
        token_id: fc.constantFrom(ask(6, one.token), ask(6, "' OR 1=1 OR '")),
        event_slug: fc.constantFrom(ask(7, loud(one.event_slug)), ask(7, `${one.event_slug}s`)),
        category: fc.constantFrom(ask(8, loud(one.category)), ask(8, '\ufeffmarked'), ask(8, AWKWARD[4])),
      });
    });
  return fc.record({ dataset: fc.constant(TRADES), filters, slice });
}

function candleQueries(fills: readonly FillRow[]) {
  const time = maybe(
    fc.constantFrom(...fills).map(({ ts }) => Number(ts)),
    2,
  );
  const filters = fc.record({
    token_id: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...fills).map(({ token }) => token) },
      { weight: 1, arbitrary: fc.constantFrom('7', "'; --", '\\N') },
    ),
    interval: fc.constantFrom(...CANDLE_INTERVALS),
    start_time: time,
    end_time: time,
  });
  return fc.record({ dataset: fc.constant(CANDLES), filters, slice });
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
