import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CANDLES } from '../../../src/contract/candles.js';
import type { Dataset, SentRecord } from '../../../src/contract/dataset.js';
import { readFilters } from '../../../src/contract/filters.js';
import { LIFETIME } from '../../../src/contract/lifetime.js';
import { MARKETS } from '../../../src/contract/markets.js';
import { CANDLE_SECONDS, type CandleInterval } from '../../../src/contract/time.js';
import { TRADES } from '../../../src/contract/trades.js';
import { currentVersion, draftVersion, publishVersion } from '../../../src/service/folder/current-version.js';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { answer } from '../../../src/service/query/answer.js';
import { simulate } from '../../../src/service/sample/simulate-sample.js';
import { Database } from '../../../src/service/store/database.js';
import { openDuckDbStore } from '../../../src/service/store/duckdb-store.js';
import { isAbsent } from '../../support/is-absent.js';
import { activity, conditionOf, gammaMarket, tokenOf, trade, txOf, walletOf } from '../../support/raw-records.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

type Trade = SentRecord<typeof TRADES>;
type Candle = SentRecord<typeof CANDLES>;

/** A fill as the Data API returns it. */
interface RawFill {
  proxyWallet: string;
  side: string;
  asset: string;
  conditionId: string;
  size: number;
  price: number;
  timestamp: number;
  slug: string;
  eventSlug: string;
  outcome: string;
  transactionHash: string;
}

async function ask<Row>(folder: string, dataset: Dataset, params: Record<string, unknown>, limit = 100_000) {
  const store = await openDuckDbStore((await currentVersion(folder))?.database ?? '');
  try {
    const { values, errors } = readFilters(dataset, params);
    expect(errors).toEqual([]);
    const page = await answer(store, dataset, values, { limit, offset: 0 });
    return { ...page, records: JSON.parse(page.results.toString()) as Row[] };
  } finally {
    store.close();
  }
}

const trades = async (folder: string, params: Record<string, unknown> = {}) =>
  (await ask<Trade>(folder, TRADES, params)).records;

function grouped<T, Key>(values: Iterable<T>, keyOf: (value: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

/** Ingests records, each list as a file of its own. */
async function ingested(...files: readonly (readonly object[])[]): Promise<string> {
  const folder = await temporaryFolder();
  const inputs = files.map((_, n) => join(folder, `input-${n}.json`));
  for (const [n, records] of files.entries()) await writeFile(inputs[n] ?? '', JSON.stringify(records));
  await ingest({ folder: join(folder, 'data'), inputs });
  return join(folder, 'data');
}

describe('of a simulated market', () => {
  let parent: string;
  let folder: string;
  let raw: RawFill[];
  let all: Trade[];
  let categories: Map<string, string>;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'oddslab-fills-'));
    const sample = join(parent, 'sample');
    folder = join(parent, 'data');
    await simulate({ out: sample, markets: 60, wallets: 40, fills: 3000 });
    const inputs = ['markets', 'trades', 'activity'].map((name) => join(sample, `${name}.json`));
    await ingest({ folder, inputs });
    const read = async (path: string) => JSON.parse(await readFile(path, 'utf8'));
    raw = await read(inputs[1] ?? '');
    const markets = (await read(inputs[0] ?? '')) as { conditionId: string; events: { category: string }[] }[];
    categories = new Map(markets.map(({ conditionId, events }) => [conditionId, events[0]?.category ?? '']));
    all = await trades(folder);
  });
  afterAll(() => rm(parent, { recursive: true, force: true }));

  it('trades are the fills of the raw records, the latest first', () => {
    const expected = raw.map((fill) => ({
      condition_id: fill.conditionId,
      price: fill.price,
      side: fill.side,
      size: fill.size,
      timestamp: new Date(fill.timestamp * 1000).toISOString().replace('.000', ''),
      transaction_hash: fill.transactionHash,
      slug: fill.slug,
      outcome: fill.outcome,
      proxy_wallet: fill.proxyWallet,
      token_id: fill.asset,
      event_slug: fill.eventSlug,
      category: categories.get(fill.conditionId) ?? null,
    }));
    const told = all.map(({ id: _, usd: __, ...rest }) => rest);
    const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(sorted(told)).toEqual(sorted(expected));
    for (const { usd, price, size } of all)
      expect(Math.abs((usd ?? Number.NaN) - price * size)).toBeLessThan(1e-6 + 0.01 * size);
    expect(new Set(all.map(({ id }) => id)).size).toBe(raw.length);
    const places = all.map(({ timestamp, id }) => [-Date.parse(timestamp), id] as const);
    for (const [n, [time, id]] of places.entries()) {
      const [before, former] = places[n - 1] ?? [Number.NEGATIVE_INFINITY, ''];
      expect(before < time || (before === time && former < id)).toBe(true);
    }
  });

  it('trades of a wallet are as many as its lifetime says, and come with how complete its record is', async () => {
    const wallets = [...new Set(raw.map(({ proxyWallet }) => proxyWallet))].slice(0, 12);
    const { records, completeness } = await ask<Trade>(folder, TRADES, { proxy_wallet: wallets.join() });
    const lifetimes = await ask<SentRecord<typeof LIFETIME>>(folder, LIFETIME, { wallet_address: wallets.join() });
    for (const { proxy_wallet, total_trades } of lifetimes.records) {
      expect(records.filter((each) => each.proxy_wallet === proxy_wallet)).toHaveLength(total_trades);
    }
    expect(records).toEqual(all.filter(({ proxy_wallet }) => wallets.includes(proxy_wallet)));
    expect(completeness).toBe(lifetimes.completeness);
    expect((await ask(folder, TRADES, { proxy_wallet: 'ALL' }, 1)).completeness).toBeUndefined();
  });

  it.each(Object.keys(CANDLE_SECONDS) as CandleInterval[])(
    'candles of %s are those of plain loops',
    async (interval) => {
      const counts = grouped(all, ({ token_id }) => token_id ?? '');
      const tokens = [...counts].sort(([, a], [, b]) => b.length - a.length).slice(0, 3);
      for (const [token, fills] of tokens) {
        const { records } = await ask<Candle>(folder, CANDLES, { token_id: token, interval });
        expect(records).toEqual(candlesOf(fills, CANDLE_SECONDS[interval]));
        const middle = fills[fills.length >> 1]?.timestamp ?? '';
        const cut = await ask<Candle>(folder, CANDLES, {
          token_id: token,
          interval,
          end_time: Date.parse(middle) / 1000,
        });
        const earlier = fills.filter(({ timestamp }) => timestamp <= middle);
        expect(cut.records).toEqual(candlesOf(earlier, CANDLE_SECONDS[interval]));
        // Candles at the edges of a range begin with their interval, and have its fills inside the range alone.
        const start_time = Date.parse(middle) / 1000 + 1;
        const rest = await ask<Candle>(folder, CANDLES, { token_id: token, interval, start_time });
        const later = fills.filter(({ timestamp }) => timestamp > middle);
        expect(rest.records).toEqual(candlesOf(later, CANDLE_SECONDS[interval]));
        const edge = cut.records.at(-1)?.candle_time === rest.records[0]?.candle_time;
        const whole = records.find(({ candle_time }) => candle_time === rest.records[0]?.candle_time);
        if (edge) expect(Number(whole?.volume)).toBeGreaterThan(Number(rest.records[0]?.volume));
        if (interval === '1w') expect(edge).toBe(true);
      }
    },
  );

  it('a folder of an earlier release refuses both by name, until the next ingest, even one without new rows', async () => {
    const old = `${folder}-old`;
    await cp(folder, old, { recursive: true });
    const { path, manifest } = (await currentVersion(old)) ?? {};
    if (!path || !manifest) throw new Error('There is no version');
    const draft = await draftVersion(old);
    for (const name of ['lab.duckdb', 'markets.bin', 'market-ids.bin', 'lifetimes.bin', 'wallet-days.bin']) {
      await writeFile(join(draft, name), await readFile(join(path, name)));
    }
    const db = await Database.open(join(draft, 'lab.duckdb'));
    for (const table of ['fills_by_wallet', 'fills_by_token', 'fill_wallets', 'fill_tokens']) {
      await db.run(`DROP TABLE ${table}`);
    }
    await db.run('ALTER TABLE events DROP COLUMN price; ALTER TABLE pending DROP COLUMN price; CHECKPOINT');
    db.close();
    await publishVersion(old, draft, manifest);
    const refusal = {
      status: 404,
      message: expect.stringMatching(/^Dataset 5\d\d \(.*run "oddslab ingest" once more/),
    };
    await expect(trades(old)).rejects.toMatchObject(refusal);
    await expect(ask(old, CANDLES, { token_id: '7' })).rejects.toMatchObject(refusal);
    const wallet = raw[0]?.proxyWallet ?? '';
    expect((await ask(old, LIFETIME, { wallet_address: wallet })).records).toHaveLength(1);
    const sample = join(folder, '../sample/trades.json');
    expect((await ingest({ folder: old, inputs: [sample] })).known).toEqual([sample]);
    // Without stated prices, they are those of the dollars, which this sample has no fees in.
    expect(await trades(old)).toEqual(all);
    const { id } = (await currentVersion(old)) ?? {};
    await ingest({ folder: old, inputs: [sample] });
    expect((await currentVersion(old))?.id).toBe(id);
  });
});

/** The candles of a token by loops over its fills, which come the latest first. */
function candlesOf(fills: readonly Trade[], length: number): Candle[] {
  const monday = Date.parse('2024-01-01T00:00:00Z') / 1000;
  const startOf = ({ timestamp }: Trade) => {
    const seconds = Date.parse(timestamp) / 1000 - monday;
    return monday + Math.floor(seconds / length) * length;
  };
  const groups = [...grouped(fills.toReversed(), startOf)].sort(([a], [b]) => a - b);
  return groups.map(([start, group]) => {
    const prices = group.map(({ price }) => price);
    let [volume, gross, count] = [0n, 0n, 0];
    for (const trade of grouped(group, ({ id, transaction_hash }) => transaction_hash ?? id).values()) {
      const sides = [...grouped(trade, ({ side }) => side).values()].map((side) => ({
        shares: side.reduce((sum, { size }) => sum + BigInt(Math.round(size * 1e6)), 0n),
        paid: side.reduce(
          (sum, { size, price }) => sum + BigInt(Math.round(size * 1e6)) * BigInt(Math.round(price * 1e6)),
          0n,
        ),
      }));
      sides.sort((a, b) => Number(b.shares - a.shares) || Number(b.paid - a.paid));
      volume += sides[0]?.shares ?? 0n;
      gross += sides[0]?.paid ?? 0n;
      count += 1;
    }
    const one = group[0];
    return {
      candle_time: new Date(start * 1000).toISOString().replace('.000', ''),
      open: String(prices[0]),
      high: String(Math.max(...prices)),
      low: String(Math.min(...prices)),
      close: String(prices.at(-1)),
      mean: String(Number((Number(gross) / Number(volume) / 1e6).toFixed(6))),
      volume: String(Number(volume) / 1e6),
      trade_count: count,
      outcome: one?.outcome ?? null,
      condition_id: one?.condition_id ?? '',
      token_id: one?.token_id ?? '',
    };
  });
}

describe('of single records', () => {
  const fill = (changes: Partial<Parameters<typeof trade>[0]> = {}) =>
    trade({ wallet: 1, market: 1, side: 0, does: 'BUY', size: 100, price: 0.25, time: 1_767_225_600, ...changes });

  it('a fill that several downloads hold counts once, and two of one download twice', async () => {
    const twice = [fill({ tx: 7 }), fill({ tx: 7 })];
    expect(await trades(await ingested([gammaMarket(1)], twice, [fill({ tx: 7 })]))).toMatchObject([
      { id: `${walletOf(1)}-1767225600-000000`, transaction_hash: txOf(7) },
      { id: `${walletOf(1)}-1767225600-000001`, transaction_hash: txOf(7) },
    ]);
  });

  it('of several makers in one transaction all count in candles, and in the volume of a market that states none', async () => {
    // A taker buys 100 Yes at 0.4; three makers buy No at 0.6, so that shares are minted.
    const makers = [30, 50, 20].map((size, n) => fill({ wallet: 2 + n, side: 1, size, price: 0.6 - n / 100, tx: 9 }));
    const taker = fill({ wallet: 1, side: 0, size: 100, price: 0.4, tx: 9 });
    const no = { volume: '100', mean: '0.591', trade_count: 1, high: '0.6', low: '0.58' };
    const candles = async (folder: string, side: 0 | 1) =>
      (await ask<Candle>(folder, CANDLES, { token_id: tokenOf(1, side), interval: '1m' })).records;
    const market = gammaMarket(1, { volume: null });
    const whole = await ingested([market], [taker, ...makers]);
    expect(await candles(whole, 1)).toMatchObject([no]);
    expect(await candles(whole, 0)).toMatchObject([{ volume: '100', mean: '0.4', trade_count: 1 }]);
    const volume = async (folder: string) => (await ask<{ volume_total: number }>(folder, MARKETS, {})).records;
    expect(await volume(whole)).toMatchObject([{ volume_total: 40 }]);
    const onlyMakers = await ingested([market], makers);
    expect(await candles(onlyMakers, 1)).toMatchObject([no]);
    expect(await volume(onlyMakers)).toMatchObject([{ volume_total: 59.1 }]);
  });

  it('of one transaction with both sides of a token count the larger one', async () => {
    const fills = [
      fill({ wallet: 1, does: 'BUY', size: 60, price: 0.5, tx: 9 }),
      fill({ wallet: 2, does: 'SELL', size: 25, price: 0.5, tx: 9 }),
      fill({ wallet: 3, does: 'SELL', size: 45, price: 0.4, tx: 9 }),
    ];
    const { records } = await ask<Candle>(await ingested([gammaMarket(1)], fills), CANDLES, {
      token_id: tokenOf(1, 0),
    });
    expect(records).toMatchObject([{ volume: '70', mean: '0.435714', trade_count: 1 }]);
  });

  it('of a few millionths of a share have the mean of their prices, not of whole micro-dollars', async () => {
    const few = [fill({ size: 0.000003, price: 0.5 }), fill({ wallet: 2, size: 0.000001, price: 0.3 })];
    const { records } = await ask<Candle>(await ingested([gammaMarket(1)], few), CANDLES, { token_id: tokenOf(1, 0) });
    expect(records).toMatchObject([{ volume: '0.000004', mean: '0.45', low: '0.3', high: '0.5' }]);
  });

  it('have the stated price, though dollars hold a fee, or the price of the dollars', async () => {
    const paid = activity('TRADE', 2, {
      ...trade({ wallet: 2, market: 1, side: 1, does: 'BUY', size: 100, price: 0.4, time: 1_767_225_601 }),
      usdcSize: 41,
      type: 'TRADE',
    });
    const { price: _, ...unpriced } = { ...paid, timestamp: 1_767_225_602, usdcSize: 30 } as Record<string, unknown>;
    const data = await ingested([gammaMarket(1)], [paid, unpriced]);
    expect(await trades(data)).toMatchObject([
      { price: 0.3, usd: 30, outcome: 'No', token_id: tokenOf(1, 1) },
      { price: 0.4, usd: 41, size: 100 },
    ]);
  });

  it('of a market without a record have its id and no names', async () => {
    expect(await trades(await ingested([gammaMarket(2)], [fill()]), { condition_id: conditionOf(1) })).toMatchObject([
      { condition_id: conditionOf(1), slug: null, outcome: null, event_slug: null, category: null, price: 0.25 },
    ]);
  });

  const REAL = '../shared/data/data_api_trades.json';
  it.skipIf(isAbsent(REAL, 'public fills'))('of public records are as their source states them', async () => {
    const raw = JSON.parse(await readFile(REAL, 'utf8')) as RawFill[];
    const folder = join(await temporaryFolder(), 'data');
    await mkdir(folder);
    await ingest({ folder, inputs: [REAL] });
    const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).sort();
    const told = (await trades(folder)).map((each) => [
      each.proxy_wallet,
      each.side,
      each.token_id,
      each.condition_id,
      each.size,
      each.price,
      Date.parse(each.timestamp) / 1000,
      each.transaction_hash,
    ]);
    const micro = (value: number) => Math.round(value * 1e6) / 1e6;
    const expected = raw.map((each) => [
      each.proxyWallet.toLowerCase(),
      each.side,
      each.asset,
      each.conditionId,
      micro(each.size),
      micro(each.price),
      each.timestamp,
      each.transactionHash,
    ]);
    expect(sorted(told)).toEqual(sorted(expected));
  });
});
