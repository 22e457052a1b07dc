import { MICRO } from '../base/decimal.js';
import { isoOfSeconds } from '../contract/time.js';
import type { Tabular } from '../frame/tabular.js';
import { doublesOf, numericVector } from '../frame/vector/plain-vector.js';
import { rowLists } from '../frame/verbs/row-lists.js';
import { distinctMoments } from './distinct-moments.js';
import type { GroupedRows } from './grouped-rows.js';
import { refuseInfinite } from './refuse-amount.js';

/** What the dated records of each group show; one value per group. */
export interface Histories {
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
export function historiesOf(frame: Tabular, { groupOf, groups }: Pick<GroupedRows, 'groupOf' | 'groups'>): Histories {
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
