import { counted } from '../base/texts.js';
import { isoOfSeconds } from '../contract/time.js';
import type { Tabular } from '../frame/tabular/tabular.js';
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
 * @returns Lengths in buckets, and dates; without any result, lengths of 0 and no current run.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, or a date cannot be read.
 * @see Schilling (1990), The longest run of heads.
 * @example streaks(pnl).longestLosing; // { length: 5, from: '2026-01-05T00:00:00Z', to: '2026-01-09T00:00:00Z' }
 */
export function streaks(frame: Tabular): Streaks {
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
  return shownResult({ longestWinning, longestLosing, current }, [
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
