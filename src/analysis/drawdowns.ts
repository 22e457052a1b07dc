import { MICRO } from '../base/decimal.js';
import type { Column } from '../contract/definition.js';
import { DAY_SECONDS, isoOfSeconds } from '../contract/time.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { frameFromColumns } from '../frame/frame-from-columns.js';
import type { Tabular } from '../frame/tabular.js';
import { type Fall, fallsOf } from './falls-of.js';
import { type PnlCurve, pnlCurve } from './pnl-curve.js';

/** A row of {@link drawdowns}: one fall of cumulative PnL. */
export interface DrawdownRecord {
  depth: number;
  from: string | null;
  to: string;
  recovered: string | null;
  days: number;
}

const COLUMNS = [
  {
    name: 'depth',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    meaning: 'From the highest point before to the lowest.',
  },
  {
    name: 'from',
    dtype: 'datetime',
    nullable: true,
    meaning: 'Date of the highest point; missing where that is the starting 0.',
  },
  { name: 'to', dtype: 'datetime', nullable: false, meaning: 'Date of the lowest point.' },
  {
    name: 'recovered',
    dtype: 'datetime',
    nullable: true,
    meaning: 'Date on which the highest point was reached again; missing where it has not been.',
  },
  {
    name: 'days',
    dtype: 'float64',
    unit: 'days',
    nullable: false,
    meaning: 'From the highest point, or from the first date, until it was reached again, or to the last date.',
  },
] as const satisfies readonly Column[];

/**
 * Every drawdown: each fall of cumulative realized PnL below its highest point so far, until that point was reached
 * again. The starting 0 counts as a point. The depth of the first row is the maximum drawdown.
 *
 * depth = highest cumulative_pnl before − lowest cumulative_pnl within the fall, as {@link drawdown} defines it.
 *
 * @param frame PnL records in any order: needs `date` and `pnl`. Several wallets are pooled, date by date; rows without
 * a `pnl` are left out. The shorter the buckets, the more falls are seen.
 * @returns A row for each fall, the deepest first, and the earlier of equal ones first; depths in USD, exact to the
 * micro-dollar as long as no amount is beyond ±2 billion dollars (2⁵¹ micro-dollars). No rows for a frame without rows,
 * or if cumulative PnL never fell.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, or a date cannot be read.
 * @example drawdowns(pnl).head(3); // depth, from, to, recovered, days
 */
export function drawdowns(frame: Tabular): DataFrame<DrawdownRecord> {
  const curve = pnlCurve(frame);
  const falls = fallsOf(curve).sort((a, b) => b.depth - a.depth);
  const dateAt = (place: number) => (place < 0 ? null : isoOfSeconds((curve.times[place] as number) / 1000));
  return frameFromColumns<DrawdownRecord>(
    COLUMNS,
    [
      falls.map(({ depth }) => depth / MICRO),
      falls.map(({ from }) => dateAt(from)),
      falls.map(({ to }) => dateAt(to)),
      falls.map(({ recovered }) => dateAt(recovered)),
      falls.map((fall) => daysOf(fall, curve)),
    ],
    frame,
  );
}

function daysOf({ from, recovered }: Fall, { times }: PnlCurve): number {
  const start = times[Math.max(from, 0)] as number;
  const end = times[recovered < 0 ? times.length - 1 : recovered] as number;
  return (end - start) / 1000 / DAY_SECONDS;
}
