import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import { shownNumber } from '../base/option-types.js';
import type { Column } from '../contract/definition.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { type ByOption, type GroupRecord, measureGroups, type Ungrouped } from './records/by-group.js';
import { type ForecastOptions, forecastsOf } from './records/forecasts.js';
import type { Keys } from './records/grouped-rows.js';
import { shownResult } from './shown-result.js';

/** Options of {@link logLoss}: where the forecasts are, and how certain ones are treated. */
export interface LogLossOptions extends ForecastOptions {
  /**
   * Probabilities below this value are raised to it, and those above 1 − clip lowered to 1 − clip; at least 0 and less
   * than 0.5. Default 0, which changes nothing.
   */
  readonly clip?: number;
}

/** A log loss and what it is computed from. */
export interface LogLoss {
  /**
   * Mean of −ln of the probability given to what happened, in nats: 0 is perfect; always forecasting 50% gives ln 2 =
   * 0.693.
   */
  readonly logLoss: number;
  /** Number of forecasts of 0 or 1 that were wrong. Any makes the loss infinite, unless probabilities are clipped. */
  readonly certainAndWrong: number;
  readonly count: number;
}

const COUNT = { dtype: 'int32', unit: 'forecasts', nullable: false } as const;

const COLUMNS: readonly Column[] = [
  { name: 'log_loss', dtype: 'float64', unit: 'nats', nullable: true, meaning: 'Mean surprise at what happened.' },
  { name: 'certain_and_wrong', ...COUNT, meaning: 'Forecasts of 0 or 1 that were wrong.' },
  { name: 'count', ...COUNT, meaning: 'Forecasts of the group.' },
];

/**
 * Log loss of probabilities: how surprising the outcomes were under the forecasts, in nats.
 *
 * logLoss = −Σ (o · ln f + (1 − o) · ln(1 − f)) / N, with 0 · ln 0 = 0.
 *
 * A forecast that was certain and wrong makes the loss infinite, as it should if the certainty was meant. Whether to
 * clip is your choice, because the result depends on the value.
 *
 * @param frame Any frame with a probability in [0, 1] and an outcome: 1 or true, 0 or false. Rows that lack one of the
 * two are left out.
 * @param options.probability Column of the probability. Default `probability`.
 * @param options.outcome Column of the outcome. Default `outcome`.
 * @param options.clip Keeps probabilities within [clip, 1 − clip]; at least 0 and less than 0.5. Default 0.
 * @param options.by A column such as `proxy_wallet`, `day`, `week`, `month` or `weekday` of `date`, or a list of them:
 * one row for each group, its figures as columns. Default: all rows together.
 * @returns The loss and the counts; the loss is NaN without any forecast.
 * @throws {ColumnError} If a column is missing or of the wrong kind, a probability is outside [0, 1], or an outcome is
 * neither 0 nor 1.
 * @throws {UsageError} If an option is unknown, or `clip` is out of range.
 * @see Good (1952), Rational decisions.
 * @example logLoss(forecasts, { clip: 0.001 }); // { logLoss: 0.58, certainAndWrong: 0, count: 2000 }
 */
export function logLoss(frame: Tabular, options?: LogLossOptions & Ungrouped): LogLoss;
export function logLoss<const By extends string>(
  frame: Tabular,
  options: LogLossOptions & ByOption<By>,
): DataFrame<GroupRecord<By, LogLoss>>;
export function logLoss(frame: Tabular, options: LogLossOptions & { by?: Keys | undefined } = {}): object {
  knownOptions('logLoss', options, ['probability', 'outcome', 'clip', 'by']);
  const { by, ...rest } = options;
  if (by !== undefined) return measureGroups('logLoss', frame, by, COLUMNS, (rows) => logLoss(rows, rest));
  const { clip = 0 } = options;
  if (!(typeof clip === 'number' && clip >= 0 && clip < 0.5))
    throw new UsageError(`clip must be from 0 up to 0.5, such as 0.001; got ${shownNumber(clip)}.`);
  const { probabilities, outcomes } = forecastsOf(frame, options);
  const { surprise, certainAndWrong } = surprises(probabilities, outcomes, clip);
  const result = { logLoss: surprise / outcomes.length, certainAndWrong, count: outcomes.length };
  return shownResult(result, frame, [
    ['Log loss', Number.isNaN(result.logLoss) ? '–' : `${result.logLoss.toFixed(4)} nats`],
    ['Certain and wrong', certainAndWrong.toLocaleString('en-US')],
    ['Forecasts', result.count.toLocaleString('en-US')],
  ]);
}

/** Products below this might soon underflow to 0. */
const SMALL = 1e-150;

/** Sums surprises. Takes one logarithm of a product of many factors, which is cheaper than one for each factor. */
function surprises(probabilities: Float64Array, outcomes: Float64Array, clip: number) {
  let product = 1;
  let surprise = 0;
  let certainAndWrong = 0;
  for (let at = 0; at < outcomes.length; at += 1) {
    const probability = probabilities[at] as number;
    const given = outcomes[at] === 1 ? probability : 1 - probability;
    if (given === 0) certainAndWrong += 1;
    const clipped = Math.min(Math.max(given, clip), 1 - clip);
    if (clipped < SMALL) surprise -= Math.log(clipped);
    else product *= clipped;
    if (product < SMALL) {
      surprise -= Math.log(product);
      product = 1;
    }
  }
  // Adding 0 turns -0, from a product of ones, into 0.
  return { surprise: surprise - Math.log(product) + 0, certainAndWrong };
}
