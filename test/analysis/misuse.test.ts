import { describe, expect, it } from 'vitest';
import { betaPrior } from '../../src/analysis/beta-prior.js';
import { bootstrapInterval } from '../../src/analysis/bootstrap-interval.js';
import { brierScore } from '../../src/analysis/brier-score.js';
import { calibration } from '../../src/analysis/calibration.js';
import { closingLines, closingLineValue } from '../../src/analysis/closing-line-value.js';
import { concentration, lorenzCurve } from '../../src/analysis/concentration.js';
import { cumulativePnl } from '../../src/analysis/cumulative-pnl.js';
import { cumulativeRoi } from '../../src/analysis/cumulative-roi.js';
import { drawdown, drawdowns, recoveryFactor } from '../../src/analysis/drawdowns.js';
import { exposure } from '../../src/analysis/exposure.js';
import { favouriteLongshotBias } from '../../src/analysis/favourite-longshot-bias.js';
import { halves } from '../../src/analysis/halves.js';
import { holdingTimes } from '../../src/analysis/holding-times.js';
import { leaderboard } from '../../src/analysis/leaderboard.js';
import { logLoss } from '../../src/analysis/log-loss.js';
import { outcomeShares } from '../../src/analysis/outcome-shares.js';
import { expectancy, kellyFraction, payoffRatio, profitFactor } from '../../src/analysis/payoffs.js';
import { pnlBy } from '../../src/analysis/pnl-by.js';
import { calmar, sharpe, sortino } from '../../src/analysis/risk-adjusted-return.js';
import { roi, roiBy } from '../../src/analysis/roi.js';
import { rollingWinRate } from '../../src/analysis/rolling-win-rate.js';
import { streaks } from '../../src/analysis/streaks.js';
import { timeToResolution, turnover } from '../../src/analysis/time-to-resolution.js';
import { trackRecord } from '../../src/analysis/track-record.js';
import { totalVolume, volume } from '../../src/analysis/volume.js';
import { volumeDistribution } from '../../src/analysis/volume-distribution.js';
import { winRate, winRateBy } from '../../src/analysis/win-rate.js';
import { ColumnError, UsageError } from '../../src/base/errors.js';
import { connect } from '../../src/client/connect.js';
import type { Column } from '../../src/contract/definition.js';
import { LIFETIME } from '../../src/contract/lifetime.js';
import { MARKETS } from '../../src/contract/markets.js';
import { PNL } from '../../src/contract/pnl.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { frameFromRecords } from '../../src/frame/decode/frame-from-records.js';
import { readCsv } from '../../src/frame/files/read-csv.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import type { Cell } from '../../src/frame/vector/vector.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';

type Measure = (frame: DataFrame) => unknown;
type ConfidentMeasure = { (frame: DataFrame, options: never): unknown; readonly name: string };
type MeasureWithOptions = (frame: DataFrame, options: never) => unknown;

/** Market records, prices and positions beside trades. */
const [MARKETS_BESIDE, PRICES, POSITIONS] = [
  new DataFrame({ condition_id: ['0x1'], close_date: ['2026-01-01'] }),
  new DataFrame({ condition_id: ['0x1'], outcome: ['Yes'], timestamp: ['2026-01-01'], price: [0.5], size: [1] }),
  new DataFrame({
    proxy_wallet: ['a'],
    condition_id: ['0x1'],
    outcome: ['Yes'],
    realized: [1],
    shares: [0],
    opened: ['2026-01-01T05:00:00Z'],
  }),
];

/** Measures with options, and what each needs of them. */
const WITH_OPTIONS: readonly [MeasureWithOptions, object][] = [
  [betaPrior, {}],
  [brierScore, {}],
  [calibration, {}],
  [calmar, { capital: 100 }],
  [closingLines, { markets: MARKETS_BESIDE, prices: PRICES }],
  [closingLineValue, { markets: MARKETS_BESIDE, prices: PRICES }],
  [concentration, {}],
  [cumulativePnl, {}],
  [cumulativeRoi, {}],
  [drawdown, {}],
  [drawdowns, {}],
  [expectancy, {}],
  [exposure, { markets: MARKETS_BESIDE }],
  [favouriteLongshotBias, {}],
  [halves, {}],
  [holdingTimes, { markets: MARKETS_BESIDE }],
  [kellyFraction, {}],
  [leaderboard, {}],
  [logLoss, {}],
  [lorenzCurve, {}],
  [outcomeShares, {}],
  [payoffRatio, {}],
  [pnlBy, { by: 'hour', positions: POSITIONS }],
  [profitFactor, {}],
  [recoveryFactor, {}],
  [roi, {}],
  [roiBy, {}],
  [rollingWinRate, { window: 3 }],
  [sharpe, { capital: 100 }],
  [sortino, { capital: 100 }],
  [streaks, {}],
  [trackRecord, {}],
  [volume, {}],
  [volumeDistribution, {}],
  [winRate, {}],
  [winRateBy, {}],
  [(frame, options) => bootstrapInterval(frame, () => 0, options), {}],
];

const OF_MONEY: readonly Measure[] = [
  drawdown,
  drawdowns,
  expectancy,
  kellyFraction,
  payoffRatio,
  profitFactor,
  recoveryFactor,
  roi,
  streaks,
  (frame) => calmar(frame, { capital: 100 }),
  (frame) => cumulativePnl(frame),
  (frame) => cumulativePnl(frame, { by: 'proxy_wallet' }),
  (frame) => cumulativeRoi(frame),
  (frame) => leaderboard(frame),
  (frame) => roiBy(frame, { by: 'proxy_wallet' }),
  (frame) => sharpe(frame, { capital: 100 }),
  (frame) => trackRecord(frame),
  (frame) => halves(frame),
  ...(
    [
      drawdown,
      drawdowns,
      expectancy,
      kellyFraction,
      payoffRatio,
      profitFactor,
      recoveryFactor,
      roi,
      streaks,
    ] as MeasureWithOptions[]
  ).map(
    (measure): Measure =>
      (frame) =>
        measure(frame, { by: 'proxy_wallet' } as never),
  ),
  (frame) => sortino(frame, { capital: 100, by: ['proxy_wallet', 'weekday'] }),
];

const ALL: readonly Measure[] = [
  ...WITH_OPTIONS.map(
    ([measure, needed]): Measure =>
      (frame) =>
        measure(frame, needed as never),
  ),
  ...OF_MONEY,
  ...[timeToResolution, totalVolume, turnover, volumeDistribution],
];

const NUMBERS = { pnl: [5, -3], invested: [10, 10], wins: [2, 0], losses: [1, 1] };

function frameWith(numbers: Partial<typeof NUMBERS>): DataFrame {
  return new DataFrame({ date: ['2026-01-01', '2026-01-02'], proxy_wallet: ['a', 'b'], ...NUMBERS, ...numbers });
}

it.each(WITH_OPTIONS)('%o refuses an option that it does not have', (measure, needed) => {
  const options = { ...needed, windw: 'x' } as never;
  expect(() => measure(frameWith({}), options)).toThrow(UsageError);
  expect(() => measure(frameWith({}), options)).toThrow(/"windw" is no option of /);
});

it.each(WITH_OPTIONS)('%o refuses options that are no object', (measure, needed) => {
  for (const options of [[], 'month', 5])
    expect(() => measure(frameWith({}), options as never)).toThrow(
      /^The options of \w+ must be an object that names them/,
    );
  expect(() => measure(frameWith({}), null as never)).toThrow(UsageError);
  // The default, or what it needs: nothing raw.
  if (Object.keys(needed).length > 0) expect(() => measure(frameWith({}), undefined as never)).toThrow(UsageError);
});

it.each(['0.9', null, Number.NaN, 0, 1, true])('a confidence of %j is refused', (confidence) => {
  const options = { confidence } as never;
  for (const measure of [
    leaderboard,
    trackRecord,
    winRate,
    winRateBy,
    halves,
    outcomeShares,
    closingLineValue,
  ] as ConfidentMeasure[])
    expect(() => measure(frameWith({}), options), measure.name).toThrow(/^confidence must be a number between 0 and 1/);
});

it.each<[string, (text: never) => unknown]>([
  ['capital', (capital) => sharpe(frameWith({}), { capital })],
  ['capital', (capital) => sortino(frameWith({}), { capital })],
  ['capital', (capital) => calmar(frameWith({}), { capital, by: 'proxy_wallet' })],
  ['bins', (bins) => calibration(new DataFrame({ probability: [0.5], outcome: [1] }), { bins })],
  ['bands', (bands) => pnlBy(frameWith({}), { by: 'price', positions: POSITIONS, bands })],
  ['clip', (clip) => logLoss(frameWith({}), { clip })],
  ['confidence', (confidence) => winRate(frameWith({}), { confidence })],
  [
    'hoursBefore',
    (hoursBefore) => closingLineValue(frameWith({}), { markets: MARKETS_BESIDE, prices: PRICES, hoursBefore }),
  ],
  ['minDecided', (minDecided) => halves(frameWith({}), { minDecided })],
  ['minDecided', (minDecided) => trackRecord(frameWith({}), { minDecided })],
  ['samples', (samples) => bootstrapInterval(frameWith({}), 'pnl', { samples })],
  ['seed', (seed) => bootstrapInterval(frameWith({}), 'pnl', { seed })],
  ['window', (window) => rollingWinRate(frameWith({}), { window })],
])('%s that is a text is called one, although it reads like a number', (name, measure) => {
  expect(() => measure('1000' as never)).toThrow(new RegExp(`${name}.* got the text "1000"\\.$`));
  expect(() => measure([7] as never), 'no number of a list').toThrow(/ got a list\.$/);
});

it('options that are undefined are the default ones', () => {
  expect(winRate(frameWith({}), undefined)).toEqual(winRate(frameWith({}), {}));
  expect(winRate(frameWith({}), { confidence: undefined } as object)).toEqual(winRate(frameWith({})));
});

describe('what is no frame', () => {
  const query = connect({ baseUrl: 'http://localhost:1' }).lifetime({ wallet: `0x${'5'.repeat(40)}` });
  it.each<[string, unknown, RegExp]>([
    ['a forgotten await', Promise.resolve(frameWith({})), /got a Promise.*: await it/],
    ['a forgotten .frame()', query, /got a query.*ask it for \.frame\(\)/],
    ['an array of records', [{ pnl: 5 }], /frameFromRecords\(\[\], records\) makes a frame/],
    ['another object', {}, /got an object without columns/],
    ['nothing', undefined, /got a value of type undefined/],
    ['null', null, /got null/],
  ])('%s is named by every measure', (_, given, message) => {
    for (const measure of ALL) {
      expect(() => measure(given as never), measure.name).toThrow(UsageError);
      expect(() => measure(given as never), measure.name).toThrow(message);
    }
  });
});

describe('columns without any value', () => {
  const columns: Column[] = [
    ...new Map(
      [...PNL.columns, ...LIFETIME.columns, ...MARKETS.columns].map((column): [string, Column] => [
        column.name,
        column,
      ]),
    ).values(),
    { name: 'probability', dtype: 'float64', nullable: true, meaning: '' },
    { name: 'outcome', dtype: 'boolean', nullable: true, meaning: '' },
    ...['price', 'size', 'realized', 'shares'].map(
      (name): Column => ({ name, dtype: 'float64', nullable: true, meaning: '' }),
    ),
    ...['side', 'timestamp', 'opened'].map((name): Column => ({ name, dtype: 'string', nullable: true, meaning: '' })),
  ];
  const names = columns.map(({ name }) => name);
  const bare = (...cells: Cell[]) => new DataFrame(Object.fromEntries(names.map((name) => [name, cells])));
  const csv = async (rows: string) =>
    readCsv(await put(await temporaryFolder(), 'blank.csv', `${names.join(',')}\n${rows}`));
  const answerOf = (measure: Measure, frame: DataFrame) => {
    try {
      const answer = measure(frame);
      return answer instanceof DataFrame ? recordsOf(answer) : answer;
    } catch (error) {
      return error;
    }
  };

  it('are of the kind that a measure needs where there is no row', async () => {
    const header = await csv('');
    for (const measure of ALL) {
      const empty = answerOf(measure, frameFromRecords(columns, []));
      expect(empty, String(measure)).not.toBeInstanceOf(Error);
      for (const frame of [bare(), header]) expect(answerOf(measure, frame), String(measure)).toEqual(empty);
    }
  });

  it('are of the kind that a measure needs where there are rows', async () => {
    const cells = await csv(`${','.repeat(names.length - 1)}\n`);
    for (const frame of [cells, bare(null), bare(Number.NaN)]) {
      for (const measure of ALL)
        expect(String(answerOf(measure, frame)), String(measure)).not.toMatch(/holds (?:text|numbers|booleans)/);
    }
    expect(winRate(cells)).toMatchObject({ rate: Number.NaN, decided: 0 });
    expect(drawdown(cells).depth).toBeNaN();
    expect(timeToResolution(bare(null)).shape[0]).toBe(1);
    expect(recordsOf(outcomeShares(bare(null)))).toEqual(recordsOf(outcomeShares(cells)));
  });
});

describe('what is infinite', () => {
  it.each([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('is refused as profit and loss: %d', (value) => {
    const frame = frameWith({ pnl: [5, value] });
    for (const measure of OF_MONEY) {
      expect(() => measure(frame), String(measure)).toThrow(
        new ColumnError(`The column "pnl" holds ${value} in row 1, counted from 0, but it must not be infinite.`),
      );
    }
  });

  it('is refused as a count or as what was invested', () => {
    const message = /holds Infinity in row 1, counted from 0, but it must not be infinite/;
    expect(() => winRate(frameWith({ wins: [1, Number.POSITIVE_INFINITY] }))).toThrow(message);
    expect(() => winRateBy(frameWith({ losses: [1, Number.POSITIVE_INFINITY] }))).toThrow(message);
    expect(() => roi(frameWith({ invested: [1, Number.POSITIVE_INFINITY] }))).toThrow(message);
  });

  it('is left out with its row where another number is missing', () => {
    expect(roi(frameWith({ pnl: [5, Number.POSITIVE_INFINITY], invested: [10, Number.NaN] })).roi).toBe(0.5);
  });
});
