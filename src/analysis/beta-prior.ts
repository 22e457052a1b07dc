import { knownOptions } from '../contract/known-options.js';
import { UsageError } from '../errors.js';
import type { Tabular } from '../frame/tabular.js';
import { groupedSums } from './grouped-sums.js';
import { shownResult } from './shown-result.js';

/** How the true win rates of many groups are spread: a Beta distribution, in the unit of decided closing events. */
export interface BetaPrior {
  /** Wins that a group counts as having had beforehand. */
  readonly alpha: number;
  /** Losses that a group counts as having had beforehand. */
  readonly beta: number;
}

/**
 * How the true win rates of wallets are spread, seen through the chance in their results: the Beta distribution that
 * {@link leaderboard} shrinks by. Its mean α / (α + β) is the pooled win rate; α + β is how many decided closing events
 * a wallet needs before its own results weigh as much as what is known of all. The larger it is, the more of the
 * differences between wallets is luck.
 *
 * With n_i decided and rate p_i of group i, N = Σ n_i, p = Σ wins / N and k groups:
 * γ = (Σ n_i (p_i − p)² / (p (1 − p)) − (k − 1)) / (N − Σ n_i² / N − (k − 1)); α + β = 1/γ − 1, kept between 1 and N.
 * Where γ is 0 or less, so that the groups differ by no more than chance alone would have them, α + β = N.
 *
 * @param frame PnL records: needs `wins`, `losses`, and the column of the groups (or `date`).
 * @param options.by The column that tells the groups apart, or `day`, `week` or `month`. Default `proxy_wallet`.
 * @returns α and β; both 1, which says nothing, where fewer than two groups have a decided event, or none won or lost
 * any; NaN where nothing was decided.
 * @throws {ColumnError} If a column is missing, not numeric, negative or infinite.
 * @throws {UsageError} If an option is unknown.
 * @see Kleinman (1973), Proportions with extraneous variance: single and independent samples.
 * @example betaPrior(pnl); // { alpha: 11.2, beta: 9.8 }
 */
export function betaPrior(frame: Tabular, options: { by?: string } = {}): BetaPrior {
  knownOptions('betaPrior', options, ['by']);
  const { by = 'proxy_wallet' } = options;
  const counts = ['wins', 'losses'];
  const [wins, losses] = groupedSums(frame, by, counts, counts).sums as [Float64Array, Float64Array];
  const prior = fitBetaPrior(wins, losses);
  return shownResult(prior, [
    ['Prior wins', prior.alpha.toFixed(1)],
    ['Prior losses', prior.beta.toFixed(1)],
  ]);
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
  // Where every group has one event, chance explains all of the spread, and the quotient would be 1 / 0.
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

/** @throws {UsageError} If a prior that was given is none. */
export function refusePrior({ alpha, beta }: BetaPrior): void {
  if (alpha > 0 && beta > 0 && Number.isFinite(alpha + beta)) return;
  throw new UsageError(
    `prior must be wins and losses above 0, such as { alpha: 5, beta: 5 }; got ${alpha} and ${beta}.`,
  );
}
