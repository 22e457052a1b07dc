import { brierScore } from '../src/analysis/brier-score.js';
import { calibration } from '../src/analysis/calibration.js';
import { concentration, lorenzCurve } from '../src/analysis/concentration.js';
import { favouriteLongshotBias } from '../src/analysis/favourite-longshot-bias.js';
import { logLoss } from '../src/analysis/log-loss.js';
import { outcomeShares } from '../src/analysis/outcome-shares.js';
import { timeToResolution, turnover } from '../src/analysis/time-to-resolution.js';
import { trackRecord } from '../src/analysis/track-record.js';
import { volume } from '../src/analysis/volume.js';
import { volumeDistribution } from '../src/analysis/volume-distribution.js';
import type { Benchmark } from './benchmark.js';
import { type MarketInputs, marketInputs, ROWS } from './market-inputs.js';
import { measureBenchmark } from './measure-benchmark.js';
import * as plain from './plain-loops.js';

type Work = (inputs: MarketInputs) => unknown;

const benchmark = (measure: string, ours: Work, plainLoop: Work, pandas: string): Benchmark =>
  measureBenchmark({
    measure,
    rows: ROWS,
    inputs: marketInputs,
    ours,
    plainLoop,
    pandas: ['pandas_markets.py', pandas],
  });

/** Compares measures of volume, markets and forecasts with a plain loop and pandas. */
export const analysisMarketBenchmarks: Benchmark[] = [
  benchmark('calibration', ({ forecasts }) => calibration(forecasts), plain.calibration, 'calibration'),
  benchmark(
    'favouriteLongshotBias',
    ({ forecasts }) => favouriteLongshotBias(forecasts),
    plain.calibration,
    'calibration',
  ),
  benchmark('brierScore', ({ forecasts }) => brierScore(forecasts), plain.brierScore, 'brier'),
  benchmark('logLoss', ({ forecasts }) => logLoss(forecasts), plain.logLoss, 'log_loss'),
  benchmark('concentration', ({ volumes }) => concentration(volumes), plain.concentration, 'concentration'),
  benchmark('lorenzCurve', ({ volumes }) => lorenzCurve(volumes), plain.lorenzCurve, 'lorenz'),
  benchmark('volumeDistribution', ({ volumes }) => volumeDistribution(volumes), plain.distribution, 'distribution'),
  benchmark('trackRecord', ({ pnl }) => trackRecord(pnl), plain.trackRecord, 'track_record'),
  benchmark('volume by event', ({ markets }) => volume(markets), plain.volumeByEvent, 'volume'),
  benchmark('volume by week', ({ markets }) => volume(markets, { by: 'week' }), plain.volumeByWeek, 'week'),
  benchmark('timeToResolution', ({ markets }) => timeToResolution(markets), plain.timeToResolution, 'resolution'),
  benchmark('turnover', ({ markets }) => turnover(markets), plain.turnover, 'turnover'),
  benchmark('outcomeShares', ({ markets }) => outcomeShares(markets), plain.outcomeShares, 'outcomes'),
];
