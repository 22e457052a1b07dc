import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import type { Column } from '../contract/definition.js';
import { DAY_MS, isoOfSeconds } from '../contract/time.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { columnNames, type Tabular } from '../frame/tabular/tabular.js';
import { endGiven, momentGiven } from './records/asked-range.js';
import { type ByOption, type GroupRecord, measureGroups, type Ungrouped } from './records/by-group.js';
import type { Keys } from './records/grouped-rows.js';
import {
  dollarTime,
  endOfTrades,
  type Holding,
  type Holdings,
  holdingsOf,
  refuseDivided,
  spanOfTrades,
  untrackedShares,
} from './records/holdings.js';
import { frameBeside } from './records/trade-rows.js';
import { formatPercent, formatUsd, shownResult } from './shown-result.js';

/** Options of {@link exposure}: when markets closed, and the time that counts. */
export interface ExposureOptions {
  /** Market records (`lab.markets()`): needs `condition_id` and `close_date`. */
  readonly markets: Tabular;
  /**
   * First day that counts, as `2026-03-01`, or a moment as a `Date` or `2026-03-01T09:30:00Z`. Default: from the first of
   * the trades.
   */
  readonly from?: string | Date;
  /**
   * Last day that counts, itself included; or a moment, so that `2026-03-01T00:00:00Z` is the end of February. Default:
   * up to the last of the trades.
   */
  readonly to?: string | Date;
}

/** How much money was in open positions over time. */
export interface Exposure {
  /** Average cost of what was held, over time, in USD. */
  readonly exposure: number;
  /** The most that was held at once, at cost, in USD. */
  readonly peak: number;
  /** When that was first reached; null where nothing was held. */
  readonly peakAt: string | null;
  /** Share of the time in which anything was held, in [0, 1]. */
  readonly timeInMarket: number;
  /** Dollars times the days for which they were held. */
  readonly dollarDays: number;
  /** Days that count. */
  readonly days: number;
  /** Shares sold although no trade had bought them: from splits or conversions, or trades that are missing. */
  readonly untrackedShares: number;
  /** Trades that lack a value that is needed, such as both the token and the outcome: what they bought is not counted. */
  readonly leftOut: number;
}

const DOLLARS = { dtype: 'float64', unit: 'USD', nullable: true } as const;

const COLUMNS: readonly Column[] = [
  { name: 'exposure', ...DOLLARS, meaning: 'Average cost of what was held, over time.' },
  { name: 'peak', ...DOLLARS, meaning: 'The most that was held at once, at cost.' },
  { name: 'peak_at', dtype: 'datetime', nullable: true, meaning: 'When that was first reached, UTC.' },
  {
    name: 'time_in_market',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'Share of the time in which anything was held.',
  },
  { name: 'dollar_days', dtype: 'float64', unit: 'USD days', nullable: false, meaning: 'Dollars times days held.' },
  { name: 'days', dtype: 'float64', unit: 'days', nullable: false, meaning: 'Days that count.' },
  {
    name: 'untracked_shares',
    dtype: 'float64',
    unit: 'shares',
    nullable: false,
    meaning: 'Sold although no trade had bought them.',
  },
  { name: 'left_out', dtype: 'int32', unit: 'fills', nullable: false, meaning: 'Trades that lack a value.' },
];

/**
 * Time-weighted exposure: how many dollars were in open positions, on average over time, at what they cost.
 *
 * exposure = ∫ cost held dt / (to − from). A buy adds what it cost; a sale takes its part of the position's average cost
 * along; what is kept leaves at the close of the market. It is what a wallet had at stake, so that profit over it, for a
 * year, tells more than profit over dollars invested, which counts the same dollar as often as it was bet.
 *
 * @param frame Trades (dataset 556): needs `proxy_wallet`, `condition_id`, `token_id` or `outcome`, `side`, `price`,
 * `size` and `timestamp`; `usd` counts where it is there, else price · size. A position is of one token; the outcome's
 * label counts where there is none. Trades that lack a value are left out, and counted in the result. Give the trades
 * from the wallet's first on, also where `from` is later: what was held then was bought before. Splits, merges and
 * conversions are no trades: what they brought and took is not seen.
 * @param options.markets Market records with `condition_id` and `close_date`. A market without a close, or that is not
 * among them, counts as open; one that closed has ended, also where its result is unknown, so that `lab.positions()` has
 * its positions as open.
 * @param options.from First day that counts. Default: from the first of the trades.
 * @param options.to Last day that counts. Default: up to the last of the trades.
 * @param options.by A column that is the same for all trades of a position, such as `proxy_wallet` or `category`, or a
 * list of them: one row for each group, over the same time. Default: all together.
 * @returns Dollars and days; NaN for no time at all.
 * @throws {ColumnError} If a column is missing or of the wrong kind, an amount negative or infinite, or a time cannot be
 * read.
 * @throws {UsageError} If an option is unknown, markets are not given, a day cannot be read, the time ends before it
 * begins, or `by` is a period or divides positions, as `side` does: a position is not held in the month alone in which
 * it was bought.
 * @example exposure(trades, { markets }); // { exposure: 1840, peak: 5200, timeInMarket: 0.93, dollarDays: 165_600, … }
 */
export function exposure(frame: Tabular, options: ExposureOptions & Ungrouped): Exposure;
export function exposure<const By extends string>(
  frame: Tabular,
  options: ExposureOptions & ByOption<By>,
): DataFrame<GroupRecord<By, Exposure>>;
export function exposure(frame: Tabular, options: ExposureOptions & { by?: Keys | undefined }): object {
  knownOptions('exposure', options ?? {}, ['markets', 'from', 'to', 'by']);
  columnNames(frame);
  const markets = frameBeside('exposure', 'markets', options?.markets, '{ markets }');
  const { by, from, to } = options ?? {};
  const start = from === undefined ? spanOfTrades(frame).first : momentGiven('exposure', 'from', from);
  const until = to === undefined ? endOfTrades(frame) : endGiven('exposure', to);
  const end = until.time;
  const isNone = from !== undefined && to !== undefined ? start >= end : start > end;
  if (isNone && Number.isFinite(end - start))
    throw new UsageError(`exposure was asked for a time from ${isoOf(start)} to ${isoOf(end)}, which is before.`);
  const measured = (rows: Tabular) => exposureOf(holdingsOf(rows, markets, until), start, end);
  if (by !== undefined) {
    refuseDivided('exposure', frame, by, ': give from and to for each $');
    return measureGroups('exposure', frame, by, COLUMNS, measured, 'timestamp');
  }
  const result = measured(frame);
  return shownResult(result, frame, [
    ['Exposure', `${formatUsd(result.exposure)} on average, at cost`],
    [
      'Peak',
      result.peakAt === null ? formatUsd(result.peak) : `${formatUsd(result.peak)}, ${result.peakAt.slice(0, 10)}`,
    ],
    ['In the market', `${formatPercent(result.timeInMarket)} of ${result.days.toFixed(1)} days`],
    ...(result.untrackedShares > 0
      ? ([
          ['Not seen', `${result.untrackedShares.toLocaleString('en-US')} shares were sold that no trade had bought`],
        ] as const)
      : []),
    ...leftOutLine(result),
  ]);
}

function leftOutLine({ leftOut }: Exposure): (readonly [string, string])[] {
  if (leftOut === 0) return [];
  return [['Left out', `${counted(leftOut, 'trade')} without a token and an outcome, or another value`]];
}

function exposureOf({ holdings, leftOut }: Holdings, from: number, to: number): Exposure {
  const length = to - from;
  const isTime = Number.isFinite(length) && length > 0;
  const dollars = isTime ? holdings.reduce((total, holding) => total + dollarTime(holding, from, to), 0) : 0;
  const { peak, peakAt, inMarket } = curveOf(holdings, from, to);
  return {
    exposure: isTime ? dollars / length : Number.NaN,
    peak,
    peakAt: peakAt === undefined ? null : isoOf(peakAt),
    timeInMarket: isTime ? inMarket / length : Number.NaN,
    dollarDays: dollars / DAY_MS,
    days: isTime ? length / DAY_MS : 0,
    untrackedShares: untrackedShares(holdings),
    leftOut,
  };
}

/** The highest point of the cost held by all positions together, and the time in which any was held. */
function curveOf(holdings: readonly Holding[], from: number, to: number) {
  // A position is held until its last step, whatever rounding leaves of its cost.
  const steps = holdings
    .flatMap(({ steps: own }) => own)
    .filter(({ time }) => time <= to)
    .sort((a, b) => a.time - b.time);
  let [cost, peak, inMarket, since] = [0, 0, 0, from];
  let peakAt: number | undefined;
  const least = 1e-6;
  const rise = (time: number) => {
    if (cost > peak + least) [peak, peakAt] = [cost, Math.max(time, from)];
  };
  for (let at = 0; at < steps.length; ) {
    const { time } = steps[at] as { time: number };
    // What was held at the beginning counts from there.
    if (time > from) rise(since);
    const until = Math.max(time, from);
    if (cost > least) inMarket += until - since;
    since = until;
    for (; at < steps.length && (steps[at] as { time: number }).time === time; at += 1)
      cost += (steps[at] as { change: number }).change;
    if (time >= from && time < to) rise(time);
  }
  if (cost > least) inMarket += to - since;
  if (since < to) rise(since);
  return { peak, peakAt, inMarket };
}

function isoOf(time: number): string {
  return isoOfSeconds(time / 1000);
}
