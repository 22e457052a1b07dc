import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import { shownValue } from '../base/option-types.js';
import { isObject } from '../base/texts.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import type { Keys } from './records/grouped-rows.js';
import { groupedSums } from './records/grouped-sums.js';
import { shownResult } from './shown-result.js';

/** The distribution of the true win rates of many groups: a Beta distribution, counted in decided closing events. */
export interface BetaPrior {
  /** Wins that each group is credited with before its own results. */
  readonly alpha: number;
  /** Losses that each group is credited with before its own results. */
  readonly beta: number;
}

/**
 * How the true win rates of wallets are distributed once the chance in their results is taken out: the Beta
 * distribution that {@link leaderboard} shrinks towards. Its mean α / (α + β) is the pooled win rate; α + β is the
 * number of decided closing events at which a wallet's own results weigh as much as those of all wallets. The larger it
 * is, the more of the difference between wallets is luck.
 *
 * With n_i decided events and win rate p_i of group i, N = Σ n_i, p = Σ wins / N and k groups: γ = (Σ n_i (p_i − p)² /
 * (p (1 − p)) − (k − 1)) / (N − Σ n_i² / N − (k − 1)); α + β = 1/γ − 1, kept between 1 and N. Where γ is 0 or less, or
 * every n_i is 1, chance alone explains how the groups differ, and α + β = N.
 *
 * @param frame PnL records: needs `wins`, `losses`, and the column of the groups (or `date`).
 * @param options.by The column that identifies a group, or `day`, `week` or `month` of `date`; or a list of
 * them. Default `proxy_wallet`.
 * @returns α and β. Both are 1, which favours no rate, where fewer than two groups have a decided event, or all events
 * were won, or all lost; both are NaN where nothing was decided.
 * @throws {ColumnError} If a column is missing, not numeric, negative or infinite, a date cannot be read, or the
 * records are coarser than the period.
 * @throws {UsageError} If an option is unknown.
 * @see Kleinman (1973), Proportions with extraneous variance: single and independent samples.
 * @example betaPrior(pnl); // { alpha: 11.2, beta: 9.8 }
 */
export function betaPrior(frame: Tabular, options: { by?: Keys } = {}): BetaPrior {
  knownOptions('betaPrior', options, ['by']);
  const { by = 'proxy_wallet' } = options;
  const counts = ['wins', 'losses'];
  const [wins, losses] = groupedSums(frame, by, counts, counts).sums as [Float64Array, Float64Array];
  const prior = fitBetaPrior(wins, losses);
  return shownResult(prior, frame, [
    ['Prior wins', shown(prior.alpha)],
    ['Prior losses', shown(prior.beta)],
  ]);
}

function shown(events: number): string {
  return Number.isNaN(events) ? '–' : events.toFixed(1);
}

/** Fits {@link betaPrior} to the wins and losses of groups. */
export function fitBetaPrior(wins: Float64Array, losses: Float64Array): BetaPrior {
  let [groups, won, decided, squares] = [0, 0, 0, 0];
  for (let group = 0; group < wins.length; group += 1) {
    const many = (wins[group] as number) + (losses[group] as number);
    if (many > 0) groups += 1;
    won += wins[group] as number;
    decided += many;
    squares += many * many;
  }
  if (decided === 0) return { alpha: Number.NaN, beta: Number.NaN };
  const rate = won / decided;
  if (groups < 2 || won === 0 || won === decided) return { alpha: 1, beta: 1 };
  const chance = groups - 1;
  const spread = spreadOf(wins, losses, rate) / (rate * (1 - rate));
  // If every group has one event, chance explains all of the spread, and the quotient would be 1 / 0.
  const shared = decided > groups ? (spread - chance) / (decided - squares / decided - chance) : 0;
  const strength = shared > 0 ? Math.min(decided, Math.max(1, 1 / shared - 1)) : decided;
  return { alpha: rate * strength, beta: (1 - rate) * strength };
}

function spreadOf(wins: Float64Array, losses: Float64Array, rate: number): number {
  let spread = 0;
  for (let group = 0; group < wins.length; group += 1) {
    const many = (wins[group] as number) + (losses[group] as number);
    if (many > 0) spread += many * ((wins[group] as number) / many - rate) ** 2;
  }
  return spread;
}

/** @throws {UsageError} If a given prior is invalid. */
export function refusePrior(prior: unknown): void {
  const { alpha, beta } = Object(prior) as Readonly<Record<string, unknown>>;
  const isNumber = (value: unknown) => typeof value === 'number' && value > 0 && Number.isFinite(value);
  if (isNumber(alpha) && isNumber(beta)) return;
  const got = isObject(prior) ? `${shownValue(alpha)} and ${shownValue(beta)}` : shownValue(prior);
  throw new UsageError(`prior must be wins and losses above 0, such as { alpha: 5, beta: 5 }; got ${got}.`);
}
