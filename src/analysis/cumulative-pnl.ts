import { MICRO } from '../base/decimal.js';
import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { completeNumbers, everyRow } from './records/complete-numbers.js';
import { groupedRows, type KeyCells, type Keys, refuseOwnColumn } from './records/grouped-rows.js';
import { distinctMoments } from './records/moments.js';
import { pnlCurve } from './records/pnl-curve.js';
import { refuseCoarser } from './records/record-granularity.js';
import { type Line, linesApart, type Timelines, timelineFrame } from './records/timelines.js';

/** A row of {@link cumulativePnl}; the key of the curve comes first if the curves are kept apart. */
export type CumulativePnlRecord<By extends string = never> = KeyCells<By> & {
  date: string;
  pnl: number;
  cumulative_pnl: number;
  drawdown: number;
};

const COLUMNS = [
  { name: 'date', dtype: 'datetime', nullable: false, meaning: 'First moment of the bucket, UTC.' },
  {
    name: 'pnl',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    meaning: 'Net realized profit and loss of the bucket.',
  },
  {
    name: 'cumulative_pnl',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    meaning: 'Net realized profit and loss up to the end of the bucket.',
  },
  {
    name: 'drawdown',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    meaning: 'Dollars below the highest cumulative PnL so far, the starting 0 counted.',
  },
] as const satisfies readonly Column[];

/**
 * Cumulative realized profit and loss.
 *
 * cumulative_pnl = Σ pnl up to and including the date; drawdown = max(0, highest cumulative_pnl so far) −
 * cumulative_pnl.
 *
 * @param frame PnL records in any order: needs `date` and `pnl`. Several wallets are pooled, date by date, unless `by`
 * keeps them apart; rows without a `pnl` are left out.
 * @param options.by A column whose values have a curve each, such as `proxy_wallet`, or a list. Default: one curve.
 * @returns A row for each curve and date, in order, in USD: exact to the micro-dollar as long as no amount is beyond ±2
 * billion dollars (2⁵¹ micro-dollars), and rounded as doubles are beyond. No rows for a frame without rows.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are of the
 * whole time (`granularity: 'all'`).
 * @throws {UsageError} If an option is unknown, or `by` names a column of the result.
 * @example cumulativePnl(pnl).tail(1); // date, pnl, cumulative_pnl, drawdown
 */
export function cumulativePnl<const By extends string = never>(
  frame: Tabular,
  options: { by?: Keys<By> } = {},
): DataFrame<CumulativePnlRecord<By>> {
  knownOptions('cumulativePnl', options, ['by']);
  const { by } = options;
  if (by !== undefined) refuseOwnColumn('cumulativePnl', by, COLUMNS);
  const curves = by === undefined ? pooled(frame) : apart(frame, by);
  const [micros = new Float64Array(0)] = curves.sums;
  return timelineFrame(frame, COLUMNS, draw(micros, curves.lines), curves);
}

/** One curve of all wallets together. */
function pooled(frame: Tabular): Timelines {
  const { times, micros } = pnlCurve(frame);
  const lines = [{ group: 0, start: 0, end: times.length }];
  return { lines, times, keys: [], places: everyRow(times.length), sums: [micros] };
}

/** One curve per key. */
function apart(frame: Tabular, by: Keys): Timelines {
  // The date of a record of the whole time is no day of profit.
  refuseCoarser(frame, '1m');
  const { values, rows } = completeNumbers(frame, ['pnl']);
  const micros = values.map((all) => all.map((dollars) => Math.round(dollars * MICRO)));
  return linesApart({ values: micros, rows }, distinctMoments(frame, 'date'), groupedRows(frame, by));
}

/** For each date, in dollars: the PnL, the cumulative PnL, and its depth below the highest point so far. */
function draw(micros: Float64Array, lines: readonly Line[]): Float64Array[] {
  const [totals, below] = [new Float64Array(micros.length), new Float64Array(micros.length)];
  for (const { start, end } of lines) {
    let [total, peak] = [0, 0];
    for (let at = start; at < end; at += 1) {
      total += micros[at] as number;
      if (total > peak) peak = total;
      totals[at] = total / MICRO;
      below[at] = (peak - total) / MICRO;
    }
  }
  return [micros.map((value) => value / MICRO), totals, below];
}
