import { bootstrapInterval } from '../src/analysis/bootstrap-interval.js';
import { cumulativePnl } from '../src/analysis/cumulative-pnl.js';
import { cumulativeRoi } from '../src/analysis/cumulative-roi.js';
import { drawdowns, recoveryFactor } from '../src/analysis/drawdowns.js';
import { leaderboard } from '../src/analysis/leaderboard.js';
import { expectancy, kellyFraction, payoffRatio, profitFactor } from '../src/analysis/payoffs.js';
import { calmar, sharpe, sortino } from '../src/analysis/risk-adjusted-return.js';
import { roi, roiBy } from '../src/analysis/roi.js';
import { rollingWinRate } from '../src/analysis/rolling-win-rate.js';
import { streaks } from '../src/analysis/streaks.js';
import { winRate, winRateBy } from '../src/analysis/win-rate.js';
import type { PnlRecord } from '../src/client/connect.js';
import type { DataFrame } from '../src/frame/danfo/danfo.js';
import type { Benchmark } from './benchmark.js';
import { measureBenchmark } from './measure-benchmark.js';
import { columnSums, drawnSums, groupSums, sides } from './performance-loops.js';
import { pnlFrame } from './shared-frame.js';

const ROWS = 1_000_000;

type Work = (frame: DataFrame<PnlRecord>) => unknown;

const benchmark = (measure: string, ours: Work, plainLoop: Work): Benchmark =>
  measureBenchmark({
    measure,
    rows: ROWS,
    inputs: () => pnlFrame(ROWS),
    ours,
    plainLoop,
    pandas: ['pandas_performance.py', measure],
  });

const byDate: Work = (frame) => groupSums(frame, 'date', 'pnl');
const capital = 1e9;

export const analysisBenchmarks: Benchmark[] = [
  benchmark('winRate', winRate, (frame) => columnSums(frame, 'wins', 'losses')),
  benchmark('roi', roi, (frame) => columnSums(frame, 'pnl', 'invested')),
  benchmark(
    'winRateBy',
    (frame) => winRateBy(frame, { by: 'proxy_wallet' }),
    (frame) => groupSums(frame, 'proxy_wallet', 'wins', 'losses'),
  ),
  benchmark(
    'roiBy',
    (frame) => roiBy(frame, { by: 'month' }),
    (frame) => groupSums(frame, 'date', 'pnl', 'invested'),
  ),
  benchmark(
    'leaderboard',
    (frame) => leaderboard(frame),
    (frame) => groupSums(frame, 'proxy_wallet', 'wins', 'losses', 'pnl', 'invested'),
  ),
  benchmark('profitFactor', profitFactor, sides),
  benchmark('payoffRatio', payoffRatio, sides),
  benchmark('expectancy', expectancy, sides),
  benchmark('kellyFraction', kellyFraction, sides),
  benchmark('cumulativePnl', (frame) => cumulativePnl(frame), byDate),
  benchmark(
    'cumulativeRoi',
    (frame) => cumulativeRoi(frame),
    (frame) => groupSums(frame, 'date', 'pnl', 'invested'),
  ),
  benchmark(
    'rollingWinRate',
    (frame) => rollingWinRate(frame, { window: 30 }),
    (frame) => groupSums(frame, 'date', 'wins', 'losses'),
  ),
  benchmark('drawdowns', drawdowns, byDate),
  benchmark('recoveryFactor', recoveryFactor, byDate),
  benchmark('streaks', streaks, byDate),
  benchmark('sharpe', (frame) => sharpe(frame, { capital }), byDate),
  benchmark('sortino', (frame) => sortino(frame, { capital }), byDate),
  benchmark('calmar', (frame) => calmar(frame, { capital }), byDate),
  benchmark(
    'bootstrapInterval',
    (frame) => bootstrapInterval(frame, (rows) => roi(rows).roi, { samples: 3 }),
    drawnSums,
  ),
];
