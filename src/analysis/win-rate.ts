import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import type { Tabular } from '../frame/tabular.js';
import { completeCounts } from './complete-totals.js';
import { formatPercent } from './format-percent.js';
import { shownResult } from './shown-result.js';
import { wilsonInterval } from './wilson-interval.js';

/** The option of {@link winRate}. */
export interface WinRateOptions {
  /** Confidence of the Wilson interval, in (0, 1). Default 0.95. */
  confidence?: number;
}

/** A win rate and the interval in which the true rate is likely to lie; rates in [0, 1]. */
export interface WinRate {
  /** wins / decided. */
  readonly rate: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** wins + losses. */
  readonly decided: number;
  readonly wins: number;
  readonly losses: number;
  readonly confidence: number;
}

/**
 * Win rate with its uncertainty: pooled wins over decided closing events, Σ wins / Σ (wins + losses), never an average
 * of rates. The service's own `win_rate` column, a percentage for each bucket, is not used.
 *
 * @param frame PnL records, one row for each bucket: needs `wins` and `losses`. Rows that lack one are left out.
 * @param options.confidence Confidence of the Wilson interval, in (0, 1). Default 0.95.
 * @returns Rates in [0, 1] and the counts behind them; the rates are NaN where nothing was decided.
 * @throws {ColumnError} If a column is missing, not numeric, negative or infinite.
 * @throws {UsageError} If the confidence is not a number between 0 and 1, or an option is unknown.
 * @see Wilson (1927), Probable inference, the law of succession, and statistical inference.
 * @example winRate(pnl); // { rate: 0.8, low: 0.490, high: 0.943, decided: 10, wins: 8, losses: 2, confidence: 0.95 }
 */
export function winRate(frame: Tabular, options: WinRateOptions = {}): WinRate {
  knownOptions('winRate', options, ['confidence']);
  const { confidence = 0.95 } = options;
  refuseConfidence(confidence);
  const [wins = 0, losses = 0] = completeCounts(frame, ['wins', 'losses']);
  const result = rateOf(wins, losses, confidence);
  return shownResult(result, [
    ['Win rate', formatPercent(result.rate)],
    [`${formatPercent(confidence, 0)} interval`, `${formatPercent(result.low)} to ${formatPercent(result.high)}`],
    ['Decided', `${count(result.decided)}: ${count(wins)} won, ${count(losses)} lost`],
  ]);
}

/** A win rate from its counts. */
function rateOf(wins: number, losses: number, confidence: number): WinRate {
  const decided = wins + losses;
  return { rate: wins / decided, ...wilsonInterval(wins, decided, confidence), decided, wins, losses, confidence };
}

/** @throws {UsageError} If a confidence is not a number between 0 and 1, both excluded. */
export function refuseConfidence(confidence: number): void {
  if (typeof confidence === 'number' && confidence > 0 && confidence < 1) return;
  const got = typeof confidence === 'string' ? `the text ${JSON.stringify(confidence)}` : String(confidence);
  throw new UsageError(`confidence must be a number between 0 and 1, such as 0.95; got ${got}.`);
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
