import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Dataset } from '../../../src/contract/dataset.js';
import { readFilters } from '../../../src/contract/filters.js';
import { LEADERBOARD } from '../../../src/contract/leaderboard.js';
import { PNL } from '../../../src/contract/pnl.js';
import { POSITIONS } from '../../../src/contract/positions.js';
import { bucketStart, dayOfDate, GRANULARITIES } from '../../../src/contract/time.js';
import { currentVersion, draftVersion, publishVersion } from '../../../src/service/folder/current-version.js';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { answer, pageFromRows } from '../../../src/service/query/answer.js';
import { simulate } from '../../../src/service/sample/simulate-sample.js';
import { Database } from '../../../src/service/store/database.js';
import { duckDbRows, openDuckDbStore } from '../../../src/service/store/duckdb-store.js';
import type { Store } from '../../../src/service/store/store.js';
import { activity, conditionOf, ended, gammaMarket, trade, walletOf } from '../../support/raw-records.js';
import { type ReadSample, readSample, winnerOf } from '../simulate-replay.js';

// Against plain loops over the raw records, and over the records of dataset 569.

type Row = Record<string, never> & Record<string, unknown>;

let folder: string;
let data: string;
let inputs: string[];
let sample: ReadSample;
let store: Store;
let wallets: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-standings-'));
  data = join(folder, 'data');
  const out = join(folder, 'sample');
  await simulate({ out, markets: 60, wallets: 30, fills: 4000 });
  inputs = ['markets', 'trades', 'activity'].map((name) => join(out, `${name}.json`));
  const { version } = await ingest({ folder: data, inputs });
  sample = await readSample(out);
  store = await openDuckDbStore(version.database);
  wallets = [...new Set(sample.trades.map(({ proxyWallet }) => proxyWallet))].sort();
});
afterAll(async () => {
  store.close();
  await rm(folder, { recursive: true, force: true });
});

async function ask(dataset: Dataset, params: Record<string, string>, from = store): Promise<Row[]> {
  const { values, errors } = readFilters(dataset, params);
  expect(errors).toEqual([]);
  const rows: Row[] = [];
  for (let offset = 0; ; offset += 1000) {
    const { results, has_more } = await pageFromRows(from, dataset, values, { limit: 1000, offset });
    rows.push(...(JSON.parse(results.toString()) as Row[]));
    if (!has_more) return rows;
  }
}

/** Sums of a column by a key, in whole micro-dollars. */
function sums(rows: readonly Row[], keyOf: (row: Row) => string, column: string): Map<string, number> {
  const all = new Map<string, number>();
  for (const row of rows) all.set(keyOf(row), (all.get(keyOf(row)) ?? 0) + Math.round(Number(row[column]) * 1e6));
  return all;
}

it('has in a position what was bought, split, sold and merged, worth what its token’s last fills paid', async () => {
  const positions = await ask(POSITIONS, { wallet: wallets.join() });
  const markets = new Map(sample.markets.map((market) => [market.conditionId, market]));
  const shares = new Map<string, number>();
  const move = (key: string, by: number) => shares.set(key, (shares.get(key) ?? 0) + Math.round(by * 1e6));
  const last = new Map<string, { at: number; shares: number; paid: number }>();
  for (const { proxyWallet, conditionId, outcomeIndex, side, size, price, timestamp } of sample.trades) {
    move(`${proxyWallet} ${conditionId} ${outcomeIndex}`, side === 'BUY' ? size : -size);
    const token = `${conditionId} ${outcomeIndex}`;
    const known = last.get(token);
    if (!known || known.at < timestamp) last.set(token, { at: timestamp, shares: size, paid: size * price });
    else if (known.at === timestamp)
      Object.assign(known, { shares: known.shares + size, paid: known.paid + size * price });
  }
  for (const { proxyWallet, conditionId, type, size } of sample.activity) {
    if (type !== 'SPLIT' && type !== 'MERGE') continue;
    for (const outcome of [0, 1]) move(`${proxyWallet} ${conditionId} ${outcome}`, type === 'SPLIT' ? size : -size);
  }
  const keyOf = (row: Row) => `${row.proxy_wallet} ${row.condition_id} ${row.outcome_index}`;
  expect(positions.map(keyOf)).toEqual([...shares.keys()].sort());
  let [open, undecidedOpen] = [0, 0];
  for (const row of positions) {
    const market = markets.get(String(row.condition_id)) as never;
    const winner = winnerOf(market);
    const left = winner === undefined ? (shares.get(keyOf(row)) ?? 0) : 0;
    expect(Math.round(Number(row.shares) * 1e6)).toBe(left);
    expect(row.status).toBe(left > 0 ? 'open' : 'closed');
    const fills = last.get(`${row.condition_id} ${row.outcome_index}`);
    const paid =
      winner === 'tie'
        ? 0.5
        : winner === undefined
          ? fills && fills.paid / fills.shares
          : Number(winner === row.outcome_index);
    if (paid === undefined) expect(row.last_price).toBeNull();
    else expect(Number(row.last_price)).toBeCloseTo(paid, 5);
    const { closed, closedTime } = market as { closed: boolean; closedTime?: string };
    const undecided = closed ? 'unknown' : null;
    const result =
      winner === undefined ? undecided : winner === 'tie' ? 'tie' : winner === row.outcome_index ? 'won' : 'lost';
    expect(row.result).toBe(result);
    const at = closedTime === undefined ? undefined : new Date(closedTime.replace(' ', 'T').replace(/\+00$/, 'Z'));
    expect(row.close_date).toBe(closed && at ? at.toISOString().replace('.000Z', 'Z') : null);
    if (left === 0) continue;
    open++;
    if (closed) undecidedOpen++;
    if (paid !== undefined) expect(Number(row.unrealized)).toBeCloseTo((left / 1e6) * paid - Number(row.cost), 2);
  }
  expect(open).toBeGreaterThan(20);
  // Those that closed without a result are told from those that may still pay.
  expect(undecidedOpen).toBeGreaterThan(0);
});

it('adds up to the profit of each market, and that to the profit of each day, event and category', async () => {
  const wallet = wallets.join();
  const positions = await ask(POSITIONS, { wallet });
  const byMarket = await ask(PNL, { wallet, by: 'market', granularity: 'all' });
  const ofMarket = (row: Row) => `${row.proxy_wallet} ${row.condition_id}`;
  for (const [mine, theirs] of [
    ['realized', 'pnl'],
    ['invested', 'invested'],
  ] as const) {
    expect(sums(byMarket, ofMarket, theirs)).toEqual(sums(positions, ofMarket, mine));
  }
  const [market] = byMarket.map(({ condition_id }) => String(condition_id));
  expect(await ask(PNL, { wallet, condition_id: `${market}` })).toEqual(
    (await ask(PNL, { wallet, condition_id: `${market}`, by: 'market' })).map(
      ({ condition_id: _, question: __, event_slug: ___, category: ____, ...row }) => row,
    ),
  );
  const daily = await ask(PNL, { wallet });
  const ofDay = (row: Row) => `${row.proxy_wallet} ${row.date}`;
  const stated = sample.markets as unknown as { conditionId: string; events: { category: string }[] }[];
  const categories = new Map(stated.map(({ conditionId, events }) => [conditionId, events[0]?.category]));
  for (const by of ['market', 'event', 'category']) {
    const rows = await ask(PNL, { wallet, by });
    for (const column of ['pnl', 'invested', 'trades', 'wins', 'losses']) {
      expect(sums(rows, ofDay, column)).toEqual(sums(daily, ofDay, column));
    }
    const order = rows.map(
      (row) => `${row.date} ${row.proxy_wallet} ${row.condition_id ?? row.event_slug ?? row.category}`,
    );
    expect(order).toEqual([...new Set(order)].sort());
  }
  const categoryOf = (row: Row) => String(categories.get(String(row.condition_id)));
  const byCategory = sums(byMarket, (row) => `${row.proxy_wallet} ${categoryOf(row)}`, 'pnl');
  const told = await ask(PNL, { wallet, by: 'category', granularity: 'all' });
  expect(sums(told, (row) => `${row.proxy_wallet} ${row.category}`, 'pnl')).toEqual(byCategory);
  expect([...new Set(told.map(({ category }) => String(category)))].sort()).toEqual(
    [...new Set(byMarket.map(categoryOf))].sort(),
  );
  expect(told.map(({ category }) => category)).toContain('Politics');
  const one = String(told[0]?.category);
  const some = await ask(PNL, { wallet, category: one.toUpperCase(), granularity: 'all' });
  const own = told.filter(({ category }) => category === one);
  expect(sums(some, (row) => `${row.proxy_wallet}`, 'pnl')).toEqual(sums(own, (row) => `${row.proxy_wallet}`, 'pnl'));
});

it.each([
  ['all', Number.POSITIVE_INFINITY],
  ['30d', 30],
  ['7d', 7],
  ['1d', 1],
])('ranks wallets by their days of the period %s', async (leaderboard_period, length) => {
  const daily = (await ask(PNL, { wallet: wallets.join() })).map(
    (row) => ({ ...row, day: Date.parse(String(row.date)) / 864e5 }) as Row & { day: number },
  );
  const latest = Math.max(...daily.map(({ day }) => day));
  const expected = wallets.flatMap((address) => {
    const days = daily.filter(({ proxy_wallet, day }) => proxy_wallet === address && day > latest - length);
    if (days.length === 0) return [];
    const sum = (column: string) => days.reduce((all, row) => all + Number(row[column]), 0);
    const fills = sample.trades.filter(
      ({ proxyWallet, timestamp }) => proxyWallet === address && Math.floor(timestamp / 86_400) > latest - length,
    );
    const first = Math.min(...days.map(({ day }) => day));
    const n = Number.isFinite(length) ? length : latest - first + 1;
    const results = [...days.map(({ pnl }) => Number(pnl)), ...Array(n - days.length).fill(0)] as number[];
    const mean = sum('pnl') / n;
    const deviation = Math.sqrt(results.reduce((all, each) => all + (each - mean) ** 2, 0) / (n - 1));
    return {
      address,
      total_pnl: sum('pnl'),
      roi: sum('invested') > 0 ? sum('pnl') / sum('invested') : null,
      win_rate: sum('wins') + sum('losses') > 0 ? sum('wins') / (sum('wins') + sum('losses')) : null,
      sharpe_ratio: n > 1 && deviation > 0 ? (Math.sqrt(365) * mean) / deviation : null,
      total_volume: fills.reduce((all, { size, price }) => all + size * price, 0),
      markets_traded: new Set(fills.map(({ conditionId }) => conditionId)).size,
      total_trades: fills.length,
    };
  });
  const found = await ask(LEADERBOARD, { leaderboard_period });
  expect(found.map(({ rank }) => rank)).toEqual(found.map((_, at) => at + 1));
  expect(found.map(({ total_pnl }) => Number(total_pnl))).toEqual(
    found.map(({ total_pnl }) => Number(total_pnl)).sort((a, b) => b - a),
  );
  const byAddress = (rows: readonly { address?: unknown }[]) =>
    [...rows].sort((a, b) => (String(a.address) < String(b.address) ? -1 : 1));
  const plain = byAddress(expected);
  expect(found.length).toBe(plain.length);
  for (const [at, row] of byAddress(found).entries()) {
    for (const [name, value] of Object.entries(plain[at] ?? {})) {
      if (typeof value === 'number') expect(Number((row as Row)[name]), name).toBeCloseTo(value, 4);
      else expect((row as Row)[name], name).toBe(value);
    }
  }
});

it('gives of profit by market, event and category page by page what it gives at once, and reads no row beyond', async () => {
  let read = 0;
  const counted: Store = {
    ...store,
    async groupDays(...asked) {
      const days = await store.groupDays(...asked);
      read += days.length;
      return days;
    },
  };
  for (const by of ['market', 'event', 'category']) {
    for (const granularity of GRANULARITIES) {
      const { values } = readFilters(PNL, { wallet: wallets.slice(0, 4).join(), by, granularity });
      const whole = await pageFromRows(store, PNL, values, { limit: 1000, offset: 0 });
      const expected = JSON.parse(whole.results.toString()) as Row[];
      expect(expected.length).toBeGreaterThan(10);
      const size = Math.ceil(expected.length / 3);
      const rows: Row[] = [];
      for (let offset = 0; offset < expected.length; offset += size) {
        read = 0;
        const page = await pageFromRows(counted, PNL, values, { limit: size, offset });
        expect(page.has_more).toBe(offset + size < expected.length);
        rows.push(...(JSON.parse(page.results.toString()) as Row[]));
        expect(read).toBeLessThanOrEqual(size + 1);
      }
      expect(rows).toEqual(expected);
    }
  }
});

it('sums profit by market, event and category into the buckets that the days of single markets fall into', async () => {
  const wallet = wallets.slice(0, 6).join();
  const daily = await ask(PNL, { wallet, by: 'market' });
  const start_time = '2025-07-02';
  for (const by of ['market', 'event', 'category'] as const) {
    for (const granularity of GRANULARITIES) {
      for (const filters of [{}, { start_time }] as { start_time?: string }[]) {
        const column = by === 'market' ? 'condition_id' : by === 'event' ? 'event_slug' : 'category';
        const found = await ask(PNL, { wallet, by, granularity, ...filters });
        const days = daily.filter(({ date }) => String(date) >= (filters.start_time ?? ''));
        const firsts = new Map<unknown, number>();
        const sums = new Map<string, { pnl: number; wins: number }>();
        for (const { date, proxy_wallet, pnl, wins, ...row } of days) {
          const day = dayOfDate(String(date).slice(0, 10)) ?? 0;
          const from =
            filters.start_time === undefined ? (firsts.get(proxy_wallet) ?? day) : (dayOfDate(start_time) ?? 0);
          firsts.set(proxy_wallet, from);
          const bucket = granularity === 'all' ? '' : bucketStart(granularity, day, from);
          const key = `${bucket} ${proxy_wallet} ${row[column]}`;
          const sum = sums.get(key) ?? { pnl: 0, wins: 0 };
          sums.set(key, { pnl: sum.pnl + Math.round(Number(pnl) * 1e6), wins: sum.wins + Number(wins) });
        }
        const told = found.map(({ date, proxy_wallet, pnl, wins, ...row }) => {
          const bucket = granularity === 'all' ? '' : dayOfDate(String(date).slice(0, 10));
          return [`${bucket} ${proxy_wallet} ${row[column]}`, { pnl: Math.round(Number(pnl) * 1e6), wins }];
        });
        expect(new Map(told as [string, { pnl: number; wins: number }][])).toEqual(sums);
      }
    }
  }
});

it('narrows profit to an event, by its name in any case, and to markets of it', async () => {
  const wallet = wallets.join();
  const byMarket = await ask(PNL, { wallet, by: 'market', granularity: 'all' });
  const events = byMarket.map(({ event_slug }) => event_slug).filter((slug) => slug !== null);
  const event = String(events.find((slug) => events.indexOf(slug) !== events.lastIndexOf(slug)));
  const own = byMarket.filter(({ event_slug }) => event_slug === event);
  expect(own.length).toBeGreaterThan(1);
  const event_slug = event.toUpperCase();
  expect(await ask(PNL, { wallet, by: 'market', granularity: 'all', event_slug })).toEqual(own);
  const condition_id = String(own[0]?.condition_id);
  expect(await ask(PNL, { wallet, event_slug, condition_id })).toEqual(await ask(PNL, { wallet, condition_id }));
  const whole = await ask(PNL, { wallet, event_slug, granularity: 'all' });
  expect(sums(whole, ({ proxy_wallet }) => `${proxy_wallet}`, 'pnl')).toEqual(
    sums(own, ({ proxy_wallet }) => `${proxy_wallet}`, 'pnl'),
  );
  expect(await ask(PNL, { wallet, event_slug: 'no-such-event' })).toEqual([]);
});

it('gives a wallet that is named its place among all, in every order', async () => {
  for (const sort_by of ['pnl', 'roi', 'win_rate', 'volume', 'trades', 'sharpe']) {
    const all = await ask(LEADERBOARD, { sort_by, min_trades: '10', leaderboard_period: '30d' });
    const some = all.filter((_, at) => at % 3 === 1);
    const named = some.map(({ address }) => address).join();
    expect(
      await ask(LEADERBOARD, { sort_by, min_trades: '10', leaderboard_period: '30d', wallet_address: named }),
    ).toEqual(some);
  }
});

it('tells the days of a window, which a redemption that earns nothing does not move, and who is not in it', async () => {
  const day = 86_400;
  const start = 1_767_225_600;
  const bought = (wallet: number, time: number, market = 1) =>
    trade({ wallet, market, side: 0, does: 'BUY', size: 100, price: 0.25, time });
  const records = [bought(1, start), bought(2, start + 20 * day, 2)];
  const late = activity('REDEEM', 1, {
    ...{ conditionId: conditionOf(1), timestamp: start + 60 * day, size: 100, usdcSize: 100 },
  });
  const market = gammaMarket(1, ended(0, '2026-01-03 00:00:00+00'));
  const other = join(folder, 'late');
  await writeFile(`${other}-markets.json`, JSON.stringify([market, gammaMarket(2)]));
  await writeFile(`${other}-trades.json`, JSON.stringify(records));
  await writeFile(`${other}-activity.json`, JSON.stringify([late]));
  const inputs = ['markets', 'trades', 'activity'].map((name) => `${other}-${name}.json`);
  const { version } = await ingest({ folder: other, inputs });
  const own = await openDuckDbStore(version.database);
  const board = async (leaderboard_period: string) => {
    const { values } = readFilters(LEADERBOARD, { leaderboard_period });
    const page = await answer(own, LEADERBOARD, values, { limit: 10, offset: 0 });
    const places = JSON.parse(page.results.toString()) as Row[];
    const window = JSON.parse(page.window ?? 'null');
    return {
      window,
      places: places.map(({ address }) => address),
      told: Object.keys(JSON.parse(page.completeness ?? '{}')),
    };
  };
  const two = walletOf(2);
  expect(await board('7d')).toEqual({
    window: { first: '2026-01-15', last: '2026-01-21', wallets: 1, others: 1 },
    places: [two],
    told: [two],
  });
  const all = await board('all');
  expect(all).toMatchObject({ window: { first: '2026-01-01', last: '2026-01-21', wallets: 2, others: 0 } });
  expect(all.told).toEqual([walletOf(1), two]);
  own.close();
});

it('is refused of a folder that an earlier release built', async () => {
  const db = await Database.open(join(folder, 'earlier.duckdb'));
  await db.run('CREATE TABLE wallet_market_days (wallet VARCHAR, condition_id VARCHAR, day INTEGER)');
  const earlier = duckDbRows(db);
  for (const [dataset, filters] of [
    [LEADERBOARD, {}],
    [POSITIONS, { wallet: ['0x'] }],
    [PNL, { wallet: ['0x'], category: 'x' }],
  ] as const) {
    const asked = answer(earlier, dataset, filters, { limit: 1, offset: 0 });
    await expect(asked).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('run "oddslab ingest" once more'),
    });
  }
  earlier.close();
});

it.each([['positions, market_sides, leaderboard'], ['leaderboard'], ['market_sides.close_ms']])(
  'a folder without the tables or columns %s refuses them, until the next ingest, even one without new rows',
  async (tables) => {
    const old = join(folder, `old-${tables.length}`);
    await cp(data, old, { recursive: true });
    const { path, manifest } = (await currentVersion(old)) ?? {};
    if (!path || !manifest) throw new Error('There is no version');
    const draft = await draftVersion(old);
    for (const name of ['lab.duckdb', 'markets.bin', 'market-ids.bin', 'lifetimes.bin', 'wallet-days.bin']) {
      await writeFile(join(draft, name), await readFile(join(path, name)));
    }
    const db = await Database.open(join(draft, 'lab.duckdb'));
    for (const lacking of tables.split(', ')) {
      const [table, column] = lacking.split('.');
      await db.run(column ? `ALTER TABLE ${table} DROP COLUMN ${column}` : `DROP TABLE ${table}`);
    }
    await db.run('CHECKPOINT');
    db.close();
    await publishVersion(old, draft, manifest);
    const query = async (dataset: Dataset, filters: object) => {
      const { database } = (await currentVersion(old)) ?? {};
      const opened = await openDuckDbStore(database ?? '');
      const asked = answer(opened, dataset, filters as never, { limit: 1000, offset: 0 });
      return asked.then(({ results }) => results.toString()).finally(() => opened.close());
    };
    const all = [
      [LEADERBOARD, {}],
      [POSITIONS, { wallet: wallets.slice(0, 5) }],
      [PNL, { wallet: wallets.slice(0, 5), by: 'category', granularity: 'all' }],
    ] as const;
    for (const [dataset, filters] of all) {
      await expect(query(dataset, filters)).rejects.toMatchObject({
        status: 404,
        message: expect.stringMatching(/^Dataset \d+ \(.*run "oddslab ingest" once more/),
      });
    }
    const again = inputs.slice(1, 2);
    expect((await ingest({ folder: old, inputs: again })).known).toEqual(again);
    for (const [dataset, filters] of all) {
      const { results } = await answer(store, dataset, filters, { limit: 1000, offset: 0 });
      expect(await query(dataset, filters)).toBe(results.toString());
    }
    const { id } = (await currentVersion(old)) ?? {};
    await ingest({ folder: old, inputs: again });
    expect((await currentVersion(old))?.id).toBe(id);
  },
);

it('answers by market for parts of a list of markets what it answers for the list, but for the buckets that count from its first day', async () => {
  // The client asks so for lists that are longer than a request may hold.
  const ids = [...new Set(sample.trades.map(({ conditionId }) => conditionId))].sort();
  const parts = [ids.slice(0, ids.length >> 1), ids.slice(ids.length >> 1)];
  const asked = async (list: readonly string[], more: Record<string, string>) =>
    ask(PNL, { wallet: wallets.slice(0, 3).join(','), by: 'market', condition_id: list.join(','), ...more });
  const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).sort();
  const agree = async (more: Record<string, string>) => {
    const whole = await asked(ids, more);
    const inParts = await Promise.all(parts.map((part) => asked(part, more)));
    expect(whole.length).toBeGreaterThan(20);
    return JSON.stringify(sorted(inParts.flat())) === JSON.stringify(sorted(whole));
  };
  for (const granularity of ['1d', '1w', '1m', 'all']) expect(await agree({ granularity }), granularity).toBe(true);
  expect(await agree({ granularity: '3d', start_time: '2020-01-01' })).toBe(true);
  expect(await agree({ granularity: '3d' })).toBe(false);
});
