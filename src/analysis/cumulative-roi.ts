import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { type KeyCells, type Keys, refuseOwnColumn } from './records/grouped-rows.js';
import { refuseCoarser } from './records/record-granularity.js';
import { type Line, timelineFrame, timelines } from './records/timelines.js';

/** A row of {@link cumulativeRoi}; the key of the curve comes first if the curves are kept apart. */
export type CumulativeRoiRecord<By extends string = never> = KeyCells<By> & {
  date: string;
  roi: number;
  pnl: number;
  invested: number;
};

const COLUMNS = [
  { name: 'date', dtype: 'datetime', nullable: false, meaning: 'First moment of the bucket, UTC.' },
  {
    name: 'roi',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'pnl / invested up to the end of the bucket: 0.1 is 10%.',
  },
  {
    name: 'pnl',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    meaning: 'Net realized profit and loss up to the end of the bucket.',
  },
  {
    name: 'invested',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    meaning: 'Dollars paid for buys and splits up to the end of the bucket.',
  },
] as const satisfies readonly Column[];

/**
 * Return on investment to date: Σ pnl up to the date / Σ invested up to the date. The return of a single period can
 * mislead, because its profit may come from what an earlier period invested; this one settles with time, and its last
 * value is that of `roi`.
 *
 * @param frame PnL records in any order: needs `date`, `pnl` and `invested`. Several wallets are pooled, date by date,
 * unless `by` keeps them apart; rows that lack `pnl` or `invested` are left out.
 * @param options.by A column whose values have a curve each, such as `proxy_wallet`, or a list. Default: one curve.
 * @returns A row for each curve and date, in order. Returns are fractions (0.1 is 10%), NaN until something was
 * invested. No rows for a frame without rows.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, `invested` negative, a date cannot be read, or
 * the records are of the whole time (`granularity: 'all'`).
 * @throws {UsageError} If an option is unknown, or `by` names a column of the result.
 * @example cumulativeRoi(pnl).tail(1); // date, roi, pnl, invested
 */
export function cumulativeRoi<const By extends string = never>(
  frame: Tabular,
  options: { by?: Keys<By> } = {},
): DataFrame<CumulativeRoiRecord<By>> {
  knownOptions('cumulativeRoi', options, ['by']);
  const { by } = options;
  if (by !== undefined) refuseOwnColumn('cumulativeRoi', by, COLUMNS);
  // The date of a record of the whole time is no day of profit.
  refuseCoarser(frame, '1m');
  const curves = timelines(frame, by, ['pnl', 'invested'], ['invested']);
  const [pnl, invested] = curves.sums.map((dollars) => running(dollars, curves.lines)) as [Float64Array, Float64Array];
  const roi = pnl.map((gain, at) => ((invested[at] as number) > 0 ? gain / (invested[at] as number) : Number.NaN));
  return timelineFrame(frame, COLUMNS, [roi, pnl, invested], curves);
}

/** Running sums of each line. */
function running(dollars: Float64Array, lines: readonly Line[]): Float64Array {
  const totals = new Float64Array(dollars.length);
  for (const { start, end } of lines) {
    let total = 0;
    for (let at = start; at < end; at += 1) {
      total += dollars[at] as number;
      totals[at] = total;
    }
  }
  return totals;
}
