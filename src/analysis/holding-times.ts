import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import { DAY_MS, isoOfSeconds } from '../contract/time.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { columnNames, type Tabular } from '../frame/tabular/tabular.js';
import { endGiven } from './records/asked-range.js';
import { measureGroups } from './records/by-group.js';
import type { KeyCells, Keys } from './records/grouped-rows.js';
import {
  dollarTime,
  endOfTrades,
  type Holding,
  type Holdings,
  holdingsOf,
  refuseDivided,
  untrackedShares,
} from './records/holdings.js';
import { frameBeside } from './records/trade-rows.js';

/** Options of {@link holdingTimes}: the groups, when markets closed, and when the data end. */
export interface HoldingTimesOptions<By extends string> {
  /** Market records (`lab.markets()`): needs `condition_id` and `close_date`. */
  readonly markets: Tabular;
  /**
   * What tells the groups apart: a column that is the same for all trades of a position, such as `proxy_wallet` or
   * `category`, or a list of them. Default: each position, `proxy_wallet`, `condition_id` and `outcome`; trades without
   * a label of their outcome are in one row for a market, which `by: ['proxy_wallet', 'token_id']` divides by side.
   */
  readonly by?: Keys<By>;
  /**
   * The end of the data, as `2026-03-01` (its last moment), `2026-03-01T09:30:00Z` or a `Date`. Default: the last of the
   * trades.
   */
  readonly to?: string | Date;
}

/** A row of {@link holdingTimes}. */
export type HoldingTimeRecord<By extends string> = KeyCells<By> & {
  holding_days: number;
  median_days: number;
  usd: number;
  positions: number;
  held: number;
  first_opened: string | null;
  last_closed: string | null;
  untracked_shares: number;
  left_out: number;
} & ('proxy_wallet' extends By ? { note: string | null } : object);

const DAYS = { dtype: 'float64', unit: 'days', nullable: true } as const;
const POSITIONS = { dtype: 'int32', unit: 'positions', nullable: false } as const;

const COLUMNS: readonly Column[] = [
  { name: 'holding_days', ...DAYS, meaning: 'How long a dollar that was paid was held, on average.' },
  { name: 'median_days', ...DAYS, meaning: 'The median of the positions, each by its own average.' },
  { name: 'usd', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Dollars paid for all their shares.' },
  { name: 'positions', ...POSITIONS, meaning: 'Outcomes of markets that a wallet bought, each once.' },
  { name: 'held', ...POSITIONS, meaning: 'Those that are still held, which counted up to the end of the data.' },
  { name: 'first_opened', dtype: 'datetime', nullable: true, meaning: 'When the first of them was bought, UTC.' },
  {
    name: 'last_closed',
    dtype: 'datetime',
    nullable: true,
    meaning: 'When the last of them ended; missing if one is held.',
  },
  {
    name: 'untracked_shares',
    dtype: 'float64',
    unit: 'shares',
    nullable: false,
    meaning: 'Sold although no trade had bought them: from splits or conversions, or trades that are missing.',
  },
  {
    name: 'left_out',
    dtype: 'int32',
    unit: 'fills',
    nullable: false,
    meaning: 'Trades that lack a value, such as both the token and the outcome.',
  },
];

/**
 * How long positions are held: from each buy to the sale of its shares or, for those that are kept, to the close of the
 * market.
 *
 * holding_days = ∫ cost held dt / dollars paid: the time for which a dollar was held, on average. It needs no rule about
 * which of the shares a sale takes first, as the same dollars are held either way (Little's law); a sale takes its part
 * of the average cost along.
 *
 * @param frame Trades (dataset 556): needs `proxy_wallet`, `condition_id`, `token_id` or `outcome`, `side`, `price`,
 * `size` and `timestamp`; `usd` counts where it is there, else price · size. A position is of one token; the outcome's
 * label counts where there is none. Trades that lack a value are left out, and counted in the result. Splits, merges and
 * conversions are no trades: what they brought and took is not seen.
 * @param options.markets Market records with `condition_id` and `close_date`. A market without a close, or that is not
 * among them, counts as open; one that closed has ended, also where its result is unknown, so that `lab.positions()` has
 * its positions as open.
 * @param options.by A column that is the same for all trades of a position, or a list of them. Default: each position.
 * @param options.to The end of the data, up to which open positions count. Default: the last of the trades.
 * @returns A row for each group, the longest held first. Days are NaN where nothing was bought. `positions` counts each
 * outcome of a market that a wallet bought once, however often it bought, sold and bought again; unlike `lab.positions()`
 * it does not count those that came by splits or conversions alone.
 * @throws {ColumnError} If a column is missing or of the wrong kind, an amount negative or infinite, or a time cannot be
 * read.
 * @throws {UsageError} If an option is unknown, markets are not given, `to` is no day, or `by` is a period or divides
 * positions, as `side` does.
 * @see Little (1961), A proof for the queuing formula L = λW.
 * @example holdingTimes(trades, { markets, by: 'category' }); // category, holding_days, median_days, usd, …
 */
export function holdingTimes<const By extends string = 'proxy_wallet' | 'condition_id' | 'outcome'>(
  frame: Tabular,
  options: HoldingTimesOptions<By>,
): DataFrame<HoldingTimeRecord<By>> {
  knownOptions('holdingTimes', options ?? {}, ['markets', 'by', 'to']);
  columnNames(frame);
  const markets = frameBeside('holdingTimes', 'markets', options?.markets, '{ markets }');
  const { by = ['proxy_wallet', 'condition_id', 'outcome'], to } = options ?? {};
  const end = to === undefined ? endOfTrades(frame) : endGiven('holdingTimes', to);
  refuseDivided('holdingTimes', frame, by as Keys, '', options?.by === undefined);
  const measured = (rows: Tabular) => timesOf(holdingsOf(rows, markets, end), end.time);
  return measureGroups('holdingTimes', frame, by as Keys, COLUMNS, measured, 'timestamp');
}

function timesOf({ holdings, leftOut }: Holdings, end: number) {
  const bought = holdings.filter(({ paid }) => paid > 0);
  const each = bought.map((holding) => dollarTime(holding, holding.opened, end) / DAY_MS);
  const usd = bought.reduce((total, { paid }) => total + paid, 0);
  const own = each.map((days, at) => days / (bought[at] as Holding).paid).sort((a, b) => a - b);
  const held = bought.filter(({ closed }) => closed === undefined).length;
  return {
    holdingDays: usd > 0 ? each.reduce((total, days) => total + days, 0) / usd : Number.NaN,
    medianDays: medianOf(own),
    usd,
    positions: bought.length,
    held,
    firstOpened: isoOf(bought.reduce((first, { opened }) => Math.min(first, opened), Number.POSITIVE_INFINITY)),
    lastClosed:
      held > 0
        ? null
        : isoOf(bought.reduce((last, { closed }) => Math.max(last, closed ?? last), Number.NEGATIVE_INFINITY)),
    untrackedShares: untrackedShares(holdings),
    leftOut,
  };
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  if (sorted.length === 0) return Number.NaN;
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2;
}

function isoOf(time: number): string | null {
  return Number.isFinite(time) ? isoOfSeconds(time / 1000) : null;
}
