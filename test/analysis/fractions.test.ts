import { expect, it } from 'vitest';
import { brierScore } from '../../src/analysis/brier-score.js';
import { calibration } from '../../src/analysis/calibration.js';
import { closingLineValue } from '../../src/analysis/closing-line-value.js';
import { cumulativeRoi } from '../../src/analysis/cumulative-roi.js';
import { exposure } from '../../src/analysis/exposure.js';
import { favouriteLongshotBias } from '../../src/analysis/favourite-longshot-bias.js';
import { halves } from '../../src/analysis/halves.js';
import { leaderboard } from '../../src/analysis/leaderboard.js';
import { expectancy, kellyFraction, payoffRatio, profitFactor } from '../../src/analysis/payoffs.js';
import { pnlBy } from '../../src/analysis/pnl-by.js';
import { calmar, sharpe, sortino } from '../../src/analysis/risk-adjusted-return.js';
import { roiBy } from '../../src/analysis/roi.js';
import { rollingWinRate } from '../../src/analysis/rolling-win-rate.js';
import { trackRecord } from '../../src/analysis/track-record.js';
import { volume } from '../../src/analysis/volume.js';
import { winRateBy } from '../../src/analysis/win-rate.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { toText } from '../../src/frame/display/frame-text.js';
import { columnsOf } from '../../src/frame/tabular/columns-of.js';
import type { Tabular } from '../../src/frame/tabular/tabular.js';
import { concatRows } from '../../src/frame/verbs/concat-rows.js';
import { cumulative } from '../../src/frame/verbs/cumulative.js';
import { groupBy } from '../../src/frame/verbs/group-by.js';
import { count } from '../../src/frame/verbs/measure.js';
import { rolling } from '../../src/frame/verbs/rolling.js';
import { dropColumns } from '../../src/frame/verbs/select-columns.js';
import { mean, sum } from '../../src/frame/verbs/sum-and-mean.js';

const days = Array.from({ length: 12 }, (_, at) => at);
const pnl = new DataFrame({
  date: days.map((day) => `2026-01-${String(1 + day).padStart(2, '0')}`),
  proxy_wallet: days.map((day) => `w${day % 2}`),
  pnl: days.map((day) => (day % 3) - 0.7),
  invested: days.map(() => 10),
  wins: days.map((day) => day % 3),
  losses: days.map(() => 1),
  probability: days.map((day) => day / 12),
  price: days.map((day) => (day + 0.5) / 12),
  outcome: days.map((day) => day % 2),
  volume_total: days.map((day) => 10 + day),
  event_slug: days.map((day) => `e${day % 4}`),
});
const trades = new DataFrame({
  proxy_wallet: days.map(() => '0xa'),
  condition_id: days.map((day) => `0x${day}`),
  outcome: days.map(() => 'Yes'),
  side: days.map(() => 'BUY'),
  price: days.map((day) => 0.3 + day / 50),
  size: days.map(() => 10),
  timestamp: days.map((day) => `2026-01-02T${String(day).padStart(2, '0')}:00:00Z`),
});
const markets = new DataFrame({
  condition_id: days.map((day) => `0x${day}`),
  close_date: days.map(() => '2026-02-01'),
});
const positions = new DataFrame({
  proxy_wallet: days.map(() => '0xa'),
  condition_id: days.map((day) => `0x${day}`),
  outcome: days.map(() => 'Yes'),
  realized: days.map((day) => (day % 2 ? 5 : -3)),
  shares: days.map(() => 0),
  opened: days.map(() => '2026-01-02'),
});
const by = 'proxy_wallet';
const [rates, bins] = [
  ['rate', 'low', 'high'],
  ['low', 'high'],
];

it.each<[string, Tabular, readonly string[]]>([
  ['winRateBy', winRateBy(pnl), rates],
  ['rollingWinRate', rollingWinRate(pnl, { window: 3 }), rates],
  ['leaderboard', leaderboard(pnl), ['win_rate', 'shrunken_rate', 'low', 'high', 'roi']],
  ['trackRecord', trackRecord(pnl), [...rates, 'roi']],
  ['roiBy', roiBy(pnl), ['roi']],
  ['cumulativeRoi', cumulativeRoi(pnl), ['roi']],
  ['profitFactor', profitFactor(pnl, { by }), []],
  ['payoffRatio', payoffRatio(pnl, { by }), []],
  ['expectancy', expectancy(pnl, { by }), ['win_share']],
  ['kellyFraction', kellyFraction(pnl, { by }), ['kelly_fraction', 'win_share']],
  ['sharpe', sharpe(pnl, { by, capital: 100 }), ['mean_return', 'volatility']],
  ['sortino', sortino(pnl, { by, capital: 100 }), ['mean_return', 'downside_risk']],
  ['calmar', calmar(pnl, { by, capital: 100 }), ['annual_return', 'max_drawdown']],
  ['halves of roi', halves(pnl, { minDecided: 0 }).pairs, ['first', 'second']],
  ['halves of pnl', halves(pnl, { minDecided: 0, measure: 'pnl' }).pairs, []],
  ['halves of a function', halves(pnl, { minDecided: 0, measure: () => 0.5 }).pairs, []],
  ['calibration', calibration(pnl), [...bins, 'mean_probability', 'frequency', 'freq_low', 'freq_high']],
  [
    'favouriteLongshotBias',
    favouriteLongshotBias(pnl),
    [...bins, 'mean_price', 'frequency', 'roi', 'roi_low', 'roi_high'],
  ],
  ['brierScore', brierScore(pnl, { by }), ['base_rate']],
  ['volume', volume(pnl), ['share', 'cumulative_share']],
  ['pnlBy', pnlBy(trades, { by: 'hour', positions }), ['roi', 'low', 'high']],
  ['exposure', exposure(trades, { by, markets }), ['time_in_market']],
  [
    'closingLineValue',
    closingLineValue(trades, { by, markets, prices: dropColumns(trades, 'proxy_wallet') }),
    ['clv', 'low', 'high', 'beat', 'beat_low', 'beat_high'],
  ],
])('%s says which of its columns are fractions', (_, table, fractions) => {
  const found = columnsOf(table).filter(({ fraction }) => fraction);
  expect(found.map(({ name }) => name)).toEqual(fractions);
  for (const { dtype, unit } of found) expect([dtype, unit]).toEqual(['float64', undefined]);
});

it('tables show them as percentages, also where they were pooled or run on', () => {
  const table = roiBy(new DataFrame({ date: ['2026-01-01'], pnl: [2.19], invested: [10] }));
  expect(toText(table)).toContain('21.9%');
  const pooled = groupBy(table, []).rollup({ roi: mean('roi'), rows: count('roi') });
  expect(toText(pooled)).toContain('21.9%');
  expect(toText(cumulative(table, { column: 'roi', measure: 'max' }))).toMatch(/21\.9%.*21\.9%/);
  expect(toText(rolling(table, { column: 'roi', window: 1, measure: 'mean' }))).toMatch(/21\.9%.*21\.9%/);
  expect(columnsOf(pooled).map(({ fraction }) => fraction)).toEqual([true, undefined]);
  const added = groupBy(table, []).rollup({ roi: sum('roi') });
  expect(columnsOf(added)[0]).not.toHaveProperty('fraction');
  expect(toText(added)).not.toContain('%');
  expect(
    columnsOf(concatRows(table, new DataFrame({ roi: [3] }))).find(({ name }) => name === 'roi'),
  ).not.toHaveProperty('fraction');
});
