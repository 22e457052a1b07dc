import { columnNames } from '../frame/column-names.js';
import type { Tabular } from '../frame/tabular.js';
import { completeTotals } from './complete-totals.js';
import { formatPercent } from './format-percent.js';
import { formatUsd } from './format-usd.js';
import { shownResult } from './shown-result.js';

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
 * bucket may be realized in a later one, so this measure means most over a wallet's whole history.
 *
 * @param frame PnL records (`pnl` and `invested`), or lifetime records (`total_pnl` and `total_invested`), of one
 * wallet or several. Rows that lack either number are left out.
 * @returns The return as a fraction, and the sums in USD. The return is NaN where nothing was invested.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, or `invested` negative.
 * @example roi(pnl); // { roi: 0.125, pnl: 250, invested: 2000 }
 */
export function roi(frame: Tabular): Roi {
  const names = gainAndStake(frame);
  const [pnl = 0, invested = 0] = completeTotals(frame, names, names.slice(1));
  const result = { roi: invested > 0 ? pnl / invested : Number.NaN, pnl, invested };
  return shownResult(result, [
    ['ROI', formatPercent(result.roi)],
    ['Realized PnL', formatUsd(pnl)],
    ['Invested', formatUsd(invested)],
  ]);
}

/** The columns of profit and of dollars invested: those of PnL records, or of lifetime records. */
export function gainAndStake(frame: Tabular): [gain: string, stake: string] {
  const names = columnNames(frame);
  const lifetime = names.includes('total_pnl') && !names.includes('pnl');
  return lifetime ? ['total_pnl', 'total_invested'] : ['pnl', 'invested'];
}
