import { describe, expect, it } from 'vitest';
import { exposure } from '../../src/analysis/exposure.js';
import { holdingTimes } from '../../src/analysis/holding-times.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';

const DAY = 86_400_000;
const trade = (wallet: string, market: string, side: string, size: number, price: number, day: number) => ({
  proxy_wallet: wallet,
  condition_id: market,
  outcome: 'Yes',
  category: market === '0x1' ? 'sports' : 'politics',
  side,
  size,
  price,
  timestamp: new Date(Date.UTC(2026, 0, 1) + day * DAY).toISOString(),
});
// $50 from day 0; half of it sold on day 2; the rest until the close on day 5. $30 from day 1 on, held.
const TRADES = new DataFrame([
  trade('a', '0x1', 'SELL', 50, 0.7, 2),
  trade('a', '0x1', 'BUY', 100, 0.5, 0),
  trade('a', '0x2', 'BUY', 100, 0.3, 1),
  trade('b', '0x1', 'BUY', 10, 0.4, 3),
  trade('b', '0x1', 'SELL', 15, 0.6, 10),
]);
const MARKETS = new DataFrame({
  condition_id: ['0x1', '0X2'],
  close_date: ['2026-01-06T00:00:00Z', null],
});

/** The same trades as of a market without a record: no label of the outcome, but its token. */
const unnamed = (rows: readonly ReturnType<typeof trade>[]) =>
  rows.map((row) => ({ ...row, outcome: null, token_id: `${row.condition_id.length}${row.condition_id.slice(2)}` }));
const BARE = [trade('a', '0x1', 'BUY', 100, 0.5, 0), trade('a', '0x1', 'SELL', 100, 0.5, 2)];

it('of a day that ends the time, the midnight with which the next one begins is no part', () => {
  const trades = new DataFrame([trade('a', '0x2', 'BUY', 10, 0.5, 4), trade('a', '0x2', 'BUY', 100, 0.5, 6)]);
  const markets = new DataFrame({ condition_id: ['0x2'], close_date: ['2026-01-07T00:00:00Z'] });
  const until = (to: string) =>
    recordsOf(holdingTimes(trades, { markets, by: 'proxy_wallet', to })).map(({ usd, held, holding_days }) => [
      usd,
      held,
      holding_days,
    ]);
  // The second buy is made, and the market closes, at midnight of 7 January.
  expect(until('2026-01-06')).toEqual([[5, 1, 2]]);
  expect(until('2026-01-07')).toEqual([[55, 0, (5 * 2) / 55]]);
  // A moment belongs to the time that it ends.
  expect(until('2026-01-07T00:00:00Z')).toEqual([[55, 0, (5 * 2) / 55]]);
  expect(exposure(trades, { markets, to: '2026-01-06' })).toMatchObject({ days: 2, peak: 5, dollarDays: 10 });
});

it('names the groups that nobody asked for where labels of outcomes are there in some rows alone', () => {
  const rows = [trade('a', '0x1', 'BUY', 10, 0.5, 0), { ...trade('a', '0x1', 'SELL', 10, 0.6, 1), outcome: null }];
  const trades = new DataFrame(rows.map((row) => ({ ...row, token_id: '7' })) as { size: number }[]);
  expect(() => holdingTimes(trades, { markets: MARKETS })).toThrow(
    'holdingTimes cannot group by "outcome", as it does by default, since it divides positions, such as that of a in ' +
      "token 7 of 0x1: some of its trades lack the label of the outcome. Group by tokens: by: ['proxy_wallet', 'condition_id', " +
      "'token_id'].",
  );
  const by = ['proxy_wallet', 'condition_id', 'token_id'] as const;
  expect(recordsOf(holdingTimes(trades, { markets: MARKETS, by }))).toMatchObject([{ token_id: '7', holding_days: 1 }]);
});

it('what was held on a day does not depend on the end that is asked for', () => {
  // Stated as closed on the 4th, but traded on the 8th: it was open until then.
  const trades = new DataFrame([trade('a', '0x2', 'BUY', 10, 0.5, 0), trade('a', '0x2', 'BUY', 10, 0.5, 7)]);
  const markets = new DataFrame({ condition_id: ['0x2'], close_date: ['2026-01-04T00:00:00Z'] });
  for (const [to, dollarDays] of [
    ['2026-01-06', 30],
    ['2026-01-07', 35],
    ['2026-01-08', 35],
  ] as const)
    expect(exposure(trades, { markets, to })).toMatchObject({ dollarDays });
  expect(recordsOf(holdingTimes(trades, { markets, by: 'proxy_wallet', to: '2026-01-06' }))).toMatchObject([
    { held: 1, holding_days: 6 },
  ]);
});

it('positions are those of tokens, also without a label of the outcome, and trades without both are counted', () => {
  const sameTrades = new DataFrame(unnamed(recordsOf(TRADES) as ReturnType<typeof trade>[]) as { size: number }[]);
  const [named, bare] = [TRADES, sameTrades].map((trades) => ({
    exposed: { ...exposure(trades, { markets: MARKETS }) },
    held: recordsOf(holdingTimes(trades, { markets: MARKETS, by: 'proxy_wallet' })),
  }));
  expect(bare).toEqual(named);
  // Two sides of one market are two positions: what is sold of one is none of the other.
  const [bought, sold] = unnamed(BARE) as [object, object];
  const sides = new DataFrame([bought, { ...sold, token_id: '9' }] as { size: number }[]);
  expect(exposure(sides, { markets: MARKETS })).toMatchObject({ untrackedShares: 100, exposure: 50, leftOut: 0 });
  expect(() => exposure(sides, { markets: MARKETS, by: 'side' })).not.toThrow();
  expect(() => exposure(new DataFrame(unnamed(BARE) as { size: number }[]), { markets: MARKETS, by: 'side' })).toThrow(
    'divides positions, such as that of a in token 31 of 0x1',
  );
  const lost = new DataFrame([...unnamed(BARE), { ...bought, token_id: null }, { ...sold, price: null }] as {
    size: number;
  }[]);
  const result = exposure(lost, { markets: MARKETS });
  expect(result).toMatchObject({ exposure: 50, untrackedShares: 0, leftOut: 2 });
  expect(String(result)).toMatch(/\nLeft out +2 trades without a token and an outcome, or another value$/);
  const [row] = recordsOf(holdingTimes(lost, { markets: MARKETS, by: 'proxy_wallet' }));
  expect(row).toMatchObject({ positions: 1, usd: 50, left_out: 2 });
});

it('the same trades are of one position, whether they say the token, the outcome or both', () => {
  const [bought, sold] = BARE as unknown as [{ size: number }, { size: number }];
  const mixed = new DataFrame([
    { ...bought, token_id: '1' },
    { ...sold, token_id: null, size: 60 },
    { ...sold, token_id: '1', outcome: null, size: 40 },
  ]);
  expect(exposure(mixed, { markets: MARKETS })).toMatchObject({ untrackedShares: 0, timeInMarket: 1, peak: 50 });
});

it('shares that are bought and sold in parts leave no rounding as shares that no trade bought', () => {
  const sizes = [0.1, 0.2, 0.3, 1_234.567891, 0.000001];
  const parts = [
    ...sizes.map((size) => trade('a', '0x1', 'BUY', size, 0.5, 0)),
    ...sizes.toReversed().map((size) => trade('a', '0x1', 'SELL', size, 0.6, 1)),
  ];
  const result = exposure(new DataFrame(parts), { markets: MARKETS });
  expect(result.untrackedShares).toBe(0);
  expect(String(result)).not.toMatch(/Not seen/);
  const more = new DataFrame([...parts, trade('a', '0x1', 'SELL', 500, 0.6, 1)]);
  expect(exposure(more, { markets: MARKETS }).untrackedShares).toBe(500);
  expect(recordsOf(holdingTimes(more, { markets: MARKETS }))[0]?.untracked_shares).toBe(500);
});

describe('holdingTimes', () => {
  it('is the time for which a dollar was held', () => {
    const rows = recordsOf(holdingTimes(TRADES, { markets: MARKETS }));
    expect(
      rows.map(({ proxy_wallet, condition_id, holding_days, held }) => [
        proxy_wallet,
        condition_id,
        holding_days,
        held,
      ]),
    ).toEqual([
      // To the last of the trades, on day 10.
      ['a', '0x2', 9, 1],
      // A market never closes before its last fill, which sold more than there was.
      ['b', '0x1', 7, 0],
      ['a', '0x1', (50 * 2 + 25 * 3) / 50, 0],
    ]);
    expect(rows[1]).toMatchObject({ untracked_shares: 5, last_closed: '2026-01-11T00:00:00Z' });
    expect(rows[2]).toMatchObject({
      first_opened: '2026-01-01T00:00:00Z',
      last_closed: '2026-01-06T00:00:00Z',
      note: null,
    });
    expect(rows[0]?.last_closed).toBeNull();
  });

  it('measures more positions together than a call takes arguments', () => {
    const many = 140_000;
    const of = <Value>(value: Value) => Array<Value>(many).fill(value);
    const trades = new DataFrame({
      proxy_wallet: of('a'),
      condition_id: Array.from({ length: many }, (_, n) => `m${n}`),
      outcome: of('Yes'),
      side: of('BUY'),
      size: of(1),
      price: of(0.5),
      timestamp: of('2026-01-02T00:00:00Z'),
    });
    const markets = new DataFrame({
      condition_id: Array.from({ length: many }, (_, n) => `m${n}`),
      close_date: of('2026-01-06T00:00:00Z'),
    });
    const [row] = recordsOf(holdingTimes(trades, { markets, by: 'proxy_wallet', to: '2026-01-20' }));
    expect(row).toMatchObject({
      positions: many,
      first_opened: '2026-01-02T00:00:00Z',
      last_closed: '2026-01-06T00:00:00Z',
    });
  });

  it('is pooled by group, each dollar once', () => {
    const [politics, sports] = recordsOf(holdingTimes(TRADES, { markets: MARKETS, by: 'category', to: '2026-01-20' }));
    expect(politics).toMatchObject({ category: 'politics', holding_days: 19, median_days: 19, positions: 1, held: 1 });
    expect(sports?.holding_days).toBeCloseTo((50 * 2 + 25 * 3 + 4 * 7) / 54, 12);
    expect(sports?.median_days).toBeCloseTo((3.5 + 7) / 2, 12);
    expect(sports).toMatchObject({ usd: 54, positions: 2, held: 0 });
  });

  it('counts an outcome of a market once, however often it is bought again, and none that was only sold', () => {
    const again = new DataFrame([
      trade('a', '0x1', 'BUY', 10, 0.5, 0),
      trade('a', '0x1', 'SELL', 10, 0.6, 1),
      trade('a', '0x1', 'BUY', 20, 0.4, 2),
      trade('a', '0x1', 'SELL', 20, 0.6, 3),
      trade('a', '0x2', 'SELL', 5, 0.3, 1),
    ]);
    const [row, ...others] = recordsOf(holdingTimes(again, { markets: MARKETS, by: 'proxy_wallet' }));
    expect(row).toMatchObject({ positions: 1, held: 0, usd: 13, untracked_shares: 5 });
    expect(row?.holding_days).toBeCloseTo((5 * 1 + 8 * 1) / 13, 12);
    expect(others).toEqual([]);
  });

  it('refuses what it cannot measure', () => {
    expect(() => holdingTimes(TRADES, {} as never)).toThrow(/holdingTimes needs markets beside the trades/);
    expect(() => holdingTimes(TRADES, { markets: MARKETS, to: 'now' })).toThrow(/to of holdingTimes must be a day/);
  });
});

describe('exposure', () => {
  it('is the cost of what was held, over time', () => {
    const result = exposure(TRADES, { markets: MARKETS });
    const dollarDays = 50 * 2 + 25 * 3 + 30 * 9 + 4 * 7;
    expect(result).toMatchObject({
      days: 10,
      peak: 80,
      peakAt: '2026-01-02T00:00:00Z',
      timeInMarket: 1,
      untrackedShares: 5,
    });
    expect(result.dollarDays).toBeCloseTo(dollarDays, 9);
    expect(result.exposure).toBeCloseTo(dollarDays / 10, 9);
    expect(String(result)).toMatch(
      /^Exposure +\$47\.30 on average, at cost\nPeak +\$80\.00, 2026-01-02\nIn the market +100\.0% of 10\.0 days\nNot seen +5 shares/,
    );
  });

  it('counts what was held when the time began, and days without any', () => {
    const part = exposure(TRADES, { markets: MARKETS, from: '2026-01-03', to: '2026-01-04' });
    // 25 + 30 on both days, 4 more on the second.
    expect(part).toMatchObject({ days: 2, peak: 59, peakAt: '2026-01-04T00:00:00Z' });
    expect(part.dollarDays).toBeCloseTo(55 + 59, 9);
    const before = exposure(TRADES, { markets: MARKETS, from: '2025-12-28', to: '2025-12-31' });
    expect(before).toMatchObject({ exposure: 0, peak: 0, peakAt: null, timeInMarket: 0, days: 4 });
  });

  it('agrees with a loop over days, by group, whatever the times', () => {
    let state = 9;
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31;
    };
    const trades = Array.from({ length: 200 }, () =>
      trade(
        random() < 0.5 ? 'a' : 'b',
        `0x${Math.floor(random() * 6)}`,
        random() < 0.7 ? 'BUY' : 'SELL',
        1 + Math.floor(random() * 50),
        0.01 + Math.floor(random() * 98) / 100,
        Math.floor(random() * 60),
      ),
    );
    const closes = Array.from({ length: 6 }, (_, at) =>
      new Date(Date.UTC(2026, 0, 1) + (30 + 5 * at) * DAY).toISOString(),
    );
    const markets = new DataFrame({ condition_id: closes.map((_, at) => `0x${at}`), close_date: closes });
    const rows = recordsOf(
      exposure(new DataFrame(trades), { markets, by: 'proxy_wallet', from: '2026-01-01', to: '2026-02-28' }),
    );
    for (const { proxy_wallet, exposure: found, peak } of rows) {
      let [total, most] = [0, 0];
      const held = new Map<string, { shares: number; cost: number }>();
      for (let day = 0; day < 59; day += 1) {
        const today = trades.filter(
          (one) => one.proxy_wallet === proxy_wallet && Date.parse(one.timestamp) === Date.UTC(2026, 0, 1 + day),
        );
        for (const { side, condition_id, size, price } of today.toSorted((a, b) =>
          a.side < b.side ? -1 : a.side > b.side ? 1 : 0,
        )) {
          const own = held.get(condition_id) ?? { shares: 0, cost: 0 };
          if (side === 'BUY') held.set(condition_id, { shares: own.shares + size, cost: own.cost + size * price });
          else {
            const part = Math.min(1, size / own.shares) || 0;
            held.set(condition_id, { shares: own.shares * (1 - part), cost: own.cost * (1 - part) });
          }
        }
        for (const [market, { cost }] of held) {
          const last = Math.max(
            ...trades
              .filter((one) => one.proxy_wallet === proxy_wallet && one.condition_id === market)
              .map((one) => Date.parse(one.timestamp)),
          );
          const close = Math.max(last, Date.parse(closes[Number(market.slice(2))] as string));
          if (Date.UTC(2026, 0, 1 + day) >= close) held.delete(market);
          else total += cost;
        }
        most = Math.max(
          most,
          [...held.values()].reduce((sum, { cost }) => sum + cost, 0),
        );
      }
      expect(found).toBeCloseTo(total / 59, 8);
      expect(peak).toBeCloseTo(most, 6);
    }
    expect(rows).toHaveLength(2);
  });

  it('is NaN for no time at all, and refuses what it cannot measure', () => {
    const none = new DataFrame([trade('a', '0x1', 'BUY', 1, 0.5, 0)]);
    expect(exposure(none, { markets: MARKETS })).toMatchObject({ exposure: Number.NaN, days: 0 });
    expect(() => exposure(TRADES, {} as never)).toThrow(/exposure needs markets beside the trades/);
    expect(() => exposure(TRADES, { markets: MARKETS, from: '2026-02-02', to: '2026-01-01' })).toThrow(
      /which is before/,
    );
    expect(() => exposure(TRADES, { markets: MARKETS, from: '2026-01-02', to: '2026-01-01' })).toThrow(
      /which is before/,
    );
    for (const [measure, ask] of Object.entries({ exposure, holdingTimes })) {
      const by = (name: string) => () => ask(TRADES, { markets: MARKETS, by: name });
      for (const period of ['day', 'month', 'weekday', 'hour'])
        expect(by(period)).toThrow(`${measure} cannot group by "${period}", since positions are held on`);
      for (const name of ['side', 'price'])
        expect(by(name)).toThrow(
          `${measure} cannot group by "${name}", since it divides positions, such as that of a in`,
        );
    }
    expect(() => exposure(TRADES, { markets: MARKETS, by: 'month' })).toThrow(/cannot group by "month".*from and to/);
  });
});
