import { expect, it } from 'vitest';
import { drawdown } from '../../src/analysis/drawdowns.js';
import { leaderboard } from '../../src/analysis/leaderboard.js';
import { roi, roiBy } from '../../src/analysis/roi.js';
import { trackRecord } from '../../src/analysis/track-record.js';
import { winRate, winRateBy } from '../../src/analysis/win-rate.js';
import { UsageError } from '../../src/base/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../src/frame/tabular/columns-of.js';
import { setProvenance } from '../../src/frame/tabular/provenance.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import fc from '../support/fast-check.js';

type Row = { wallet: string; day: number; pnl: number; invested: number; wins: number; losses: number };
const dateOf = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().replace('.000', '');
const frameOf = (rows: readonly Row[]) =>
  new DataFrame(
    {
      date: rows.map(({ day }) => dateOf(day)),
      proxy_wallet: rows.map(({ wallet }) => wallet),
      pnl: rows.map(({ pnl }) => pnl),
      invested: rows.map(({ invested }) => invested),
      wins: rows.map(({ wins }) => wins),
      losses: rows.map(({ losses }) => losses),
    },
    { dtypes: ['string', 'string', 'float32', 'float32', 'int32', 'int32'] },
  );
const row = (wallet: string, day: number, pnl: number, counts: Partial<Row> = {}): Row => {
  return { wallet, day, pnl, invested: 10, wins: 0, losses: 0, ...counts };
};
const none = Number.NaN;

it('puts wallets side by side, the most profit first, with what speaks against a row', () => {
  const pnl = frameOf([
    row('calm', 4, 3, { wins: 30, losses: 10 }),
    row('wild', 2, 10, { wins: 2 }),
    row('idle', 0, 0, { invested: 0 }),
    row('wild', 0, -4, { losses: 1 }),
    row('calm', 1, 1),
    row('wild', 3, -1),
  ]);
  const [wild, calm, idle] = recordsOf(trackRecord(pnl));
  const { low, high } = winRate(new DataFrame({ wins: [2], losses: [1] }));
  expect(wild).toEqual({
    proxy_wallet: 'wild',
    decided: 3,
    rate: 2 / 3,
    low,
    high,
    pnl: 5,
    invested: 30,
    roi: 5 / 30,
    max_drawdown: 4,
    active_days: 3,
    first_date: dateOf(0),
    last_date: dateOf(3),
    note: 'only 3 decided: too few to judge the win rate',
  });
  expect(calm).toMatchObject({ proxy_wallet: 'calm', decided: 40, rate: 0.75, max_drawdown: 0, note: null });
  expect(idle).toMatchObject({ rate: none, roi: none, note: 'nothing decided: no win rate; nothing invested: no ROI' });
  expect(recordsOf(trackRecord(pnl, { minDecided: 3 }))[0]?.note).toBe(null);
});

it('says whose profit the data does not cover', () => {
  const pnl = frameOf([row('a', 0, 3, { wins: 40 }), row('b', 0, 2, { wins: 1 }), row('c', 0, 1, { wins: 40 })]);
  const untracked = new DataFrame({
    proxy_wallet: ['b', 'a', 'a', 'z', 'c'],
    untracked_shares: [0.25, 1000, 234.4, 7, none],
  });
  expect(recordsOf(trackRecord(pnl, { untracked })).map(({ note }) => note)).toEqual([
    '1,234 shares left that were not seen to come: the PnL lacks what they made',
    'only 1 decided: too few to judge the win rate; ' +
      '0.25 shares left that were not seen to come: the PnL lacks what they made',
    null,
  ]);
  const inCapitals = frameOf([row('0xAB', 0, 3, { wins: 40 })]);
  const few = new DataFrame({ proxy_wallet: ['0xab', '0xab'], untracked_shares: [2, 1e-9] });
  expect(recordsOf(trackRecord(inCapitals, { untracked: few }))[0]?.note).toMatch(/^2 shares left/);
  expect(recordsOf(trackRecord(inCapitals, { untracked: filterRows(few, [false, true]) }))[0]?.note).toBe(null);
  const unnamed = new DataFrame({ proxy_wallet: ['a'], shares: [1] });
  expect(() => trackRecord(pnl, { untracked: unnamed })).toThrow('untracked_shares');
});

it('says of each wallet what the single measures say of its rows alone', () => {
  const cents = fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 100);
  const rows = fc.record({
    wallet: fc.constantFrom('a', 'b', 'c'),
    day: fc.nat(6),
    pnl: fc.oneof({ weight: 9, arbitrary: cents }, fc.constant(none)),
    invested: fc.oneof({ weight: 9, arbitrary: fc.nat(1e6) }, fc.constant(none)),
    wins: fc.nat(50),
    losses: fc.nat(50),
  });
  fc.assert(
    fc.property(fc.array(rows, { minLength: 1, maxLength: 30 }), (all) => {
      const pnl = frameOf(all);
      const records = recordsOf(trackRecord(pnl));
      expect(new Set(records.map((record) => record.proxy_wallet))).toEqual(new Set(all.map(({ wallet }) => wallet)));
      for (const record of records) {
        const own = filterRows(pnl, (each) => each.proxy_wallet === record.proxy_wallet);
        const { rate, low, high, decided } = winRate(own);
        expect(record).toMatchObject({ rate, low, high, decided });
        const returned = roi(own);
        const gains = all.filter(({ wallet, pnl: gain }) => wallet === record.proxy_wallet && !Number.isNaN(gain));
        expect(record.pnl).toBeCloseTo(
          gains.reduce((total, { pnl: gain }) => total + gain, 0),
          6,
        );
        expect([record.invested, record.roi.toFixed(6)]).toEqual([returned.invested, returned.roi.toFixed(6)]);
        expect(record.max_drawdown.toFixed(6)).toBe(drawdown(own).depth.toFixed(6));
        const days = new Set(all.filter(({ wallet }) => wallet === record.proxy_wallet).map(({ day }) => dateOf(day)));
        const sorted = [...days].sort();
        expect([record.active_days, record.first_date, record.last_date]).toEqual([
          days.size,
          sorted[0],
          sorted.at(-1),
        ]);
      }
    }),
    { numRuns: 50 },
  );
});

it('compares by any column, and has all its columns without a row', () => {
  const named = new DataFrame({ date: ['2026-01-01'], team: ['x'], pnl: [1], invested: [2], wins: [1], losses: [0] });
  expect(recordsOf(trackRecord(named, { by: 'team' }))[0]).toMatchObject({ team: 'x', roi: 0.5, decided: 1 });
  expect(trackRecord(frameOf([])).shape).toEqual([0, 13]);
});

it('names what is wrong', () => {
  const pnl = frameOf([row('a', 0, 1)]);
  expect(() => trackRecord(pnl, { by: 'wallet' })).toThrow(/no column "wallet"/);
  expect(() => trackRecord(frameOf([row('a', 0, 1, { wins: -1 })]))).toThrow(/"wins" holds -1/);
  expect(() => trackRecord(pnl, { minDecided: 0 })).toThrow(UsageError);
  expect(() => trackRecord(pnl, { by: 'pnl' })).toThrow(
    'trackRecord cannot group by "pnl": its result has a column of that name.',
  );
  expect(() => trackRecord(pnl, { mindecided: 5 } as object)).toThrow('Did you mean "minDecided"?');
});

it('a wallet without any PnL has no drawdown, and its columns say that it may be missing', () => {
  const record = trackRecord(frameOf([row('a', 0, none, { wins: 1 }), row('b', 0, 1)]));
  expect(recordsOf(record).map(({ max_drawdown }) => max_drawdown)).toEqual([0, none]);
  expect(columnsOf(record).find(({ name }) => name === 'max_drawdown')?.nullable).toBe(true);
});

it('notes of each wallet what its record lacks, as the service said it; so do leaderboard, winRateBy and roiBy', () => {
  const [whole, faulty] = [`0x${'a1'.repeat(20)}`, `0x${'B2'.repeat(20)}`];
  const pnl = frameOf([row(whole, 0, 3, { wins: 40 }), row(faulty, 0, 2, { wins: 40 })]);
  const completeness = {
    [whole]: { seen: true, income: 5, fetched: true },
    [faulty.toLowerCase()]: { seen: true, untracked_shares: 5, feeless_fills: 3, fills: 42 },
  };
  const query = { service: '', dataset: 569, params: {}, queriedAt: '2026-01-01T00:00:00Z', records: 2 };
  setProvenance(pnl, [{ ...query, completeness }]);
  const lacks = ['5 shares left that were never seen to come', '3 of 42 fills without fees'];
  const notesOf = (records: readonly object[]) =>
    Object.fromEntries(records.map((each) => [Reflect.get(each, 'proxy_wallet'), Reflect.get(each, 'note')]));
  const noted = `incomplete record, which the PnL depends on: ${lacks.join(', ')}`;
  expect(notesOf(recordsOf(trackRecord(pnl)))).toEqual({ [whole]: null, [faulty]: noted });
  const untracked = new DataFrame({ proxy_wallet: [faulty], untracked_shares: [5] });
  expect(notesOf(recordsOf(trackRecord(pnl, { untracked })))).toEqual({ [whole]: null, [faulty]: noted });
  expect(notesOf(recordsOf(leaderboard(pnl)))).toEqual({ [whole]: null, [faulty]: lacks.join('; ') });
  for (const measure of [winRateBy, roiBy]) {
    expect(notesOf(recordsOf(measure(pnl, { by: 'proxy_wallet' })))).toEqual({
      [whole]: null,
      [faulty]: lacks.join('; '),
    });
    expect(measure(pnl, { by: 'day' }).columns).not.toContain('note');
  }
  expect(recordsOf(leaderboard(pnl, { by: 'day' })).map(({ note }) => note)).toEqual([null]);
});
