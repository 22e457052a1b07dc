import type { PnlCurve } from './pnl-curve.js';

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
