import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bootstrapInterval } from '../src/analysis/bootstrap-interval.js';
import { calmar } from '../src/analysis/calmar.js';
import { cumulativePnl } from '../src/analysis/cumulative-pnl.js';
import { cumulativeRoi } from '../src/analysis/cumulative-roi.js';
import { drawdowns } from '../src/analysis/drawdowns.js';
import { expectancy } from '../src/analysis/expectancy.js';
import { kellyFraction } from '../src/analysis/kelly-fraction.js';
import { leaderboard } from '../src/analysis/leaderboard.js';
import { payoffRatio } from '../src/analysis/payoff-ratio.js';
import { profitFactor } from '../src/analysis/profit-factor.js';
import { recoveryFactor } from '../src/analysis/recovery-factor.js';
import { roi } from '../src/analysis/roi.js';
import { roiBy } from '../src/analysis/roi-by.js';
import { rollingWinRate } from '../src/analysis/rolling-win-rate.js';
import { sharpe } from '../src/analysis/sharpe.js';
import { sortino } from '../src/analysis/sortino.js';
import { streaks } from '../src/analysis/streaks.js';
import { winRate } from '../src/analysis/win-rate.js';
import { winRateBy } from '../src/analysis/win-rate-by.js';
import type { PnlRecord } from '../src/client/connect.js';
import type { DataFrame } from '../src/frame/danfo/danfo.js';
import { packageRoot } from '../src/package-root.js';
import { type Benchmark, type Contender, Unavailable } from './benchmark.js';
import { columnSums, drawnSums, groupSums, sides } from './performance-loops.js';
import { pnlFrame } from './shared-frame.js';

const ROWS = 1_000_000;
/** Our least: no more than three times a plain loop over the inputs. */
const THIRD = 1 / 3;

type Work = (frame: DataFrame<PnlRecord>) => unknown;

/** CPU time of this process in ms: the wall clock would measure what else the machine does. */
function onFrame(name: string, work: Work): Contender {
  return {
    name,
    async prepare() {
      const frame = pnlFrame(ROWS);
      // A measure is called many times in a session, so compiling it is no part of its cost.
      for (let warm = 0; warm < 5; warm += 1) work(frame);
      return {
        async measure() {
          const start = process.cpuUsage();
          work(frame);
          const { user, system } = process.cpuUsage(start);
          return (user + system) / 1000;
        },
      };
    },
  };
}

/** The same measure by pandas, on the same rows made by the same formulas, in CPU ms of its own process. */
function byPandas(measure: string): Contender {
  return {
    name: 'pandas',
    slow: true,
    async prepare() {
      if (!existsSync('/usr/lib/python3/dist-packages/pandas'))
        throw new Unavailable('Debian package python3-pandas is not installed');
      return {
        async measure() {
          const script = join(packageRoot(), 'bench/peers/pandas_performance.py');
          const { stdout } = await promisify(execFile)('/usr/bin/python3', [script, measure, String(ROWS)]);
          return Number(stdout);
        },
      };
    },
  };
}

function benchmark(measure: string, ours: Work, plain: Work): Benchmark {
  return {
    area: 'analysis',
    bench: `${measure} over ${ROWS} rows`,
    metric: 'CPU ms',
    better: 'less',
    ours: onFrame(measure, ours),
    peers: [
      { target: THIRD, contender: onFrame('a plain loop over typed arrays', plain) },
      { target: 1, contender: byPandas(measure) },
    ],
  };
}

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
