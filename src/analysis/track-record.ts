import { MICRO } from '../base/decimal.js';
import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import { shownNumber } from '../base/option-types.js';
import type { Column } from '../contract/definition.js';
import { isoOfSeconds } from '../contract/time.js';
import { frameFromVectors, takeRows } from '../frame/danfo/frame-from-vectors.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { numericVector, type Tabular, vectorOf } from '../frame/tabular/tabular.js';
import { doublesOf } from '../frame/vector/plain-vector.js';
import { type Cell, cellAt, type Vector, vectorOfCells } from '../frame/vector/vector.js';
import { rowLists } from '../frame/verbs/row-groups.js';
import { argSort } from '../frame/verbs/sort-by.js';
import { amountsOf, refuseInfinite } from './records/amounts.js';
import {
  type GroupedRows,
  groupedRows,
  type KeyCells,
  type Keys,
  namesOf,
  refuseOwnColumn,
} from './records/grouped-rows.js';
import { sumsWithin } from './records/grouped-sums.js';
import { distinctMoments } from './records/moments.js';
import { faultsBy } from './records/record-faults.js';
import { noteOfStakes, returnsOf } from './roi.js';
import { refuseConfidence, wilsonInterval } from './statistics/wilson-interval.js';
import type { WinRateOptions } from './win-rate.js';

/** A row of {@link trackRecord}: a wallet, its results, and a note on what limits their meaning. */
export type TrackRecord<By extends string> = KeyCells<By> & {
  decided: number;
  rate: number;
  low: number;
  high: number;
  pnl: number;
  invested: number;
  roi: number;
  max_drawdown: number;
  active_days: number;
  first_date: string;
  last_date: string;
  note: string | null;
};

/** Options of {@link trackRecord}: who is compared, and when a note warns. */
export interface TrackRecordOptions<By extends string> extends WinRateOptions {
  /** The column that identifies who is compared, or a list of columns. Default `proxy_wallet`. */
  readonly by?: Keys<By>;
  /**
   * Wallets whose profit the data do not fully cover, as `oddslab data untracked --csv` prints them: the column of the
   * wallets, and `untracked_shares`, the shares that left a wallet although they were never seen to arrive. Only for
   * frames that do not know it themselves: see `completenessOf`. Default: none.
   */
  readonly untracked?: Tabular;
  /** Number of closing events below which a note warns about the win rate, at least 1. Default 30. */
  readonly minDecided?: number;
}

const DOLLARS = { dtype: 'float64', unit: 'USD', nullable: false } as const;
const SHARE = { dtype: 'float64', fraction: true, nullable: true } as const;
const DATE = { dtype: 'datetime', nullable: false } as const;

const COLUMNS = [
  { name: 'decided', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'Wins and losses.' },
  { name: 'rate', ...SHARE, meaning: 'Win rate: wins / decided, in [0, 1].' },
  { name: 'low', ...SHARE, meaning: 'Lower end of its Wilson interval.' },
  { name: 'high', ...SHARE, meaning: 'Upper end of its Wilson interval.' },
  { name: 'pnl', ...DOLLARS, meaning: 'Net realized profit and loss.' },
  { name: 'invested', ...DOLLARS, meaning: 'Dollars paid for buys and splits, of records with a pnl.' },
  { name: 'roi', ...SHARE, meaning: 'pnl / invested of records with both: 0.1 is 10%.' },
  {
    name: 'max_drawdown',
    ...DOLLARS,
    nullable: true,
    meaning: 'Deepest fall of cumulative PnL, the starting 0 counted.',
  },
  { name: 'active_days', dtype: 'int32', unit: 'days', nullable: false, meaning: 'Distinct dates that have a record.' },
  { name: 'first_date', ...DATE, meaning: 'First date that has a record, UTC.' },
  { name: 'last_date', ...DATE, meaning: 'Last date that has a record, UTC.' },
  { name: 'note', dtype: 'string', nullable: true, meaning: 'What speaks against reading much into the row.' },
] as const satisfies readonly Column[];

/**
 * Wallets side by side: how often they won, what they earned on what they invested, how far they fell, and for how long
 * they have been active. A note says where the data are too few to judge by, and what the wallet's record lacks, as far
 * as `completenessOf` knows it.
 *
 * Each column is what {@link winRate}, {@link roi} and {@link drawdown} give for the wallet's rows alone, except for
 * the last bits of sums of dollars: rates are pooled, and rows that lack a value are left out of the measures that need
 * it. `pnl` is that of all rows which have one, so that it fits the drawdown beside it; `roi` needs `invested`, too.
 *
 * @param frame PnL records in any order: needs `date`, `pnl`, `invested`, `wins`, `losses` and the column of the
 * wallets. `active_days` counts days only if the records are daily, as they are by default; coarser records also hide
 * falls. If each wallet has a frame of its own, join them with `concatRows` first.
 * @param options.by The column that identifies who is compared. Default `proxy_wallet`.
 * @param options.confidence Confidence of the Wilson intervals, in (0, 1). Default 0.95.
 * @param options.untracked Shares that left each wallet although they were never seen to arrive, as `untracked_shares`
 * beside the column of the wallets, from `oddslab data untracked --csv`: a note says that the PnL lacks what they made.
 * @param options.minDecided Number of closing events below which a note warns about the win rate. Default 30.
 * @returns A row for each wallet, the highest PnL first, equal ones by wallet. Rates are NaN where nothing was decided
 * or invested, and max_drawdown where no row has a `pnl`. `note` is null if there is nothing to note. No rows for a
 * frame without rows.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a count or `invested` is negative, or a date
 * cannot be read.
 * @throws {UsageError} If an option is unknown or out of range, or `by` names a column of the result.
 * @example trackRecord(pnl); // proxy_wallet, decided, rate, low, high, pnl, invested, roi, max_drawdown, …, note
 */
export function trackRecord<const By extends string = 'proxy_wallet'>(
  frame: Tabular,
  options: TrackRecordOptions<By> = {},
): DataFrame<TrackRecord<By>> {
  knownOptions('trackRecord', options, ['by', 'confidence', 'untracked', 'minDecided']);
  const { by = 'proxy_wallet' as By, confidence = 0.95, untracked, minDecided = 30 } = options;
  refuseConfidence(confidence);
  refuseOwnColumn('trackRecord', by, COLUMNS);
  if (!(typeof minDecided === 'number' && minDecided >= 1))
    throw new UsageError(`minDecided must be a number from 1 on, such as 30; got ${shownNumber(minDecided)}.`);
  const grouped = groupedRows(frame, by);
  const sumsOf = (names: readonly string[], counts: readonly string[]) =>
    sumsWithin(frame, grouped, names, counts).sums as [Float64Array, Float64Array];
  const [wins, losses] = sumsOf(['wins', 'losses'], ['wins', 'losses']);
  const [gained, invested] = sumsOf(['pnl', 'invested'], ['invested']);
  const [pnl] = sumsOf(['pnl'], []);
  const decided = wins.map((won, at) => won + (losses[at] as number));
  const intervals = Array.from(wins, (won, at) => wilsonInterval(won, decided[at] as number, confidence));
  const { drawdowns, days, first, last } = historiesOf(frame, grouped);
  const [who] = namesOf(by);
  const sharesOf = untracked === undefined || who === undefined ? () => 0 : untrackedBy(untracked, who);
  const faultsOf = faultsBy(frame);
  const notes = Array.from(decided, (count, at) => {
    const lack = lackOf(faultsOf(grouped.all, at), sharesOf(cellAt(grouped.keys, at)));
    return noteOf(count, gained[at] as number, invested[at] as number, lack, minDecided);
  });
  const vectors: Vector[] = [
    ...grouped.all.map(({ vector }) => vector),
    ...[
      decided,
      wins.map((won, at) => won / (decided[at] as number)),
      Float64Array.from(intervals, ({ low }) => low),
      Float64Array.from(intervals, ({ high }) => high),
      pnl,
      invested,
      returnsOf(gained, invested),
      drawdowns,
      days,
    ].map((values) => ({ kind: 'number', values }) as const),
    ...[first, last, notes].map((texts) => vectorOfCells(texts, 'text')),
  ];
  const result = frameFromVectors<TrackRecord<By>>(
    [...grouped.all.map(({ column }) => column), ...COLUMNS],
    vectors,
    frame,
  );
  const byPnl = [
    { column: 'pnl', descending: true },
    ...grouped.all.map(({ column }) => ({ column: column.name, descending: false })),
  ];
  return takeRows(result, argSort(result, byPnl));
}

/** A function that gives the untracked shares of a key; 0 if the frame does not have the key. */
function untrackedBy(frame: Tabular, by: string): (key: Cell) => number {
  const keys = vectorOf(frame, by);
  const shares = amountsOf(frame, 'untracked_shares');
  const sums = new Map<Cell, number>();
  for (let row = 0; row < shares.length; row += 1) {
    const key = comparable(cellAt(keys, row));
    sums.set(key, (sums.get(key) ?? 0) + ((shares[row] as number) || 0));
  }
  return (key) => sums.get(comparable(key)) ?? 0;
}

/** A key for comparison: ids are the same in upper and lower case. */
function comparable(key: Cell): Cell {
  return typeof key === 'string' && /^0x/i.test(key) ? key.toLowerCase() : key;
}

/** The smallest part of a share that the ledger counts. */
const LEAST_SHARES = 1e-6;

/** What a wallet's record lacks: what the service said of it, or else the untracked shares that were given. */
function lackOf(faults: readonly string[], untracked: number): string {
  if (faults.length > 0) return `incomplete record, which the PnL depends on: ${faults.join(', ')}`;
  if (untracked < LEAST_SHARES) return '';
  const shares = untracked.toLocaleString('en-US', { maximumFractionDigits: untracked < 1 ? 6 : 0 });
  return `${shares} shares left that were not seen to come: the PnL lacks what they made`;
}

function noteOf(decided: number, pnl: number, invested: number, lack: string, minDecided: number): string | null {
  const notes: string[] = [];
  if (decided === 0) notes.push('nothing decided: no win rate');
  else if (decided < minDecided) notes.push(`only ${decided} decided: too few to judge the win rate`);
  if (invested === 0) notes.push('nothing invested: no ROI');
  const stakes = noteOfStakes(pnl, invested);
  if (stakes !== '') notes.push(stakes);
  if (lack !== '') notes.push(lack);
  return notes.join('; ') || null;
}

/** What the dated records of each group show; one value per group. */
interface Histories {
  /** Deepest fall of cumulative PnL, in USD, as {@link drawdown} finds it; NaN if no record has a `pnl`. */
  readonly drawdowns: Float64Array;
  /** Number of distinct dates. */
  readonly days: Float64Array;
  /** First and last date, as ISO 8601 text. */
  readonly first: string[];
  readonly last: string[];
}

/**
 * Follows each group's PnL records through time, whatever the order of rows.
 *
 * @throws {ColumnError} If `date` or `pnl` is missing or of the wrong kind, `pnl` infinite, or a date cannot be read.
 */
function historiesOf(frame: Tabular, { groupOf, groups }: Pick<GroupedRows, 'groupOf' | 'groups'>): Histories {
  const { times, placeOf } = distinctMoments(frame, 'date');
  const pnl = doublesOf(numericVector(frame, 'pnl'));
  refuseInfinite('pnl', pnl);
  const { starts, rows } = rowLists(groupOf, groups, () => false);
  const histories: Histories = {
    drawdowns: new Float64Array(groups),
    days: new Float64Array(groups),
    first: [],
    last: [],
  };
  const dateOf = (row: number | undefined) => isoOfSeconds((times[placeOf[row ?? 0] ?? 0] ?? 0) / 1000);
  for (let group = 0; group < groups; group += 1) {
    const own = rows.subarray(starts[group], starts[group + 1]);
    if (!isAscending(own, placeOf)) own.sort((a, b) => (placeOf[a] as number) - (placeOf[b] as number));
    const { depth, dates } = follow(own, placeOf, pnl);
    histories.drawdowns[group] = depth;
    histories.days[group] = dates;
    histories.first.push(dateOf(own[0]));
    histories.last.push(dateOf(own.at(-1)));
  }
  return histories;
}

function isAscending(rows: Uint32Array, placeOf: Int32Array): boolean {
  for (let at = 1; at < rows.length; at += 1) {
    if ((placeOf[rows[at] as number] as number) < (placeOf[rows[at - 1] as number] as number)) return false;
  }
  return true;
}

/** Follows one group, in whole micro-dollars, which add up exactly. Records of one date count together. */
function follow(rows: Uint32Array, placeOf: Int32Array, pnl: Float64Array): { depth: number; dates: number } {
  let total = 0;
  let peak = 0;
  let depth = 0;
  let dates = 0;
  let seen = false;
  let place = rows.length > 0 ? (placeOf[rows[0] as number] as number) : -1;
  for (let at = 0; at < rows.length; at += 1) {
    const micros = Math.round((pnl[rows[at] as number] as number) * MICRO);
    if (!Number.isNaN(micros)) {
      total += micros;
      seen = true;
    }
    const next = at + 1 < rows.length ? (placeOf[rows[at + 1] as number] as number) : -1;
    if (next === place) continue;
    place = next;
    dates += 1;
    if (total > peak) peak = total;
    if (peak - total > depth) depth = peak - total;
  }
  return { depth: seen ? depth / MICRO : Number.NaN, dates };
}
