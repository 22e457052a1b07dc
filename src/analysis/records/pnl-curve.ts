import { MICRO } from '../../base/decimal.js';
import type { Granularity } from '../../contract/time.js';
import { numericVector, type Tabular } from '../../frame/tabular/tabular.js';
import { doublesOf } from '../../frame/vector/plain-vector.js';
import { refuseInfinite } from './amounts.js';
import { datesOf } from './moments.js';
import { refuseCoarser } from './record-granularity.js';

/** Profit and loss over time: one sum for each moment that has any. */
export interface PnlCurve {
  /** Ascending, in milliseconds since 1970. */
  readonly times: Float64Array;
  /**
   * In whole micro-dollars, which add up exactly below 2⁵³, so that neither the order of rows nor rounding can fake a
   * fall.
   */
  readonly micros: Float64Array;
}

/**
 * Realized profit and loss by date, wallets pooled; rows without a `pnl` are left out.
 *
 * @param most The coarsest granularity of records that is taken.
 * @throws {ColumnError} If `date` or `pnl` is missing, not numeric or infinite, a date cannot be read, or the records are
 *   coarser.
 */
export function pnlCurve(frame: Tabular, most: Granularity = '1m'): PnlCurve {
  const { codes, times, refuse } = datesOf(frame, 'date');
  // The date of a record of the whole time is that of no profit.
  refuseCoarser(frame, most);
  const pnl = doublesOf(numericVector(frame, 'pnl'));
  const micros = new Float64Array(times.length);
  const seen = new Uint8Array(times.length);
  for (let row = 0; row < pnl.length; row += 1) {
    const value = Math.round((pnl[row] as number) * MICRO);
    if (Number.isNaN(value)) continue;
    const code = codes[row] as number;
    if (code < 0) refuse(row);
    micros[code] = (micros[code] as number) + value;
    seen[code] = 1;
  }
  const unread = times.findIndex((time, code) => seen[code] === 1 && Number.isNaN(time));
  if (unread >= 0) refuse(codes.indexOf(unread));
  if (!micros.every(Number.isFinite)) refuseInfinite('pnl', pnl);
  return inOrder(times, micros, seen);
}

/** Puts the sums in order of time and merges texts that name the same moment. */
function inOrder(times: Float64Array, micros: Float64Array, seen: Uint8Array): PnlCurve {
  const sums = new Map<number, number>();
  for (let code = 0; code < times.length; code += 1) {
    const time = times[code] as number;
    if (seen[code] === 1) sums.set(time, (sums.get(time) ?? 0) + (micros[code] as number));
  }
  const sorted = Float64Array.from(sums.keys()).sort();
  return { times: sorted, micros: sorted.map((time) => sums.get(time) ?? 0) };
}

/** A fall of cumulative PnL below its highest point so far, until that is reached again. Places index the curve. */
export interface Fall {
  /** In micro-dollars, from the highest point to the lowest. */
  readonly depth: number;
  /** Place of the highest point; -1 where that is the starting 0. */
  readonly from: number;
  /** Place of the lowest point, the first of several. */
  readonly to: number;
  /** Place at which the highest point was reached again; -1 where it has not been. */
  readonly recovered: number;
}

/** Every fall of a curve, in the order of time. */
export function fallsOf({ micros }: Pick<PnlCurve, 'micros'>): Fall[] {
  const falls: Fall[] = [];
  let [total, peak, from, depth, to] = [0, 0, -1, 0, -1];
  for (let place = 0; place < micros.length; place += 1) {
    total += micros[place] as number;
    if (total < peak) {
      if (peak - total > depth) [depth, to] = [peak - total, place];
      continue;
    }
    if (depth > 0) falls.push({ depth, from, to, recovered: place });
    [peak, from, depth] = [total, place, 0];
  }
  if (depth > 0) falls.push({ depth, from, to, recovered: -1 });
  return falls;
}
