import { describe, expect, it, vi } from 'vitest';
import { pnlBy } from '../../src/analysis/pnl-by.js';
import { formatUsd } from '../../src/analysis/shown-result.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import { withColumns } from '../../src/frame/verbs/with-columns.js';

let state = 3;
const random = () => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return state / 2 ** 31;
};
/** Fills of two wallets in thirty markets; each position bought in three parts, some of it sold, then settled or held. */
const trades: Record<string, string | number>[] = [];
const positions: Record<string, string | number | null>[] = [];
for (let market = 0; market < 30; market += 1) {
  for (const wallet of ['0xaa', '0xbb']) {
    const outcome = random() < 0.5 ? 'Yes' : 'No';
    const shared = { proxy_wallet: wallet, condition_id: `0x${market}`, outcome, category: market % 2 ? 'a' : 'b' };
    let [shares, cost, realized] = [0, 0, 0];
    const fill = (side: string, size: number, price: number, hour: number) =>
      trades.push({
        ...shared,
        side,
        size,
        price,
        usd: size * price,
        timestamp: new Date(Date.UTC(2026, 1, 1 + market, hour)).toISOString(),
      });
    const hours: number[] = [];
    for (let part = 0; part < 3; part += 1) {
      const [size, price] = [1 + Math.floor(random() * 99), Math.round(5 + random() * 90) / 100];
      const hour = Math.floor(random() * 10);
      hours.push(hour);
      fill('BUY', size, price, hour);
      shares += size;
      cost += size * price;
    }
    const [sold, at] = [Math.floor(shares / 3), Math.round(5 + random() * 90) / 100];
    fill('SELL', sold, at, 20);
    realized += sold * at - (cost * sold) / shares;
    cost -= (cost * sold) / shares;
    shares -= sold;
    const isOpen = market % 5 === 0;
    if (!isOpen) {
      realized += (random() < 0.5 ? shares : 0) - cost;
      shares = 0;
    }
    positions.push({
      ...shared,
      realized,
      shares,
      opened: new Date(Date.UTC(2026, 1, 1 + market, Math.min(...hours))).toISOString(),
    });
  }
}
const TRADES = new DataFrame(trades as { proxy_wallet: string; timestamp: string; price: number; size: number }[]);
const POSITIONS = new DataFrame(positions as { realized: number; shares: number }[]);
const all = positions.reduce((sum, { realized }) => sum + Number(realized), 0);

/** What each buy made, from its position's other figures: the money that its shares brought, less what it paid. */
const parts = trades.flatMap((trade) => {
  if (trade.side !== 'BUY') return [];
  const isOwn = (other: Record<string, unknown>) =>
    other.proxy_wallet === trade.proxy_wallet && other.condition_id === trade.condition_id;
  const own = trades.filter((other) => isOwn(other) && other.side === 'BUY');
  const position = positions.find(isOwn) as { realized: number; shares: number };
  const [bought, paid] = [
    own.reduce((sum, { size }) => sum + Number(size), 0),
    own.reduce((sum, { usd }) => sum + Number(usd), 0),
  ];
  const gone = bought - position.shares;
  // A share that left brought so much: its average cost and its part of the profit.
  const brought = position.realized / gone + paid / bought;
  return [
    { ...trade, pnl: (gone / bought) * (Number(trade.size) * brought - Number(trade.usd)) } as typeof trade & {
      pnl: number;
    },
  ];
});

describe('pnlBy', () => {
  it.each<[string, (trade: (typeof parts)[number]) => unknown]>([
    ['hour', ({ timestamp }) => new Date(String(timestamp)).getUTCHours()],
    ['outcome', ({ outcome }) => outcome],
    ['category', ({ category }) => category],
    ['proxy_wallet', ({ proxy_wallet }) => proxy_wallet],
  ])('by %s adds up what each buy made', (by, keyOf) => {
    const rows = recordsOf(pnlBy(TRADES, { by, positions: POSITIONS })) as Record<string, number>[];
    expect(rows.reduce((sum, { pnl = 0 }) => sum + pnl, 0)).toBeCloseTo(all, 8);
    expect(rows.length).toBe(new Set(parts.map(keyOf)).size);
    for (const row of rows) {
      const own = parts.filter((part) => keyOf(part) === row[by]);
      const usd = own.reduce((sum, part) => sum + Number(part.usd), 0);
      expect(row.pnl).toBeCloseTo(
        own.reduce((sum, { pnl }) => sum + pnl, 0),
        8,
      );
      expect(row.usd).toBeCloseTo(usd, 8);
      expect(row.roi).toBeCloseTo((row.pnl as number) / usd, 12);
      expect([row.entries, row.markets]).toEqual([
        own.length,
        new Set(own.map(({ condition_id }) => condition_id)).size,
      ]);
      if ((row.markets as number) >= 5)
        expect((row.low as number) < (row.roi as number) && (row.roi as number) < (row.high as number)).toBe(true);
    }
  });

  it('by hour, weekday and day is in their order, by others in that of profit', () => {
    const keysOf = (by: string) =>
      recordsOf(pnlBy(TRADES, { by, positions: POSITIONS })).map((row) => Reflect.get(row, by));
    expect(keysOf('hour')).toEqual(
      [...new Set(parts.map(({ timestamp }) => new Date(String(timestamp)).getUTCHours()))].sort((a, b) => a - b),
    );
    const week = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
    expect(keysOf('weekday')).toEqual(week);
    const days = recordsOf(pnlBy(TRADES, { by: 'day', positions: POSITIONS })).map(({ date }) => date);
    expect(days).toEqual(days.toSorted());
    const profits = recordsOf(pnlBy(TRADES, { by: 'category', positions: POSITIONS })).map(({ pnl }) => pnl);
    expect(profits).toEqual(profits.toSorted((a, b) => b - a));
  });

  it('by price and size has bands, in order', () => {
    const prices = recordsOf(pnlBy(TRADES, { by: 'price', positions: POSITIONS, bands: 4 }));
    expect(prices.map(({ price_from, price_to }) => [price_from, price_to])).toEqual([
      [0, 0.25],
      [0.25, 0.5],
      [0.5, 0.75],
      [0.75, 1],
    ]);
    for (const { price_from, price_to, entries } of prices)
      expect(entries).toBe(parts.filter(({ price }) => Number(price) >= price_from && Number(price) < price_to).length);
    const sizes = recordsOf(pnlBy(TRADES, { by: 'size', positions: POSITIONS }));
    for (const { usd_from, usd_to, entries } of sizes) {
      expect([2, 2.5]).toContain(usd_to / usd_from);
      expect(entries).toBe(parts.filter(({ usd }) => Number(usd) >= usd_from && Number(usd) < usd_to).length);
    }
    expect(sizes.map(({ usd_from }) => usd_from)).toEqual(
      sizes.map(({ usd_from }) => usd_from).toSorted((a, b) => a - b),
    );
    expect(pnlBy(TRADES, { by: ['price', 'outcome'], positions: POSITIONS }).columns.slice(0, 3)).toEqual([
      'price_from',
      'price_to',
      'outcome',
    ]);
    const edge = new DataFrame([{ ...trades[0], price: 1 - 0.8, timestamp: '2026-01-01T00:00:00Z' }] as {
      price: number;
      timestamp: string;
    }[]);
    expect(recordsOf(pnlBy(edge, { by: 'price', positions: POSITIONS }))[0]?.price_from).toBe(0.2);
  });

  it('gives a share bought low more than one bought high', () => {
    const buy = (price: number, timestamp: string) => ({
      ...trades[0],
      side: 'BUY',
      price,
      size: 100,
      usd: 100 * price,
      timestamp,
    });
    const two = new DataFrame([buy(0.2, '2026-02-01T01:00:00Z'), buy(0.8, '2026-02-01T02:00:00Z')] as {
      price: number;
    }[]);
    const won = new DataFrame([{ ...positions[0], realized: 100, shares: 0 }] as {
      realized: number;
      shares: number;
    }[]);
    expect(
      recordsOf(pnlBy(two, { by: 'hour', positions: won })).map(({ hour, pnl }) => [hour, Math.round(pnl * 1e9) / 1e9]),
    ).toEqual([
      [1, 80],
      [2, 20],
    ]);
  });

  it('keeps results that no buy explains, and leaves out buys without a position', () => {
    const some = filterRows(TRADES, ({ proxy_wallet }) => proxy_wallet === '0xaa');
    const rows = recordsOf(pnlBy(some, { by: 'price', positions: POSITIONS }));
    expect(rows.reduce((sum, { pnl }) => sum + pnl, 0)).toBeCloseTo(all, 8);
    expect(rows.at(-1)).toMatchObject({ price_from: Number.NaN, entries: 0, usd: 0, roi: Number.NaN });
    const others = positions.filter(({ proxy_wallet }) => proxy_wallet === '0xbb');
    const lost = others.reduce((sum, { realized }) => sum + Number(realized), 0);
    for (const by of ['hour', 'weekday', 'day', 'month', 'outcome', 'category', 'proxy_wallet', ['outcome', 'size']]) {
      const own = recordsOf(pnlBy(some, { by: by as 'hour', positions: POSITIONS }));
      expect(own.reduce((sum, { pnl }) => sum + pnl, 0)).toBeCloseTo(all, 8);
      const [key] = Object.values(own.at(-1) as object);
      expect(by === 'hour' ? Number.isNaN(key) : key === null).toBe(true);
      expect(own.at(-1)).toMatchObject({ entries: 0, usd: 0, roi: Number.NaN, low: Number.NaN, markets: 30 });
      expect(own.at(-1)?.pnl).toBeCloseTo(lost, 8);
    }
    const none = pnlBy(TRADES, { by: 'hour', positions: filterRows(POSITIONS, () => false) });
    expect(none.shape[0]).toBe(0);
  });

  it('finds the positions of trades whose market has no record by their tokens', () => {
    const tokenOf = ({ condition_id, outcome }: Record<string, unknown>) => `${condition_id}${outcome}`.slice(2);
    const bare = new DataFrame(trades.map((trade) => ({ ...trade, outcome: null, token_id: tokenOf(trade) })) as never);
    const known = new DataFrame(
      positions.map((position) => ({
        ...position,
        token_id: tokenOf(position),
        outcome: position.outcome === 'Yes' ? 'first' : 'second',
      })) as never,
    );
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    expect(recordsOf(pnlBy(bare, { by: 'hour', positions: known }))).toEqual(
      recordsOf(pnlBy(TRADES, { by: 'hour', positions: POSITIONS })),
    );
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it('warns of buys that no position is of, and counts them', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const of = filterRows(POSITIONS, (row) => Reflect.get(row, 'proxy_wallet') === '0xaa');
    const rows = recordsOf(pnlBy(TRADES, { by: 'proxy_wallet', positions: of }));
    expect(rows.map(({ proxy_wallet, entries }) => [proxy_wallet, entries])).toEqual([['0xaa', 90]]);
    const paid = trades.reduce(
      (sum, { proxy_wallet, side, usd }) => sum + (proxy_wallet === '0xbb' && side === 'BUY' ? Number(usd) : 0),
      0,
    );
    expect(warned.mock.calls).toEqual([
      [
        `pnlBy left out 90 buys of ${formatUsd(paid)}, such as one of 0xbb: none of the positions is theirs. ` +
          'Give those of all wallets and markets of the trades, as lab.positions({ wallet }) does.',
        'OddslabWarning',
      ],
    ]);
    warned.mockRestore();
  });

  it('warns of trades that lack a value by a reason of their own', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const at = trades.findIndex(({ side }) => side === 'BUY');
    const broken = trades.map((trade, row) =>
      row === at ? { ...trade, price: null, usd: 7 } : row === at + 1 ? { ...trade, side: null, usd: 1 } : trade,
    );
    pnlBy(new DataFrame(broken as never), { by: 'hour', positions: POSITIONS });
    expect(warned.mock.calls).toEqual([
      [
        `pnlBy left out 2 trades of $8.00, such as that of row ${at}, counted from 0: a value that is needed is missing: ` +
          'the wallet, the market, the token or outcome, the side, the price, the size or the time.',
        'OddslabWarning',
      ],
    ]);
    warned.mockRestore();
  });

  it('never mixes what a split lost with what a buy made', () => {
    const shared = { proxy_wallet: '0xa', outcome: 'No', opened: '2026-02-01T00:30:00Z', shares: 0 };
    const buy = { ...shared, side: 'BUY', price: 0.4, size: 10, timestamp: '2026-02-01T00:30:00Z' };
    const bought = new DataFrame([
      { ...buy, condition_id: '0x1' },
      { ...buy, condition_id: '0x3' },
    ]);
    const results = new DataFrame([
      { ...shared, condition_id: '0x1', realized: 6 },
      { ...shared, condition_id: '0x2', realized: -50 },
      // Ten shares for $4 cannot lose $30: others came from elsewhere.
      { ...shared, condition_id: '0x3', realized: -30 },
    ]);
    for (const by of ['hour', 'outcome', 'price'] as const)
      expect(
        recordsOf(pnlBy(bought, { by, positions: results })).map(({ pnl, usd, roi, entries, markets }) => [
          ...[pnl, usd, roi, entries, markets],
        ]),
      ).toEqual([
        [6, 4, 1.5, 1, 1],
        [-80, 0, Number.NaN, 0, 2],
      ]);
  });

  it('tells makers from takers where the trades say so, and refuses what it cannot', () => {
    const known = withColumns(TRADES, { role: ({ price }) => (price < 0.5 ? 'maker' : 'taker') });
    expect(
      recordsOf(pnlBy(known, { by: 'role', positions: POSITIONS }))
        .map(({ role }) => role)
        .toSorted(),
    ).toEqual(['maker', 'taker']);
    expect(() => pnlBy(TRADES, { by: 'role', positions: POSITIONS })).toThrow(
      /no column "role", and dataset 556 does not say/,
    );
    expect(() => pnlBy(TRADES, { by: 'zzz', positions: POSITIONS })).toThrow(
      'The frame has no column "zzz". pnlBy groups by its columns, proxy_wallet, condition_id, outcome, category, side, ' +
        'size, price, usd, timestamp, or by day, week, month, hour, weekday.',
    );
    expect(() => pnlBy(TRADES, { by: ['hour', 'entry pnl'], positions: POSITIONS })).toThrow(/no column "entry pnl"/);
    expect(() => pnlBy(TRADES, { by: 'side', positions: POSITIONS })).toThrow(/entries, which are all buys/);
    expect(() => pnlBy(TRADES, { by: 'hour' } as never)).toThrow(/pnlBy needs positions beside the trades/);
    expect(() => pnlBy(TRADES, { positions: POSITIONS } as never)).toThrow(/pnlBy needs groups/);
    expect(() => pnlBy(TRADES, { by: 'price', positions: POSITIONS, bands: 0 })).toThrow(/bands of pnlBy/);
    expect(() => pnlBy(POSITIONS, { by: 'hour', positions: POSITIONS })).toThrow(/no column "price"/);
  });
});

it('leaves a result to what no buy explains where the position was opened before its first buy', () => {
  const buy = { proxy_wallet: '0xa', condition_id: '0x1', outcome: 'Yes', side: 'BUY', price: 0.5, size: 10 };
  const position = { proxy_wallet: '0xa', condition_id: '0x1', outcome: 'Yes', realized: 4, shares: 0 };
  const of = (timestamp: string, opened: string | null, proxy_wallet = '0xa') =>
    recordsOf(
      pnlBy(new DataFrame([{ ...buy, timestamp }]), {
        by: 'outcome',
        positions: new DataFrame({
          ...Object.fromEntries(Object.entries({ ...position, proxy_wallet }).map(([name, value]) => [name, [value]])),
          opened: [opened],
        } as never),
      }),
    ).map(({ outcome, pnl, entries }) => [outcome, pnl, entries]);
  expect(of('2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z')).toEqual([['Yes', 4, 1]]);
  expect(of('2026-03-01T00:00:00Z', null)).toEqual([['Yes', 4, 1]]);
  expect(of('2026-03-01T00:00:00Z', '2026-02-01T00:00:00Z')).toEqual([[null, 4, 0]]);
  expect(() => of('2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z', '0xb')).toThrow(/positions of other wallets/);
});
