import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import type { Column } from '../contract/definition.js';
import { isoOfSeconds } from '../contract/time.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { type ByOption, type GroupRecord, measureGroups, type Ungrouped } from './records/by-group.js';
import type { Keys } from './records/grouped-rows.js';
import { pnlCurve } from './records/pnl-curve.js';
import { shownResult } from './shown-result.js';

/** A run of buckets that all won, or all lost. */
export interface Streak {
  /** Number of buckets with a result. */
  readonly length: number;
  /** Date of its first bucket; null for a run of none. */
  readonly from: string | null;
  /** Date of its last bucket; null for a run of none. */
  readonly to: string | null;
}

/** The longest winning and losing runs, and the current run. */
export interface Streaks {
  readonly longestWinning: Streak;
  readonly longestLosing: Streak;
  /** The run to which the last bucket with a result belongs, and whether it wins or loses; null if there is none. */
  readonly current: (Streak & { readonly result: 'win' | 'loss' }) | null;
}

/** The runs of a group in {@link streaks} with `by`: lengths in buckets, dates null and `currentResult` for none. */
export interface StreakFigures {
  readonly winning: number;
  readonly winningFrom: string | null;
  readonly winningTo: string | null;
  readonly losing: number;
  readonly losingFrom: string | null;
  readonly losingTo: string | null;
  readonly current: number;
  readonly currentResult: 'win' | 'loss' | null;
  readonly currentFrom: string | null;
}

const LENGTH = { dtype: 'int32', unit: 'buckets', nullable: false } as const;
const DATE = { dtype: 'datetime', nullable: true } as const;

const COLUMNS: readonly Column[] = [
  { name: 'winning', ...LENGTH, meaning: 'The longest winning run.' },
  { name: 'winning_from', ...DATE, meaning: 'Date of its first bucket.' },
  { name: 'winning_to', ...DATE, meaning: 'Date of its last bucket.' },
  { name: 'losing', ...LENGTH, meaning: 'The longest losing run.' },
  { name: 'losing_from', ...DATE, meaning: 'Date of its first bucket.' },
  { name: 'losing_to', ...DATE, meaning: 'Date of its last bucket.' },
  { name: 'current', ...LENGTH, meaning: 'The run to which the last bucket with a result belongs.' },
  { name: 'current_result', dtype: 'string', nullable: true, meaning: 'Whether it is of wins or losses: win or loss.' },
  { name: 'current_from', ...DATE, meaning: 'Date of its first bucket.' },
];

function figuresOf({ longestWinning, longestLosing, current }: Streaks): StreakFigures {
  return {
    winning: longestWinning.length,
    winningFrom: longestWinning.from,
    winningTo: longestWinning.to,
    losing: longestLosing.length,
    losingFrom: longestLosing.from,
    losingTo: longestLosing.to,
    current: current?.length ?? 0,
    currentResult: current?.result ?? null,
    currentFrom: current?.from ?? null,
  };
}

const NONE: Streak = { length: 0, from: null, to: null };

/**
 * Runs of winning and of losing buckets: the longest of each kind, the first of several equal ones, and the current
 * one. A bucket wins with a `pnl` above 0 and loses with one below 0; buckets of 0 are skipped and do not end a run.
 *
 * Long runs occur by chance alone: in n even bets the longest winning run has a length of about log₂(n / 2), or 7 in
 * 250.
 *
 * @param frame PnL records in any order: needs `date` and `pnl`. Several wallets are pooled, date by date; rows without
 * a `pnl` are left out. A bucket is as long as it was queried.
 * @param options.by A column such as `proxy_wallet`, `day`, `week`, `month` or `weekday` of `date`, or a list of them:
 * one row for each group, its figures as columns. Default: all rows together.
 * @returns Lengths in buckets, and dates; without any result, lengths of 0 and no current run.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are of the
 * whole time (`granularity: 'all'`).
 * @throws {UsageError} If an option is unknown, or `by` names a column of the result.
 * @see Schilling (1990), The longest run of heads.
 * @example streaks(pnl).longestLosing; // { length: 5, from: '2026-01-05T00:00:00Z', to: '2026-01-09T00:00:00Z' }
 */
export function streaks(frame: Tabular, options?: Ungrouped): Streaks;
export function streaks<const By extends string>(
  frame: Tabular,
  options: ByOption<By>,
): DataFrame<GroupRecord<By, StreakFigures>>;
export function streaks(frame: Tabular, options: { by?: Keys | undefined } = {}): object {
  knownOptions('streaks', options, ['by']);
  if (options.by !== undefined)
    return measureGroups('streaks', frame, options.by, COLUMNS, (rows) => figuresOf(streaks(rows)));
  const { times, micros } = pnlCurve(frame);
  let [longestWinning, longestLosing] = [NONE, NONE];
  let current: Streaks['current'] = null;
  for (let at = 0; at < micros.length; at += 1) {
    if (micros[at] === 0) continue;
    const result = (micros[at] as number) > 0 ? 'win' : 'loss';
    const date = isoOfSeconds((times[at] as number) / 1000);
    const before: Streak = current?.result === result ? current : { ...NONE, from: date };
    const streak: Streak = { length: before.length + 1, from: before.from, to: date };
    current = { result, ...streak };
    if (result === 'win' && streak.length > longestWinning.length) longestWinning = streak;
    if (result === 'loss' && streak.length > longestLosing.length) longestLosing = streak;
  }
  return shownResult({ longestWinning, longestLosing, current }, frame, [
    ['Longest winning run', textOf(longestWinning)],
    ['Longest losing run', textOf(longestLosing)],
    [
      'Current run',
      current === null ? 'none' : `${textOf(current)}, ${current.result === 'win' ? 'winning' : 'losing'}`,
    ],
  ]);
}

function textOf({ length, from, to }: Streak): string {
  if (from === null || to === null) return 'none';
  const buckets = counted(length, 'bucket');
  return `${buckets}, ${from.slice(0, 10)} to ${to.slice(0, 10)}`;
}
