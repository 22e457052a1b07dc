import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { frameFromVectors } from '../frame/frame-from-vectors.js';
import type { Cell, Tabular } from '../frame/tabular.js';
import { takeVector } from '../frame/vector/take-vector.js';
import { byKey, isPeriod, type Period } from './grouped-rows.js';
import { groupedSums } from './grouped-sums.js';
import { refuseOwnColumn } from './refuse-own-column.js';
import { gainAndStake } from './roi.js';

/**
 * A row of {@link roiBy}: the key of a group, its return and the dollars behind it.
 */
export type RoiRecord<By extends string> = {
  [Key in By extends Period ? 'date' : By]: By extends Period | 'proxy_wallet' ? string : Cell;
} & { roi: number; pnl: number; invested: number };

const COLUMNS = [
  { name: 'roi', dtype: 'float64', nullable: true, meaning: 'pnl / invested, as a fraction: 0.1 is 10%.' },
  { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Net realized profit and loss.' },
  { name: 'invested', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Dollars paid for buys and splits.' },
] as const satisfies readonly Column[];

/**
 * Returns on investment by group, each pooled as `roi` does: Σ pnl / Σ invested of the group. What was invested in one
 * period may be realized in a later one, so that the return of a single period can be far from what its bets earned;
 * that of a wallet's whole history is not.
 *
 * @param frame PnL records (`pnl` and `invested`) with `date` or the column of the groups, or lifetime records
 * (`total_pnl` and `total_invested`). Rows that lack either number are left out.
 * @param options.by `day`, `week` or `month` of `date`, in UTC, or the name of a column. Default `month`.
 * @returns A row for each group: periods in order, in a column `date`; other groups by return, the highest first.
 * Returns are fractions, NaN in groups that invested nothing; of groups that are no periods, those come last. No rows
 * for a frame without rows.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, `invested` negative, a date cannot be read, or
 * the records are coarser than the period.
 * @throws {UsageError} If an option is unknown, or `by` names a column of the result.
 * @example roiBy(pnl, { by: 'proxy_wallet' }); // proxy_wallet, roi, pnl, invested
 */
export function roiBy<By extends string = 'month'>(
  frame: Tabular,
  options: { by?: By } = {},
): DataFrame<RoiRecord<By>> {
  knownOptions('roiBy', options, ['by']);
  const by = options.by ?? 'month';
  refuseOwnColumn('roiBy', by, COLUMNS);
  const names = gainAndStake(frame);
  const { grouped, sums, present: order } = groupedSums(frame, by, names, names.slice(1));
  const [pnl, invested] = sums as [Float64Array, Float64Array];
  const roi = pnl.map((gain, group) =>
    (invested[group] as number) > 0 ? gain / (invested[group] as number) : Number.NaN,
  );
  if (!isPeriod(by)) {
    const rank = (group: number) => (Number.isNaN(roi[group]) ? Number.NEGATIVE_INFINITY : (roi[group] as number));
    const ties = byKey(grouped);
    order.sort((a, b) => (rank(a) === rank(b) ? ties(a, b) : rank(b) - rank(a)));
  }
  const take = (all: Float64Array) => takeVector({ kind: 'number', values: all }, order);
  return frameFromVectors<RoiRecord<By>>(
    [grouped.key, ...COLUMNS],
    [takeVector(grouped.keys, order), take(roi), take(pnl), take(invested)],
    frame,
  );
}
