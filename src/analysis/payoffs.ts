import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { numericVector, type Tabular } from '../frame/tabular/tabular.js';
import { doublesOf } from '../frame/vector/plain-vector.js';
import { refuseInfinite } from './records/amounts.js';
import { type ByOption, type GroupRecord, measureGroups, type Ungrouped } from './records/by-group.js';
import type { Keys } from './records/grouped-rows.js';
import { formatPercent, formatRatio, formatUsd, shownResult } from './shown-result.js';

const RATIO = { dtype: 'float64', nullable: true } as const;
const SHARE = { dtype: 'float64', fraction: true, nullable: true } as const;
const DOLLARS = { dtype: 'float64', unit: 'USD', nullable: true } as const;
const BUCKETS = { dtype: 'int32', unit: 'buckets', nullable: false } as const;

const AVERAGES = [
  { name: 'average_win', ...DOLLARS, meaning: 'Average profit of the winning buckets.' },
  { name: 'average_loss', ...DOLLARS, meaning: 'Average loss of the losing buckets, as a positive number.' },
] as const satisfies readonly Column[];

const WIN_SHARE = { name: 'win_share', ...SHARE, meaning: 'Winning buckets among those with a result.' } as const;

const PROFIT_FACTOR: readonly Column[] = [
  { name: 'profit_factor', ...RATIO, meaning: 'won / lost: 1 breaks even.' },
  { name: 'won', ...DOLLARS, meaning: 'Profits of the winning buckets.' },
  { name: 'lost', ...DOLLARS, meaning: 'Losses of the losing buckets, as a positive number.' },
];

const PAYOFF_RATIO: readonly Column[] = [
  { name: 'payoff_ratio', ...RATIO, meaning: 'average_win / average_loss.' },
  ...AVERAGES,
  { name: 'wins', ...BUCKETS, meaning: 'Buckets that won.' },
  { name: 'losses', ...BUCKETS, meaning: 'Buckets that lost.' },
];

const EXPECTANCY: readonly Column[] = [
  { name: 'expectancy', ...DOLLARS, meaning: 'Average profit of a bucket with a result.' },
  ...AVERAGES,
  WIN_SHARE,
  { name: 'buckets', ...BUCKETS, meaning: 'Buckets with a result.' },
];

const KELLY: readonly Column[] = [
  { name: 'kelly_fraction', ...SHARE, meaning: 'Share of the bankroll that an average losing bucket may lose.' },
  WIN_SHARE,
  { name: 'payoff_ratio', ...RATIO, meaning: 'Average win / average loss.' },
];

/** A profit factor and what it is computed from. */
export interface ProfitFactor {
  /** won / lost: 1 breaks even. */
  readonly profitFactor: number;
  /** Sum of the profits of the winning buckets, in USD. */
  readonly won: number;
  /** Sum of the losses of the losing buckets, in USD, as a positive number. */
  readonly lost: number;
}

/**
 * Profit factor: dollars won for each dollar lost, Σ pnl above 0 / −Σ pnl below 0, pooled over all rows.
 *
 * The unit is a row of the frame, which is a bucket of one wallet, as the data have no single trades. Within a bucket
 * wins and losses have already offset each other, so that longer buckets give other values.
 *
 * @param frame PnL records: needs `pnl`; rows without one are left out.
 * @param options.by A column such as `proxy_wallet`, `day`, `week`, `month` or `weekday` of `date`, or a list of them:
 * one row for each group, its figures as columns. Default: all rows together.
 * @returns The ratio, and the sums in USD. The ratio is NaN where nothing was lost; quantstats gives infinity there.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, or a date to group by cannot be read.
 * @throws {UsageError} If an option is unknown, or `by` names a column of the result.
 * @see Agrees with quantstats, `stats.profit_factor`, where something was lost.
 * @example profitFactor(pnl); // { profitFactor: 1.5, won: 300, lost: 200 }
 */
export function profitFactor(frame: Tabular, options?: Ungrouped): ProfitFactor;
export function profitFactor<const By extends string>(
  frame: Tabular,
  options: ByOption<By>,
): DataFrame<GroupRecord<By, ProfitFactor>>;
export function profitFactor(frame: Tabular, options: { by?: Keys | undefined } = {}): object {
  knownOptions('profitFactor', options, ['by']);
  if (options.by !== undefined)
    return measureGroups('profitFactor', frame, options.by, PROFIT_FACTOR, (rows) => profitFactor(rows));
  const { won, lost } = wonAndLost(frame);
  const result = { profitFactor: lost > 0 ? won / lost : Number.NaN, won, lost };
  return shownResult(result, frame, [
    ['Profit factor', formatRatio(result.profitFactor)],
    ['Won', formatUsd(won)],
    ['Lost', formatUsd(lost)],
  ]);
}

/** A payoff ratio and what it is computed from. */
export interface PayoffRatio {
  /** averageWin / averageLoss. */
  readonly payoffRatio: number;
  /** Average profit of the winning buckets, in USD. */
  readonly averageWin: number;
  /** Average loss of the losing buckets, in USD, as a positive number. */
  readonly averageLoss: number;
  /** Number of winning buckets. */
  readonly wins: number;
  /** Number of losing buckets. */
  readonly losses: number;
}

/**
 * Payoff ratio: the average win divided by the average loss, (Σ pnl above 0 / wins) / (−Σ pnl below 0 / losses).
 *
 * The unit is a row of the frame, which is a bucket of one wallet, as the data have no single trades: `wins` and
 * `losses` here count buckets, not the closing events that the columns of these names count.
 *
 * @param frame PnL records: needs `pnl`; rows without one, or with 0, are left out.
 * @param options.by A column such as `proxy_wallet`, `day`, `week`, `month` or `weekday` of `date`, or a list of them:
 * one row for each group, its figures as columns. Default: all rows together.
 * @returns The ratio, the averages in USD and the counts. An average over no buckets is NaN, and then so is the ratio.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, or a date to group by cannot be read.
 * @throws {UsageError} If an option is unknown, or `by` names a column of the result.
 * @see Agrees with quantstats, `stats.payoff_ratio`.
 * @example payoffRatio(pnl); // { payoffRatio: 2, averageWin: 30, averageLoss: 15, wins: 10, losses: 12 }
 */
export function payoffRatio(frame: Tabular, options?: Ungrouped): PayoffRatio;
export function payoffRatio<const By extends string>(
  frame: Tabular,
  options: ByOption<By>,
): DataFrame<GroupRecord<By, PayoffRatio>>;
export function payoffRatio(frame: Tabular, options: { by?: Keys | undefined } = {}): object {
  knownOptions('payoffRatio', options, ['by']);
  if (options.by !== undefined)
    return measureGroups('payoffRatio', frame, options.by, PAYOFF_RATIO, (rows) => payoffRatio(rows));
  const { wins, losses, won, lost } = wonAndLost(frame);
  const [averageWin, averageLoss] = [won / wins, lost / losses];
  return shownResult({ payoffRatio: averageWin / averageLoss, averageWin, averageLoss, wins, losses }, frame, [
    ['Payoff ratio', formatRatio(averageWin / averageLoss)],
    ['Average win', `${formatUsd(averageWin)}, in ${wins.toLocaleString('en-US')} buckets`],
    ['Average loss', `${formatUsd(averageLoss)}, in ${losses.toLocaleString('en-US')} buckets`],
  ]);
}

/** Average profit of a bucket, and what it is computed from. */
export interface Expectancy {
  /** Average profit of the buckets with a result, in USD. */
  readonly expectancy: number;
  /** Average profit of the winning buckets, in USD. */
  readonly averageWin: number;
  /** Average loss of the losing buckets, in USD, as a positive number. */
  readonly averageLoss: number;
  /** Share of winning buckets among those with a result, in [0, 1]. */
  readonly winShare: number;
  /** Number of buckets with a result, that is, with a `pnl` other than 0. */
  readonly buckets: number;
}

/**
 * Expectancy: the average profit of a bucket with a result, in dollars, Σ pnl / buckets. It equals winShare ·
 * averageWin − (1 − winShare) · averageLoss.
 *
 * The unit is a row of the frame, which is a bucket of one wallet, as the data have no single trades: the shorter the
 * buckets that you query, the closer they come to trades.
 *
 * @param frame PnL records: needs `pnl`; rows without one, or with 0, are left out.
 * @param options.by A column such as `proxy_wallet`, `day`, `week`, `month` or `weekday` of `date`, or a list of them:
 * one row for each group, its figures as columns. Default: all rows together.
 * @returns Averages in USD, the share and the count; an average over no buckets is NaN.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, or a date to group by cannot be read.
 * @throws {UsageError} If an option is unknown, or `by` names a column of the result.
 * @see Tharp (1998), Trade your way to financial freedom, for the term.
 * @example expectancy(pnl); // { expectancy: 2.5, averageWin: 20, averageLoss: 15, winShare: 0.5, buckets: 40 }
 */
export function expectancy(frame: Tabular, options?: Ungrouped): Expectancy;
export function expectancy<const By extends string>(
  frame: Tabular,
  options: ByOption<By>,
): DataFrame<GroupRecord<By, Expectancy>>;
export function expectancy(frame: Tabular, options: { by?: Keys | undefined } = {}): object {
  knownOptions('expectancy', options, ['by']);
  if (options.by !== undefined)
    return measureGroups('expectancy', frame, options.by, EXPECTANCY, (rows) => expectancy(rows));
  const { wins, losses, won, lost } = wonAndLost(frame);
  const buckets = wins + losses;
  const result = {
    expectancy: (won - lost) / buckets,
    averageWin: won / wins,
    averageLoss: lost / losses,
    winShare: wins / buckets,
    buckets,
  };
  return shownResult(result, frame, [
    ['Expectancy', `${formatUsd(result.expectancy)} a bucket`],
    ['Average win', formatUsd(result.averageWin)],
    ['Average loss', formatUsd(result.averageLoss)],
    ['Won', `${formatPercent(result.winShare)} of ${buckets.toLocaleString('en-US')} buckets`],
  ]);
}

/** The share of a bankroll to put at risk for the fastest growth in the long run, and what it is computed from. */
export interface KellyFraction {
  /** Share of the bankroll to lose in an average losing bucket; negative if the bets lose on average. */
  readonly kellyFraction: number;
  /** Share of winning buckets among those with a result, in [0, 1]. */
  readonly winShare: number;
  /** Average win / average loss. */
  readonly payoffRatio: number;
}

/**
 * Kelly fraction: how much of a bankroll to put at risk at a time for the fastest growth in the long run, if future
 * buckets won as often, and as much relative to what they lose, as those of this frame: f = p − (1 − p) / b, with p the
 * share of winning buckets and b the payoff ratio.
 *
 * **What the share is of:** the bankroll, all the money that there is to bet with, as it is before each bucket. It is the
 * share to *lose* when a bucket goes wrong, not the share to invest: at f = 10% and a bankroll of $5,000, bets are of the
 * right size if a losing day, where the buckets are days, costs about $500. A day that loses a quarter of what it
 * invests may then invest $2,000. It is neither a share of what was invested so far nor one for each of several bets that
 * run at once, which share it. The formula takes p and b for certain; they are only estimates, so bet far less: half of
 * it is usual, and nothing where a `bootstrapInterval` of it reaches below 0.
 *
 * The unit is a row of the frame, which is a bucket of one wallet, as the data have no single trades.
 *
 * @param frame PnL records: needs `pnl`; rows without one, or with 0, are left out.
 * @param options.by A column such as `proxy_wallet`, `day`, `week`, `month` or `weekday` of `date`, or a list of them:
 * one row for each group, its figures as columns. Default: all rows together.
 * @returns Fractions, not percentages; the Kelly fraction is NaN if no bucket won, or none
 * lost.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, or a date to group by cannot be read.
 * @throws {UsageError} If an option is unknown, or `by` names a column of the result.
 * @see Kelly (1956), A new interpretation of information rate; Thorp (2006), The Kelly criterion in blackjack, sports
 * betting and the stock market, for betting less; agrees with quantstats, `stats.kelly_criterion`.
 * @example kellyFraction(pnl); // { kellyFraction: 0.1, winShare: 0.55, payoffRatio: 1 }
 */
export function kellyFraction(frame: Tabular, options?: Ungrouped): KellyFraction;
export function kellyFraction<const By extends string>(
  frame: Tabular,
  options: ByOption<By>,
): DataFrame<GroupRecord<By, KellyFraction>>;
export function kellyFraction(frame: Tabular, options: { by?: Keys | undefined } = {}): object {
  knownOptions('kellyFraction', options, ['by']);
  if (options.by !== undefined)
    return measureGroups('kellyFraction', frame, options.by, KELLY, (rows) => kellyFraction(rows));
  const { wins, losses, won, lost } = wonAndLost(frame);
  const winShare = wins / (wins + losses);
  const payoffRatio = won / wins / (lost / losses);
  const result = { kellyFraction: winShare - (1 - winShare) / payoffRatio, winShare, payoffRatio };
  return shownResult(result, frame, [
    ['Kelly fraction', formatPercent(result.kellyFraction)],
    ['Won', `${formatPercent(winShare)} of buckets`],
    ['Payoff ratio', formatRatio(payoffRatio)],
  ]);
}

/** The buckets of a frame that ended in profit and in loss. */
interface WonAndLost {
  /** Buckets with a `pnl` above 0. */
  readonly wins: number;
  /** Buckets with a `pnl` below 0. */
  readonly losses: number;
  /** Dollars of the winning buckets. */
  readonly won: number;
  /** Dollars of the losing buckets, as a positive number. */
  readonly lost: number;
}

/**
 * Splits the rows of a frame into winning and losing ones. Those with a `pnl` of 0, in which nothing was realized, and
 * those without one are left out.
 *
 * @throws {ColumnError} If `pnl` is missing, not numeric or infinite.
 */
function wonAndLost(frame: Tabular): WonAndLost {
  const pnl = doublesOf(numericVector(frame, 'pnl'));
  let wins = 0;
  let losses = 0;
  let won = 0;
  let lost = 0;
  // The rounding errors of the additions, carried along as in `sum`.
  let wonBeside = 0;
  let lostBeside = 0;
  for (let row = 0; row < pnl.length; row += 1) {
    const dollars = pnl[row] as number;
    if (dollars > 0) {
      wins += 1;
      const next = won + dollars;
      const added = next - won;
      wonBeside += won - (next - added) + (dollars - added);
      won = next;
    } else if (dollars < 0) {
      losses += 1;
      const next = lost - dollars;
      const added = next - lost;
      lostBeside += lost - (next - added) + (-dollars - added);
      lost = next;
    }
  }
  if (!Number.isFinite(won + lost)) refuseInfinite('pnl', pnl);
  return { wins, losses, won: won + wonBeside, lost: lost + lostBeside };
}
