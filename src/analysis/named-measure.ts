import { UsageError } from '../base/errors.js';
import { shownValue } from '../base/option-types.js';
import type { Column } from '../contract/definition.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { roi } from './roi.js';
import { formatPercent, formatUsd } from './shown-result.js';
import { winRate } from './win-rate.js';

/** A measure of PnL records that is known by its name: a return, a win rate, or dollars. */
export type MeasureName = 'roi' | 'winRate' | 'pnl';

/** A number computed from rows, and how it reads. */
interface NumberMeasure {
  readonly of: (rows: Tabular) => number;
  /** Whether it is dollars or a fraction, as a column says it; neither where that is unknown. */
  readonly kind: Pick<Column, 'unit' | 'fraction'>;
  /** The number as text. */
  readonly text: (value: number) => string;
}

const NAMED: Readonly<Record<MeasureName, NumberMeasure>> = {
  roi: { of: (rows) => roi(rows).roi, kind: { fraction: true }, text: formatPercent },
  winRate: { of: (rows) => winRate(rows).rate, kind: { fraction: true }, text: formatPercent },
  pnl: { of: (rows) => roi(rows).pnl, kind: { unit: 'USD' }, text: formatUsd },
};

/**
 * A measure that was given by its name or as a function of rows.
 *
 * @param taker The function that takes it, for errors.
 * @throws {UsageError} If it is neither; and on use, if the function gives no number.
 */
export function numberMeasure(taker: string, given: unknown): NumberMeasure {
  if (typeof given === 'string' && Object.hasOwn(NAMED, given)) return NAMED[given as MeasureName];
  if (typeof given !== 'function') {
    const names = Object.keys(NAMED).map((name) => `'${name}'`);
    throw new UsageError(
      `measure of ${taker} must be ${names.join(', ')} or a function of rows, as (rows) => winRate(rows).rate; ` +
        `got ${shownValue(given)}.`,
    );
  }
  const of = (rows: Tabular): number => {
    const value: unknown = given(rows);
    if (typeof value === 'number') return value;
    throw new UsageError(
      `The measure of ${taker} must give a number, as (rows) => roi(rows).roi; got ${shownValue(value)}.`,
    );
  };
  return { of, kind: {}, text: figure };
}

function figure(value: number): string {
  return Number.isNaN(value) ? '–' : value.toLocaleString('en-US', { maximumSignificantDigits: 4 });
}
