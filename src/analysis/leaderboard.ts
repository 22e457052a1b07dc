import { itemAt } from '../base/item-at.js';
import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import { frameFromVectors } from '../frame/danfo/frame-from-vectors.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { takeVector } from '../frame/vector/take-vector.js';
import { type Vector, vectorOfCells } from '../frame/vector/vector.js';
import { type BetaPrior, fitBetaPrior, refusePrior } from './beta-prior.js';
import {
  byKey,
  type GroupedRows,
  groupedRows,
  type KeyCells,
  type Keys,
  refuseOwnColumn,
} from './records/grouped-rows.js';
import { sumsWithin } from './records/grouped-sums.js';
import { faultsBy } from './records/record-faults.js';
import { returnsOf } from './roi.js';
import { betaInterval } from './statistics/beta-interval.js';
import { refuseConfidence } from './statistics/wilson-interval.js';

/** Options of {@link leaderboard}: groups, prior and confidence. */
export interface LeaderboardOptions<By extends string> {
  /**
   * The column that identifies who is ranked, or `day`, `week` or `month` of `date`; or a list of them. Default
   * `proxy_wallet`.
   */
  by?: Keys<By>;
  /** The distribution of win rates to shrink towards. Default: fitted to all the groups, as `betaPrior` does. */
  prior?: BetaPrior;
  /** Confidence of the interval, in (0, 1). Default 0.95. */
  confidence?: number;
}

/** A row of {@link leaderboard}; rates in [0, 1], `pnl` in USD, `roi` as a fraction. */
export type LeaderboardRecord<By extends string> = { rank: number } & KeyCells<By> & {
    decided: number;
    win_rate: number;
    shrunken_rate: number;
    low: number;
    high: number;
    pnl: number;
    roi: number;
    small_sample: boolean;
    note: string | null;
  };

/** With fewer decided events a rate is only a hint, whatever the prior. */
const FEW = 30;

const RANK = {
  name: 'rank',
  dtype: 'int32',
  nullable: false,
  meaning: 'Place by the lower end of the interval, from 1.',
} as const satisfies Column;

const COLUMNS = [
  { name: 'decided', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'wins + losses.' },
  { name: 'win_rate', dtype: 'float64', fraction: true, nullable: true, meaning: 'wins / decided, in [0, 1].' },
  {
    name: 'shrunken_rate',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'Win rate drawn towards that of all: (wins + α) / (decided + α + β), in [0, 1].',
  },
  {
    name: 'low',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'Lower end of the interval of the shrunken rate.',
  },
  {
    name: 'high',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'Upper end of the interval of the shrunken rate.',
  },
  { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Net realized profit and loss.' },
  {
    name: 'roi',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'pnl / invested of records with both, as a fraction: 0.1 is 10%.',
  },
  {
    name: 'small_sample',
    dtype: 'boolean',
    nullable: false,
    meaning: `Whether the rate says little: fewer than ${FEW} decided, or fewer than the prior weighs, α + β.`,
  },
  {
    name: 'note',
    dtype: 'string',
    nullable: true,
    meaning: "What the wallet's record lacks; null if nothing is known.",
  },
] as const satisfies readonly Column[];

/**
 * Wallets ranked by the win rate that their results support, so that three wins out of three do not lead: each rate is
 * shrunk towards that of all wallets, the more so the fewer results are behind it, and wallets are ranked by the lower
 * end of its interval.
 *
 * shrunken_rate = (wins + α) / (decided + α + β); low and high enclose the central part, of the given confidence, of
 * the Beta distribution with parameters wins + α and losses + β. α and β are those of {@link betaPrior}, unless `prior`
 * is given.
 *
 * @param frame PnL records: needs `wins`, `losses`, `pnl`, `invested`, and the column of the groups (or `date`). Rows
 * that lack a number are left out of what needs it: of the rates those without wins or losses, of `pnl` only those without
 * one, of `roi` also those without `invested`. A group of none of these has no row.
 * @returns A row for each group, the best first, equal ones by key: rank, key, decided, win_rate, shrunken_rate, low,
 * high, pnl, roi, small_sample, and a note on what the wallet's record lacks, as far as `completenessOf` knows it. If
 * hardly anybody won, the shrunken rate of those who did not may lie above `high`: it
 * is the mean of a distribution that lies almost entirely at 0. A group without a decided event has the prior's own
 * rate and a `win_rate` of NaN; all rates are NaN if no group has any. No rows for a frame without rows.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, `wins`, `losses` or `invested` is negative, a
 * date cannot be read, or the records are coarser than the period.
 * @throws {UsageError} If an option is unknown, the confidence is not between 0 and 1, the prior is not above 0, or
 * `by` names a column of the result.
 * @see Efron and Morris (1975), Data analysis using Stein's estimator and its generalizations, for shrinkage.
 * @example leaderboard(pnl).head(10); // rank, proxy_wallet, decided, win_rate, shrunken_rate, low, high, …
 */
export function leaderboard<const By extends string = 'proxy_wallet'>(
  frame: Tabular,
  options: LeaderboardOptions<By> = {},
): DataFrame<LeaderboardRecord<By>> {
  knownOptions('leaderboard', options, ['by', 'prior', 'confidence']);
  const { by = 'proxy_wallet' as By, prior, confidence = 0.95 } = options;
  refuseConfidence(confidence);
  refuseOwnColumn('leaderboard', by, [RANK, ...COLUMNS]);
  if (prior !== undefined) refusePrior(prior);
  const grouped = groupedRows(frame, by);
  const decided = sumsWithin(frame, grouped, ['wins', 'losses'], ['wins', 'losses']);
  const staked = sumsWithin(frame, grouped, ['pnl', 'invested'], ['invested']);
  const earned = sumsWithin(frame, grouped, ['pnl'], []);
  const [wins, losses] = decided.sums as [Float64Array, Float64Array];
  const [gained, invested] = staked.sums as [Float64Array, Float64Array];
  const pnl = itemAt(earned.sums, 0);
  const present = Uint32Array.from(new Set([...decided.present, ...earned.present]));
  const rates = shrunkenRates(wins, losses, prior ?? fitBetaPrior(wins, losses), confidence);
  const order = rankOf(present, rates.low, grouped);
  const take = (all: Float64Array): Vector => takeVector({ kind: 'number', values: all }, order);
  const few = takeVector({ kind: 'boolean', values: rates.few }, order);
  const faultsOf = faultsBy(frame);
  const notes = vectorOfCells(
    Array.from(order, (group) => faultsOf(grouped.all, group).join('; ') || null),
    'text',
  );
  const roi = returnsOf(gained, invested);
  const places: Vector = { kind: 'number', values: Float64Array.from(order, (_, place) => place + 1) };
  return frameFromVectors<LeaderboardRecord<By>>(
    [RANK, ...grouped.all.map(({ column }) => column), ...COLUMNS],
    [
      places,
      ...grouped.all.map(({ vector }) => takeVector(vector, order)),
      ...[rates.decided, rates.raw, rates.shrunken, rates.low, rates.high, pnl, roi].map(take),
      few,
      notes,
    ],
    frame,
  );
}

function shrunkenRates(wins: Float64Array, losses: Float64Array, { alpha, beta }: BetaPrior, confidence: number) {
  const decided = wins.map((won, group) => won + (losses[group] as number));
  const [low, high] = [new Float64Array(wins.length), new Float64Array(wins.length)];
  const known = Number.isFinite(alpha);
  for (let group = 0; group < wins.length; group += 1) {
    const interval = known
      ? betaInterval((wins[group] as number) + alpha, (losses[group] as number) + beta, confidence)
      : { low: Number.NaN, high: Number.NaN };
    [low[group], high[group]] = [interval.low, interval.high];
  }
  return {
    decided,
    raw: wins.map((won, group) => won / (decided[group] as number)),
    shrunken: wins.map((won, group) => (won + alpha) / ((decided[group] as number) + alpha + beta)),
    low,
    high,
    few: Int8Array.from(decided, (many) => (many >= Math.max(FEW, alpha + beta) ? 0 : 1)),
  };
}

function rankOf(groups: Uint32Array, low: Float64Array, grouped: GroupedRows): Uint32Array {
  const ties = byKey(grouped);
  return groups.sort((a, b) => {
    const [left, right] = [low[a] as number, low[b] as number];
    return left === right || Number.isNaN(left) ? ties(a, b) : right - left;
  });
}
