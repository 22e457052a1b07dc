import type { Tabular } from '../frame/tabular.js';
import { doublesOf, numericVector } from '../frame/vector/plain-vector.js';
import { type RowGroups, rowGroups } from '../frame/verbs/row-groups.js';
import { groupTotals } from './group-totals.js';
import { refuseAmount } from './refuse-amount.js';
import { type SortedAmounts, sortAmounts } from './sort-amounts.js';

/**
 * A column of amounts, which must be neither negative nor infinite; NaN where missing. Not a copy: never change it.
 *
 * @throws {ColumnError} If the column is missing, not numeric, or an amount is negative or infinite.
 */
export function amountsOf(frame: Tabular, name: string): Float64Array {
  const amounts = doublesOf(numericVector(frame, name));
  const unfit = firstUnfit(amounts);
  if (unfit >= 0) refuseAmount(name, amounts[unfit] as number, unfit);
  return amounts;
}

/** The first row whose amount is negative or infinite; -1 where there is none. */
function firstUnfit(amounts: Float64Array): number {
  for (let row = 0; row < amounts.length; row += 1) {
    const amount = amounts[row] as number;
    if (amount < 0 || amount === Number.POSITIVE_INFINITY) return row;
  }
  return -1;
}

/**
 * The amounts that are not missing, or their sums by group, from least to greatest.
 *
 * @param by The column to group by; rows without a value there form one group. Groups without any amount are left out.
 *   Undefined: no grouping.
 * @throws {ColumnError} If a column is missing, not numeric, or an amount is negative or infinite.
 */
export function sortedAmounts(frame: Tabular, name: string, by: string | undefined): SortedAmounts {
  const amounts = amountsOf(frame, name);
  return sortAmounts(by === undefined ? amounts : presentTotals(amounts, rowGroups(frame, [by])));
}

/** Sums by group; NaN for a group without any amount. */
function presentTotals(amounts: Float64Array, groups: RowGroups): Float64Array {
  const totals = groupTotals(amounts, groups);
  const isPresent = new Uint8Array(totals.length);
  for (let row = 0; row < amounts.length; row += 1) {
    if (!Number.isNaN(amounts[row])) isPresent[groups.groupOf[row] as number] = 1;
  }
  return totals.map((total, group) => (isPresent[group] === 1 ? total : Number.NaN));
}
