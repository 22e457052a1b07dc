import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brierScore } from '../src/analysis/brier-score.js';
import { calibration } from '../src/analysis/calibration.js';
import { concentration } from '../src/analysis/concentration.js';
import { favouriteLongshotBias } from '../src/analysis/favourite-longshot-bias.js';
import { logLoss } from '../src/analysis/log-loss.js';
import { lorenzCurve } from '../src/analysis/lorenz-curve.js';
import { outcomeShares } from '../src/analysis/outcome-shares.js';
import { timeToResolution } from '../src/analysis/time-to-resolution.js';
import { trackRecord } from '../src/analysis/track-record.js';
import { turnover } from '../src/analysis/turnover.js';
import { volume } from '../src/analysis/volume.js';
import { volumeDistribution } from '../src/analysis/volume-distribution.js';
import { packageRoot } from '../src/package-root.js';
import { type Benchmark, type Contender, Unavailable } from './benchmark.js';
import { type MarketInputs, marketInputs, ROWS } from './market-inputs.js';
import * as plain from './plain-loops.js';

/** CPU time of this process in ms: the wall clock would measure what else the machine does. */
function onInputs(name: string, work: (inputs: MarketInputs) => unknown): Contender {
  return {
    name,
    async prepare() {
      const inputs = marketInputs();
      // A measure is called many times in a session, so compiling it is no part of its cost.
      for (let warm = 0; warm < 5; warm += 1) work(inputs);
      return {
        async measure() {
          const start = process.cpuUsage();
          work(inputs);
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
          const script = join(packageRoot(), 'bench/peers/pandas_markets.py');
          const { stdout } = await promisify(execFile)('/usr/bin/python3', [script, measure, String(ROWS)]);
          return Number(stdout);
        },
      };
    },
  };
}

type Work = (inputs: MarketInputs) => unknown;

/** Less than three times as long as the loop, and less than pandas. */
function benchmark(measure: string, ours: Work, loop: Work, pandas: string): Benchmark {
  return {
    area: 'analysis',
    bench: `${measure} over ${ROWS} rows`,
    metric: 'CPU ms',
    better: 'less',
    ours: onInputs(measure, ours),
    peers: [
      { target: 0.33, contender: onInputs('a plain loop over its inputs', loop) },
      { target: 1, contender: byPandas(pandas) },
    ],
  };
}

/** Measures of volume, markets and comparison, each against a plain loop and pandas. */
export const analysisMarketBenchmarks: Benchmark[] = [
  benchmark('volume by event', ({ markets }) => volume(markets), plain.volumeByEvent, 'volume'),
  benchmark('volume by week', ({ markets }) => volume(markets, { by: 'week' }), plain.volumeByWeek, 'week'),
  benchmark('concentration', ({ markets }) => concentration(markets), plain.concentration, 'concentration'),
  benchmark('lorenzCurve', ({ markets }) => lorenzCurve(markets), plain.lorenzCurve, 'lorenz'),
  benchmark('volumeDistribution', ({ markets }) => volumeDistribution(markets), plain.distribution, 'distribution'),
  benchmark('timeToResolution', ({ markets }) => timeToResolution(markets), plain.timeToResolution, 'resolution'),
  benchmark('turnover', ({ markets }) => turnover(markets), plain.turnover, 'turnover'),
  benchmark('outcomeShares', ({ markets }) => outcomeShares(markets), plain.outcomeShares, 'outcomes'),
  benchmark('calibration', ({ forecasts }) => calibration(forecasts), plain.calibration, 'calibration'),
  benchmark(
    'favouriteLongshotBias',
    ({ forecasts }) => favouriteLongshotBias(forecasts),
    plain.calibration,
    'calibration',
  ),
  benchmark('brierScore', ({ forecasts }) => brierScore(forecasts), plain.brierScore, 'brier'),
  benchmark('logLoss', ({ forecasts }) => logLoss(forecasts), plain.logLoss, 'log_loss'),
  benchmark('trackRecord', ({ pnl }) => trackRecord(pnl), plain.trackRecord, 'track_record'),
];
