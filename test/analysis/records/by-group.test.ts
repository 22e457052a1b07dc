import { describe, expect, it } from 'vitest';
import { betaPrior } from '../../../src/analysis/beta-prior.js';
import { brierScore } from '../../../src/analysis/brier-score.js';
import { calibration } from '../../../src/analysis/calibration.js';
import { cumulativePnl } from '../../../src/analysis/cumulative-pnl.js';
import { cumulativeRoi } from '../../../src/analysis/cumulative-roi.js';
import { drawdown, drawdowns, recoveryFactor } from '../../../src/analysis/drawdowns.js';
import { favouriteLongshotBias } from '../../../src/analysis/favourite-longshot-bias.js';
import { leaderboard } from '../../../src/analysis/leaderboard.js';
import { logLoss } from '../../../src/analysis/log-loss.js';
import { outcomeShares } from '../../../src/analysis/outcome-shares.js';
import { expectancy, kellyFraction, payoffRatio, profitFactor } from '../../../src/analysis/payoffs.js';
import { roi, roiBy } from '../../../src/analysis/roi.js';
import { rollingWinRate } from '../../../src/analysis/rolling-win-rate.js';
import { streaks } from '../../../src/analysis/streaks.js';
import { trackRecord } from '../../../src/analysis/track-record.js';
import { volume } from '../../../src/analysis/volume.js';
import { volumeDistribution } from '../../../src/analysis/volume-distribution.js';
import { winRate, winRateBy } from '../../../src/analysis/win-rate.js';
import { ColumnError, UsageError } from '../../../src/base/errors.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { recordsOf } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { setProvenance } from '../../../src/frame/tabular/provenance.js';
import { filterRows } from '../../../src/frame/verbs/filter-rows.js';

// A linear congruential generator: the same numbers in every run.
let state = 5;
const random = () => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return state / 2 ** 31;
};
const list = <Value>(make: (at: number) => Value) => Array.from({ length: 120 }, (_, at) => make(at));
const FRAME = new DataFrame({
  date: list((at) => new Date(Date.UTC(2026, 0, 1 + Math.floor(at / 3))).toISOString().slice(0, 10)),
  proxy_wallet: list((at) => `w${at % 3}`),
  category: list(() => (random() < 0.4 ? 'sports' : 'politics')),
  pnl: list(() => Math.round((random() - 0.45) * 2000) / 100),
  invested: list(() => Math.round(random() * 5000) / 100),
  wins: list(() => Math.floor(random() * 4)),
  losses: list(() => Math.floor(random() * 4)),
  probability: list(() => Math.round(random() * 100) / 100),
  outcome: list(() => Math.round(random())),
  volume_total: list(() => Math.round(random() * 1e6) / 100),
  closed: list(() => true),
  side_a_outcome: list(() => 'Yes'),
  side_b_outcome: list(() => 'No'),
  winning_outcome: list(() => (random() < 0.6 ? 'No' : 'Yes')),
});
type Frame = typeof FRAME;
const rowsOf = (wallet: unknown, category: unknown) =>
  filterRows(FRAME, (row) => row.proxy_wallet === wallet && row.category === category);
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe('a measure by group', () => {
  const by = ['proxy_wallet', 'category'] as const;
  it.each<[string, (frame: Frame) => object, object]>([
    ['profitFactor', profitFactor, profitFactor(FRAME, { by })],
    ['payoffRatio', payoffRatio, payoffRatio(FRAME, { by })],
    ['expectancy', expectancy, expectancy(FRAME, { by })],
    ['kellyFraction', kellyFraction, kellyFraction(FRAME, { by })],
    ['drawdown', drawdown, drawdown(FRAME, { by })],
    ['recoveryFactor', recoveryFactor, recoveryFactor(FRAME, { by })],
    ['brierScore', (frame) => brierScore(frame), brierScore(FRAME, { by })],
    ['logLoss', (frame) => logLoss(frame), logLoss(FRAME, { by })],
  ])('%s is that of the rows of the group alone', (_, measure, table) => {
    const rows = recordsOf(table as DataFrame) as Record<string, unknown>[];
    expect(rows).toHaveLength(6);
    for (const { proxy_wallet, category, note, ...figures } of rows) {
      expect(note).toBeNull();
      const alone = Object.entries(measure(rowsOf(proxy_wallet, category) as Frame));
      expect(figures).toEqual(Object.fromEntries(alone.map(([name, value]) => [snake(name), value])));
    }
    const [first] = Object.keys(rows[0] ?? {}).slice(2);
    const ranked = rows.map((row) => row[first as string] as number);
    expect(ranked).toEqual(ranked.toSorted((a, b) => b - a));
    const described = columnsOf(table as DataFrame).slice(2);
    expect(described.every(({ meaning }) => meaning.length > 8)).toBe(true);
  });

  it('of streaks has lengths and dates', () => {
    const [row] = recordsOf(streaks(FRAME, { by: 'category' })).filter(({ category }) => category === 'sports');
    const { longestWinning, current } = streaks(filterRows(FRAME, ({ category }) => category === 'sports'));
    expect(row).toMatchObject({ winning: longestWinning.length, winning_to: longestWinning.to });
    expect(row).toMatchObject({ current: current?.length, current_result: current?.result });
  });

  it.each<[string, (frame: Frame) => DataFrame, DataFrame]>([
    ['drawdowns', (frame) => drawdowns(frame), drawdowns(FRAME, { by })],
    ['calibration', (frame) => calibration(frame, { bins: 3 }), calibration(FRAME, { by, bins: 3 })],
    [
      'favouriteLongshotBias',
      (frame) => favouriteLongshotBias(frame, { bins: 3 }),
      favouriteLongshotBias(FRAME, { by, bins: 3 }),
    ],
    ['outcomeShares', (frame) => outcomeShares(frame), outcomeShares(FRAME, { by })],
    ['volumeDistribution', (frame) => volumeDistribution(frame), volumeDistribution(FRAME, { by })],
    ['cumulativePnl', (frame) => cumulativePnl(frame), cumulativePnl(FRAME, { by })],
    ['cumulativeRoi', (frame) => cumulativeRoi(frame), cumulativeRoi(FRAME, { by })],
    ['rollingWinRate', (frame) => rollingWinRate(frame, { window: 9 }), rollingWinRate(FRAME, { by, window: 9 })],
  ])('%s is the tables of the groups, one below the other', (_, measure, table) => {
    const keys = ['w0', 'w1', 'w2'].flatMap((wallet) => ['politics', 'sports'].map((category) => [wallet, category]));
    const expected = keys.flatMap(([proxy_wallet, category]) =>
      recordsOf(measure(rowsOf(proxy_wallet, category) as Frame)).map((row) => ({ proxy_wallet, category, ...row })),
    );
    // Sums of other groups do not round differently: each is added up by itself.
    expect(JSON.stringify(recordsOf(table))).toBe(JSON.stringify(expected));
  });

  it('may be by several columns everywhere', () => {
    for (const table of [winRateBy(FRAME, { by }), winRate(FRAME, { by })])
      for (const { proxy_wallet, category, ...row } of recordsOf(table)) {
        const { confidence: _, ...alone } = winRate(rowsOf(proxy_wallet, category));
        expect(row).toEqual({ ...alone, note: null });
      }
    for (const { proxy_wallet, category, ...row } of recordsOf(roi(FRAME, { by })))
      expect(row.roi).toBeCloseTo(roi(rowsOf(proxy_wallet, category)).roi, 12);
    expect(recordsOf(roiBy(FRAME, { by }))).toEqual(recordsOf(roi(FRAME, { by })));
    expect(recordsOf(trackRecord(FRAME, { by })).map(({ pnl }) => pnl)).toHaveLength(6);
    expect(leaderboard(FRAME, { by }).columns.slice(0, 3)).toEqual(['rank', 'proxy_wallet', 'category']);
    expect(betaPrior(FRAME, { by }).alpha).toBeGreaterThan(0);
    const volumes = recordsOf(volume(FRAME, { by: ['month', 'category'], date: 'date' }));
    expect(volumes.map(({ date, category }) => [date, category])).toEqual([
      ['2026-01-01T00:00:00Z', 'politics'],
      ['2026-01-01T00:00:00Z', 'sports'],
      ['2026-02-01T00:00:00Z', 'politics'],
      ['2026-02-01T00:00:00Z', 'sports'],
    ]);
  });

  it('by weekday and month is in the order of time, from Monday', () => {
    const rows = recordsOf(roi(FRAME, { by: 'weekday' }));
    expect(rows.map(({ weekday }) => weekday.slice(0, 3)).join()).toBe('Mon,Tue,Wed,Thu,Fri,Sat,Sun');
    for (const { weekday, pnl } of rows) {
      const own = recordsOf(FRAME).filter(
        ({ date }) => new Date(date).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' }) === weekday,
      );
      expect(pnl).toBeCloseTo(
        own.reduce((sum, row) => sum + row.pnl, 0),
        9,
      );
    }
    const both = recordsOf(profitFactor(FRAME, { by: ['month', 'weekday'] }));
    expect(both.map(({ date, weekday }) => `${date.slice(5, 7)} ${weekday}`).slice(6, 9)).toEqual([
      '01 Sunday',
      '02 Monday',
      '02 Tuesday',
    ]);
    expect(() => roi(FRAME, { by: 'hour' })).toThrow(
      new ColumnError(
        'The column "date" holds days alone, so that every row would be of hour 0: hours are known of trades (pnlBy).',
      ),
    );
    const timed = new DataFrame({
      date: ['1969-12-31T23:59:59Z', '2026-01-04T05:00:00Z'],
      pnl: [1, 2],
      invested: [1, 1],
    });
    expect(recordsOf(roi(timed, { by: ['hour', 'weekday'] })).map(({ hour, weekday }) => [hour, weekday])).toEqual([
      [5, 'Sunday'],
      [23, 'Wednesday'],
    ]);
  });

  it('says what the record of a wallet lacks', () => {
    const frame = FRAME.copy();
    const completeness = { w1: { seen: false } } as never;
    const source = { service: 'http://x', dataset: 569, params: {}, queriedAt: '2026-01-01T00:00:00Z', records: 2 };
    setProvenance(frame, [{ ...source, completeness }]);
    const notes = recordsOf(profitFactor(frame, { by: 'proxy_wallet' })).map(({ proxy_wallet, note }) => [
      proxy_wallet,
      note === null,
    ]);
    expect(new Map(notes as [string, boolean][])).toEqual(
      new Map([
        ['w0', true],
        ['w1', false],
        ['w2', true],
      ]),
    );
    expect(profitFactor(frame, { by: 'category' }).columns).not.toContain('note');
  });

  it('is refused where by is no name, or one of the result', () => {
    for (const measure of [winRate, roi, profitFactor, drawdown, streaks, brierScore] as unknown as ((
      frame: Frame,
      options: object,
    ) => unknown)[]) {
      for (const wrong of [[], 5, null, ['category', 5], {}])
        expect(() => measure(FRAME, { by: wrong }), String(wrong)).toThrow(
          /^by( of \w+)? must be the name of a column/,
        );
      expect(() => measure(FRAME, { by: 'categry' })).toThrow(/Did you mean "category"/);
      expect(() => measure(FRAME, { by: ['category', 'weekdy'] })).toThrow(/Did you mean "weekday"/);
    }
    expect(() => profitFactor(FRAME, { by: 'won' })).toThrow(UsageError);
    expect(() => cumulativePnl(FRAME, { by: 'month' })).toThrow(
      /cannot group by "month": its result has a column for dates/,
    );
  });

  it('names a wrong value by its row in the whole frame, and has its columns without a row', () => {
    const wrong = new DataFrame({ proxy_wallet: ['a', 'b', 'b'], pnl: [1, 2, Number.POSITIVE_INFINITY] });
    expect(() => profitFactor(wrong, { by: 'proxy_wallet' })).toThrow(/holds Infinity in row 2/);
    const none = filterRows(FRAME, () => false);
    expect(profitFactor(none, { by: 'category' }).shape).toEqual([0, 4]);
    expect(drawdowns(none, { by: 'category' }).columns).toEqual([
      'category',
      'depth',
      'from',
      'to',
      'recovered',
      'days',
    ]);
  });
});
