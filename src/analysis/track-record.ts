import type { Column } from '../contract/column.js';
import { knownOptions } from '../contract/known-options.js';
import { UsageError } from '../errors.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { frameFromVectors } from '../frame/frame-from-vectors.js';
import type { Cell, Tabular } from '../frame/tabular.js';
import { cellAt, type Vector, vectorOfCells } from '../frame/vector/vector.js';
import { vectorOf } from '../frame/vector/vectors-of.js';
import { argSort } from '../frame/verbs/arg-sort.js';
import { takeRows } from '../frame/verbs/take-rows.js';
import { amountsOf } from './amounts-of.js';
import { completeNumbers } from './complete-numbers.js';
import { type GroupedRows, groupedRows } from './grouped-rows.js';
import { historiesOf } from './histories-of.js';
import { refuseOwnColumn } from './refuse-own-column.js';
import { sumsByGroup } from './sums-by-group.js';
import { wilsonInterval } from './wilson-interval.js';
import { refuseConfidence, type WinRateOptions } from './win-rate.js';

/** A row of {@link trackRecord}: a wallet, how it did, and what speaks against reading much into that. */
export type TrackRecord<By extends string> = {
  [Key in By]: By extends 'proxy_wallet' ? string : Cell;
} & {
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

/** Whom {@link trackRecord} compares, and when it warns. */
export interface TrackRecordOptions<By extends string> extends WinRateOptions {
  /** The column that tells apart who is compared. Default `proxy_wallet`. */
  readonly by?: By;
  /**
   * Wallets whose profit the data does not cover: the column of the wallets and `untracked_shares`, shares that left a
   * wallet which were not seen to get to it, as `oddslab data untracked --csv` prints them. Default: none.
   */
  readonly untracked?: Tabular;
  /** Closing events below which a win rate is not to be relied on, from 1 on. Default 30. */
  readonly minDecided?: number;
}

const DOLLARS = { dtype: 'float64', unit: 'USD', nullable: false } as const;
const SHARE = { dtype: 'float64', nullable: true } as const;
const DATE = { dtype: 'datetime', nullable: false } as const;

const COLUMNS = [
  { name: 'decided', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'Wins and losses.' },
  { name: 'rate', ...SHARE, meaning: 'Win rate: wins / decided, in [0, 1].' },
  { name: 'low', ...SHARE, meaning: 'Lower end of its Wilson interval.' },
  { name: 'high', ...SHARE, meaning: 'Upper end of its Wilson interval.' },
  { name: 'pnl', ...DOLLARS, meaning: 'Net realized profit and loss.' },
  { name: 'invested', ...DOLLARS, meaning: 'Dollars paid for buys and splits.' },
  { name: 'roi', ...SHARE, meaning: 'pnl / invested, as a fraction: 0.1 is 10%.' },
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
 * Wallets side by side: how often they won, what they made of what they invested, how far they fell, and for how long
 * they have been at it. A note says where there is too little to go by.
 *
 * Each column is what {@link winRate}, {@link roi} and {@link drawdown} answer for the wallet's rows alone, but for the last
 * bits of sums of dollars: rates are pooled, and rows that lack a value are left out of the measures that need it.
 *
 * @param frame PnL records of several wallets in any order: needs `date`, `pnl`, `invested`, `wins`, `losses` and the
 * column of the wallets. `active_days` counts days where the records are daily, as they are by default; coarser ones
 * hide falls, too. Frames of their own are joined by `concatRows` before.
 * @param options.by The column that tells apart who is compared. Default `proxy_wallet`.
 * @param options.confidence Of the Wilson intervals, in (0, 1). Default 0.95.
 * @param options.untracked Shares that left each wallet which were not seen to get to it, as `untracked_shares` beside
 * the column of the wallets: a note says that its profit lacks what they made. From `oddslab data untracked --csv`.
 * @param options.minDecided Closing events below which a note warns of the win rate. Default 30.
 * @returns A row per wallet by falling PnL, then by wallet; rates are NaN where nothing was decided or invested; no rows
 * for a frame without any. `note` is null where nothing speaks against the row.
 * @throws {ColumnError} If a column is missing, not numeric, infinite, or negative where it counts, or a date cannot be
 * read.
 * @throws {UsageError} If an option is not known or out of its range, or `by` names a column of the result.
 * @example trackRecord(pnl); // proxy_wallet, decided, rate, low, high, pnl, invested, roi, max_drawdown, …, note
 */
export function trackRecord<const By extends string = 'proxy_wallet'>(
  frame: Tabular,
  options: TrackRecordOptions<By> = {},
): DataFrame<TrackRecord<By>> {
  knownOptions('trackRecord', options, ['by', 'confidence', 'untracked', 'minDecided']);
  const { by = 'proxy_wallet', confidence = 0.95, untracked, minDecided = 30 } = options;
  refuseConfidence(confidence);
  refuseOwnColumn('trackRecord', by, COLUMNS);
  if (!(minDecided >= 1)) throw new UsageError(`minDecided must be a number from 1 on, such as 30; got ${minDecided}.`);
  const grouped = groupedRows(frame, by);
  const [wins, losses] = sumsOf(frame, ['wins', 'losses'], ['wins', 'losses'], grouped);
  const [pnl, invested] = sumsOf(frame, ['pnl', 'invested'], ['invested'], grouped);
  const decided = wins.map((won, at) => won + (losses[at] as number));
  const intervals = Array.from(wins, (won, at) => wilsonInterval(won, decided[at] as number, confidence));
  const { drawdowns, days, first, last } = historiesOf(frame, grouped);
  const sharesOf = untracked === undefined ? () => 0 : untrackedBy(untracked, by);
  const notes = Array.from(decided, (count, at) =>
    noteOf(count, invested[at] as number, sharesOf(cellAt(grouped.keys, at)), minDecided),
  );
  const vectors: Vector[] = [
    grouped.keys,
    ...[
      decided,
      wins.map((won, at) => won / (decided[at] as number)),
      Float64Array.from(intervals, ({ low }) => low),
      Float64Array.from(intervals, ({ high }) => high),
      pnl,
      invested,
      pnl.map((gain, at) => ((invested[at] as number) > 0 ? gain / (invested[at] as number) : Number.NaN)),
      drawdowns,
      days,
    ].map((values) => ({ kind: 'number', values }) as const),
    ...[first, last, notes].map((texts) => vectorOfCells(texts, 'text')),
  ];
  const result = frameFromVectors<TrackRecord<By>>([grouped.key, ...COLUMNS], vectors, frame);
  const byPnl = [
    { column: 'pnl', descending: true },
    { column: by, descending: false },
  ];
  return takeRows(result, argSort(result, byPnl));
}

/** The sums of two columns over the rows of each group that lack neither. */
function sumsOf(
  frame: Tabular,
  names: readonly [string, string],
  counts: readonly string[],
  grouped: GroupedRows,
): [Float64Array, Float64Array] {
  const { values, rows } = completeNumbers(frame, names, { counts });
  const [one, other] = values.map((all) => sumsByGroup(all, rows, grouped));
  return [one ?? new Float64Array(0), other ?? new Float64Array(0)];
}

/** The shares of a key that left untracked; 0 where the frame does not name it. */
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

/** Ids are the same in capitals. */
function comparable(key: Cell): Cell {
  return typeof key === 'string' && /^0x/i.test(key) ? key.toLowerCase() : key;
}

/** The ledger counts no smaller part of a share. */
const LEAST_SHARES = 1e-6;

function noteOf(decided: number, invested: number, untracked: number, minDecided: number): string | null {
  const notes: string[] = [];
  if (decided === 0) notes.push('nothing decided: no win rate');
  else if (decided < minDecided) notes.push(`only ${decided} decided: too few to judge the win rate`);
  if (invested === 0) notes.push('nothing invested: no ROI');
  if (untracked >= LEAST_SHARES) {
    const shares = untracked.toLocaleString('en-US', { maximumFractionDigits: untracked < 1 ? 6 : 0 });
    notes.push(`${shares} shares left that were not seen to come: the PnL lacks what they made`);
  }
  return notes.join('; ') || null;
}
