import { itemAt } from '../base/item-at.js';
import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { columnNames, type Tabular } from '../frame/tabular/tabular.js';
import { type ByOption, describedGroups, groupTable, type Ungrouped } from './records/by-group.js';
import { completeTotals, completeTotalsOf } from './records/complete-numbers.js';
import {
  type GroupedRows,
  isInOrder,
  type KeyCells,
  type Keys,
  orderGroups,
  refuseOwnColumn,
} from './records/grouped-rows.js';
import { groupedSums } from './records/grouped-sums.js';
import { formatPercent, formatUsd, shownResult } from './shown-result.js';

/** A return on investment and the dollars behind it. */
export interface Roi {
  /** pnl / invested, as a fraction: 0.1 is 10%. */
  readonly roi: number;
  /** Net realized profit and loss, in USD. */
  readonly pnl: number;
  /** Dollars paid for buys and splits, in USD. */
  readonly invested: number;
}

/**
 * Return on investment, pooled over all rows: Σ pnl / Σ invested, never an average of returns. What was invested in one
 * bucket may be realized in a later one, so this measure means most over a wallet's whole history. Of a part of it, the
 * return can even be below −1: bets that were lost had been paid for before, so that more was lost than these rows
 * invested; the shown result then says so.
 *
 * @param frame PnL records (`pnl` and `invested`), or lifetime records (`total_pnl` and `total_invested`), of one
 * wallet or several. Rows that lack either number are left out, so that `pnl` is that of the rows behind the return.
 * @param options.by A row for each group instead, as {@link roiBy} gives them.
 * @returns The return as a fraction, and the sums in USD. The return is NaN where nothing was invested.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, or `invested` negative.
 * @example roi(pnl); // { roi: 0.125, pnl: 250, invested: 2000 }
 */
export function roi(frame: Tabular, options?: Ungrouped): Roi;
export function roi<const By extends string>(frame: Tabular, options: ByOption<By>): DataFrame<RoiRecord<By>>;
export function roi(frame: Tabular, options: { by?: Keys | undefined } = {}): object {
  knownOptions('roi', options, ['by']);
  if (options.by !== undefined) return roiBy(frame, { by: options.by });
  const names = gainAndStake(frame);
  const [pnl = 0, invested = 0] = completeTotals(frame, names, names.slice(1));
  const result = { roi: invested > 0 ? pnl / invested : Number.NaN, pnl, invested };
  const note = noteOfStakes(pnl, invested);
  return shownResult(result, frame, [
    ['ROI', formatPercent(result.roi)],
    ['Realized PnL', formatUsd(pnl)],
    ['Invested', formatUsd(invested)],
    ...(note === '' ? [] : [['Note', note] as const]),
  ]);
}

/** The returns of groups of rows, each as {@link roi} gives that of its rows, in one pass over all of them. */
export function roisOf(frame: Tabular, grouped: GroupedRows): Float64Array {
  const names = gainAndStake(frame);
  const [pnl, invested] = completeTotalsOf(grouped, frame, names, names.slice(1)) as [Float64Array, Float64Array];
  return returnsOf(pnl, invested);
}

/** The profit and loss of all rows that have one, whether or not they say what was invested. */
export function pnlOf(frame: Tabular): number {
  const [gain] = gainAndStake(frame);
  return itemAt(completeTotals(frame, [gain], []), 0);
}

/** The same of groups of rows. */
export function pnlsOf(frame: Tabular, grouped: GroupedRows): Float64Array {
  const [gain] = gainAndStake(frame);
  return itemAt(completeTotalsOf(grouped, frame, [gain], []), 0);
}

/** Profit over what was invested, one a group; NaN where nothing was. */
export function returnsOf(pnl: Float64Array, invested: Float64Array): Float64Array {
  return pnl.map((gain, group) => {
    const stake = invested[group] as number;
    return stake > 0 ? gain / stake : Number.NaN;
  });
}

/**
 * Whether more was lost than was invested in the same time: then stakes were paid before it, and profit over what was
 * invested is no return. False where nothing was invested.
 *
 * @example hasEarlierStakes({ pnl: -275, invested: 100 }); // true
 */
export function hasEarlierStakes({ pnl, invested }: Pick<Roi, 'pnl' | 'invested'>): boolean {
  // Less than a cent is no loss.
  return invested > 0 && -pnl > invested + 0.005;
}

/** Why a return is below −100%, as none on the dollars invested can be; empty where it is not. */
export function noteOfStakes(pnl: number, invested: number): string {
  return hasEarlierStakes({ pnl, invested })
    ? 'lost more than was invested: stakes were paid before these records'
    : '';
}

/** The columns of profit and of dollars invested: those of PnL records, or of lifetime records. */
function gainAndStake(frame: Tabular): [gain: string, stake: string] {
  const names = columnNames(frame);
  const lifetime = names.includes('total_pnl') && !names.includes('pnl');
  return lifetime ? ['total_pnl', 'total_invested'] : ['pnl', 'invested'];
}

/** A row of {@link roiBy}: the key of a group, its return and the dollars behind it; for wallets what their records lack. */
export type RoiRecord<By extends string> = KeyCells<By> & {
  roi: number;
  pnl: number;
  invested: number;
} & ('proxy_wallet' extends By ? { note: string | null } : object);

const COLUMNS = [
  {
    name: 'roi',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'pnl / invested, as a fraction: 0.1 is 10%. Below −1 where stakes that were lost had been paid before.',
  },
  { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Net realized profit and loss.' },
  { name: 'invested', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Dollars paid for buys and splits.' },
] as const satisfies readonly Column[];

/**
 * Returns on investment by group, each pooled as `roi` does: Σ pnl / Σ invested of the group. What was invested in one
 * period may be realized in a later one, so that the return of a single period can be far from what its bets earned;
 * that of a wallet's whole history is not. It is below −1 where more was lost than the period invested, as the stakes of
 * bets that were lost in it had been paid before.
 *
 * @param frame PnL records (`pnl` and `invested`) with `date` or the column of the groups, or lifetime records
 * (`total_pnl` and `total_invested`). Rows that lack either number are left out.
 * @param options.by `day`, `week` or `month` of `date`, in UTC, or the name of a column, or a list of them. Default
 * `month`.
 * @returns A row for each group: periods in order, in a column `date`; other groups by return, the highest first.
 * Returns are fractions, NaN in groups that invested nothing; of groups that are no periods, those come last. By
 * `proxy_wallet`, `note` says what a wallet's record lacks, and why its return is below −1. No rows for a frame without rows.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, `invested` negative, a date cannot be read, or
 * the records are coarser than the period.
 * @throws {UsageError} If an option is unknown, or `by` names a column of the result.
 * @example roiBy(pnl, { by: 'proxy_wallet' }); // proxy_wallet, roi, pnl, invested, note
 */
export function roiBy<const By extends string = 'month'>(
  frame: Tabular,
  options: { by?: Keys<By> } = {},
): DataFrame<RoiRecord<By>> {
  knownOptions('roiBy', options, ['by']);
  const { by = 'month' as By } = options;
  const columns = describedGroups(by, COLUMNS);
  refuseOwnColumn('roiBy', by, columns);
  const names = gainAndStake(frame);
  const { grouped, sums, present: order } = groupedSums(frame, by, names, names.slice(1));
  const [pnl, invested] = sums as [Float64Array, Float64Array];
  const roi = returnsOf(pnl, invested);
  orderGroups(order, grouped, isInOrder(frame, by), roi);
  return groupTable<RoiRecord<By>>(frame, grouped, order, columns, [roi, pnl, invested], (group) =>
    noteOfStakes(pnl[group] as number, invested[group] as number),
  );
}
