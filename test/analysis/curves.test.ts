import { describe, expect, it } from 'vitest';
import { cumulativePnl } from '../../src/analysis/cumulative-pnl.js';
import { cumulativeRoi } from '../../src/analysis/cumulative-roi.js';
import { drawdown, drawdowns, recoveryFactor } from '../../src/analysis/drawdowns.js';
import { roi } from '../../src/analysis/roi.js';
import { rollingWinRate } from '../../src/analysis/rolling-win-rate.js';
import { streaks } from '../../src/analysis/streaks.js';
import { winRate } from '../../src/analysis/win-rate.js';
import { ColumnError, UsageError } from '../../src/base/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { column, recordsOf } from '../../src/frame/tabular/column-values.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import fc from '../support/fast-check.js';
import { recordsAsked } from '../support/records-asked.js';

const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().replace('.000', '');
const series = (...pnl: number[]) => new DataFrame({ date: pnl.map((_, at) => day(at)), pnl });
const nothing = new DataFrame([], { columns: ['date', 'pnl'], dtypes: ['string', 'float32'] });

interface Row {
  at: number;
  wallet: string;
  pnl: number;
  invested: number;
  wins: number;
  losses: number;
}

const row = fc.record({
  at: fc.nat(20),
  wallet: fc.constantFrom('a', 'b', 'c'),
  pnl: fc.integer({ min: -100, max: 100 }),
  invested: fc.nat(100),
  wins: fc.nat(5),
  losses: fc.nat(5),
});
const rows = fc.array(row, { minLength: 1, maxLength: 40 });

const frameOf = (some: readonly Row[]) =>
  new DataFrame({
    date: some.map(({ at }) => day(at)),
    proxy_wallet: some.map(({ wallet }) => wallet),
    pnl: some.map(({ pnl }) => pnl),
    invested: some.map(({ invested }) => invested),
    wins: some.map(({ wins }) => wins),
    losses: some.map(({ losses }) => losses),
  });

const onlyOf = (some: readonly Row[], wallet: string) => frameOf(some.filter((other) => other.wallet === wallet));

describe('drawdowns', () => {
  it('are every fall, the deepest first', () => {
    // Curve 10, 6, 12, 2, 5, 12, 11: down 4 from day 0, 10 from day 2, and 1 from day 5, not made good.
    expect(recordsOf(drawdowns(series(10, -4, 6, -10, 3, 7, -1)))).toEqual([
      { depth: 10, from: day(2), to: day(3), recovered: day(5), days: 3 },
      { depth: 4, from: day(0), to: day(1), recovered: day(2), days: 2 },
      { depth: 1, from: day(5), to: day(6), recovered: null, days: 1 },
    ]);
  });

  it('count the starting 0, and are none without a fall or rows', () => {
    expect(recordsOf(drawdowns(series(-3, 1, 2)))).toEqual([
      { depth: 3, from: null, to: day(0), recovered: day(2), days: 2 },
    ]);
    expect([drawdowns(series(1, 0, 2)).shape[0], drawdowns(nothing).shape[0]]).toEqual([0, 0]);
  });

  it('begin with the maximum drawdown, and agree with the curve', () => {
    fc.assert(
      fc.property(rows, (some) => {
        const frame = frameOf(some);
        const all = recordsOf(drawdowns(frame));
        const { depth, from, to, recovered } = drawdown(frame);
        expect(all[0]?.depth ?? 0).toBe(depth);
        if (all[0]) expect([all[0].from, all[0].to, all[0].recovered]).toEqual([from, to, recovered]);
        const below = column(cumulativePnl(frame), 'drawdown').filter((dollars) => dollars > 0);
        expect(Math.max(0, ...below)).toBe(depth);
        expect(below.length >= all.length).toBe(true);
      }),
    );
  });
});

describe('recoveryFactor', () => {
  it('is net profit over the deepest fall', () => {
    expect(recoveryFactor(series(10, -4, 6, -10, 3, 7))).toEqual({ recoveryFactor: 1.2, pnl: 12, drawdown: 10 });
    expect(recoveryFactor(series(-2, -2)).recoveryFactor).toBe(-1);
    expect(recoveryFactor(series(1, 2)).recoveryFactor).toBeNaN();
    expect(recoveryFactor(nothing)).toEqual({ recoveryFactor: Number.NaN, pnl: 0, drawdown: drawdown(nothing).depth });
  });
});

describe('cumulativePnl', () => {
  it('of each wallet is that of its rows alone', () => {
    fc.assert(
      fc.property(rows, (some) => {
        const apart = recordsOf(cumulativePnl(frameOf(some), { by: 'proxy_wallet' }));
        const alone = ['a', 'b', 'c'].flatMap((wallet) => {
          const own = some.filter((other) => other.wallet === wallet);
          return own.length === 0
            ? []
            : recordsOf(cumulativePnl(frameOf(own))).map((point) => ({ proxy_wallet: wallet, ...point }));
        });
        expect(apart).toEqual(alone);
      }),
    );
  });

  it('passes over dates that no row of a filtered frame has', () => {
    const kept = filterRows(series(1, 2, 3), ({ pnl }: Record<string, unknown>) => pnl !== 2);
    expect(recordsOf(cumulativePnl(kept)).map(({ date }) => date)).toEqual([day(0), day(2)]);
  });
});

describe('cumulativeRoi', () => {
  it('is the return so far, and ends at that of all', () => {
    const frame = new DataFrame({ date: [day(0), day(1), day(2)], pnl: [0, 10, -5], invested: [0, 100, 100] });
    expect(recordsOf(cumulativeRoi(frame))).toEqual([
      { date: day(0), roi: Number.NaN, pnl: 0, invested: 0 },
      { date: day(1), roi: 0.1, pnl: 10, invested: 100 },
      { date: day(2), roi: 0.025, pnl: 5, invested: 200 },
    ]);
    fc.assert(
      fc.property(rows, (some) => {
        const last = recordsOf(cumulativeRoi(frameOf(some))).at(-1);
        expect(last).toMatchObject({ ...roi(frameOf(some)) });
        for (const wallet of new Set(some.map(({ wallet: other }) => other))) {
          const apart = recordsOf(cumulativeRoi(frameOf(some), { by: 'proxy_wallet' }));
          const own = apart.filter((point) => point.proxy_wallet === wallet).at(-1);
          expect(own).toMatchObject({ ...roi(onlyOf(some, wallet)) });
        }
      }),
    );
  });

  it('leaves out rows that lack a value', () => {
    const frame = new DataFrame({ date: [day(0), day(1)], pnl: [1, Number.NaN], invested: [2, 3] });
    expect(recordsOf(cumulativeRoi(frame))).toEqual([{ date: day(0), roi: 0.5, pnl: 1, invested: 2 }]);
  });
});

describe('rollingWinRate', () => {
  it('pools the days of the window', () => {
    const frame = new DataFrame({ date: [day(0), day(1), day(4)], wins: [4, 1, 1], losses: [0, 1, 0] });
    const shown = recordsOf(rollingWinRate(frame, { window: 4 })).map(({ date, rate, decided }) => [
      date,
      rate,
      decided,
    ]);
    expect(shown).toEqual([
      [day(0), 1, 4],
      [day(1), 5 / 6, 6],
      [day(4), 2 / 3, 3],
    ]);
  });

  it('is the win rate of the rows of the window, whoever is kept apart', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 25 }), (some, window) => {
        const inWindow = (end: string, others: readonly Row[]) =>
          others.filter(({ at }) => day(at) <= end && Date.parse(day(at)) > Date.parse(end) - window * 86_400_000);
        for (const point of recordsOf(rollingWinRate(frameOf(some), { window }))) {
          const { date, ...rate } = point;
          expect(winRate(frameOf(inWindow(date, some)))).toEqual({ ...rate, confidence: 0.95 });
        }
        for (const point of recordsOf(rollingWinRate(frameOf(some), { window, by: 'proxy_wallet' }))) {
          const { date, proxy_wallet: wallet, ...rate } = point;
          const own = some.filter((other) => other.wallet === wallet);
          expect(winRate(frameOf(inWindow(date, own)))).toEqual({ ...rate, confidence: 0.95 });
        }
      }),
      { numRuns: 40 },
    );
  });

  it('says what it needs', () => {
    const frame = frameOf([{ at: 0, wallet: 'a', pnl: 0, invested: 0, wins: 1, losses: 0 }]);
    for (const window of [0, 1.5, undefined]) {
      expect(() => rollingWinRate(frame, { window } as never)).toThrow(/window of whole days/);
    }
    expect(() => rollingWinRate(frame, undefined as never)).toThrow(UsageError);
    expect(() => rollingWinRate(frame, { window: 3, by: 'rate' })).toThrow(/cannot group by "rate"/);
    expect(() => rollingWinRate(frame, { window: 3, by: 'walet' })).toThrow(ColumnError);
  });
});

describe('streaks', () => {
  it('are the longest runs and the current one, days without a result passed over', () => {
    // Wins 2, then losses 3 with a 0 within, then wins 2 that go on.
    expect(streaks(series(1, 2, -1, -1, 0, -1, 4, 5))).toEqual({
      longestWinning: { length: 2, from: day(0), to: day(1) },
      longestLosing: { length: 3, from: day(2), to: day(5) },
      current: { result: 'win', length: 2, from: day(6), to: day(7) },
    });
  });

  it('are none without a result', () => {
    const none = { length: 0, from: null, to: null };
    const all = { longestWinning: none, longestLosing: none, current: null };
    expect([streaks(nothing), streaks(series(0, 0))]).toEqual([all, all]);
    expect(Reflect.get(streaks(nothing), Symbol.for('Jupyter.display'))()['text/plain']).toContain(
      'Current run          none',
    );
  });

  it('are as long as in a text of signs, and change places with the sign', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 60 }), (pnl) => {
        const signs = pnl
          .filter((value) => value !== 0)
          .map((value) => (value > 0 ? '+' : '-'))
          .join('');
        const longest = (run: RegExp) => Math.max(0, ...(signs.match(run) ?? []).map((text) => text.length));
        const frame = pnl.length === 0 ? nothing : series(...pnl);
        const { longestWinning, longestLosing, current } = streaks(frame);
        expect([longestWinning.length, longestLosing.length]).toEqual([longest(/\++/g), longest(/-+/g)]);
        expect(current?.length ?? 0).toBe((signs.match(/(\++|-+)$/)?.[0] ?? '').length);
        const turned = streaks(pnl.length === 0 ? nothing : series(...pnl.map((value) => -value)));
        expect(turned.longestLosing).toEqual(longestWinning);
      }),
    );
  });
});

it.each([cumulativePnl, cumulativeRoi, drawdown, drawdowns, recoveryFactor, streaks])(
  '$name refuses records of the whole time, whose dates are no days of profit',
  (measure) => {
    const records = new DataFrame({
      date: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
      proxy_wallet: ['a', 'b'],
      pnl: [1, -2],
      invested: [5, 5],
    });
    for (const options of [{}, { by: 'proxy_wallet' }]) {
      const of = (granularity: string) =>
        (measure as (frame: DataFrame, options: object) => unknown)(recordsAsked({ granularity }, records), options);
      expect(() => of('all')).toThrow(ColumnError);
      expect(() => of('all')).toThrow(/records are of the whole time/);
      expect(() => of('1m')).not.toThrow();
    }
  },
);
