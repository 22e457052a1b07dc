import { UsageError } from '../base/errors.js';
import { shownValue } from '../base/option-types.js';
import type { Column } from '../contract/definition.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import type { GroupedRows } from './records/grouped-rows.js';
import { framesOf } from './records/some-rows.js';
import { pnlOf, pnlsOf, roi, roisOf } from './roi.js';
import { formatPercent, formatUsd } from './shown-result.js';
import { countsOf, winRate } from './win-rate.js';

/** A measure of PnL records that is known by its name: a return, a win rate, or dollars. */
export type MeasureName = 'roi' | 'winRate' | 'pnl';

/** A number computed from rows, and how it reads. */
interface NumberMeasure {
  readonly of: (rows: Tabular) => number;
  /**
   * The number of each group of rows; of a measure that is known by its name in one pass over all rows. A function is
   * asked only for the groups that are wanted; the number of another is NaN.
   */
  readonly ofGroups: (frame: Tabular, grouped: GroupedRows, isWanted: (group: number) => boolean) => Float64Array;
  /** Whether it is dollars or a fraction, as a column says it; neither where that is unknown. */
  readonly kind: Pick<Column, 'unit' | 'fraction'>;
  /** The number as text. */
  readonly text: (value: number) => string;
}

const NAMED: Readonly<Record<MeasureName, NumberMeasure>> = {
  roi: {
    of: (rows) => roi(rows).roi,
    ofGroups: roisOf,
    kind: { fraction: true },
    text: formatPercent,
  },
  winRate: {
    of: (rows) => winRate(rows).rate,
    ofGroups: (frame, grouped) => countsOf(frame, grouped).rate,
    kind: { fraction: true },
    text: formatPercent,
  },
  pnl: {
    of: pnlOf,
    ofGroups: pnlsOf,
    kind: { unit: 'USD' },
    text: formatUsd,
  },
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
  const ofGroups: NumberMeasure['ofGroups'] = (frame, grouped, isWanted) => {
    const frameOf = framesOf(frame, grouped);
    return Float64Array.from({ length: grouped.groups }, (_, group) =>
      isWanted(group) ? of(frameOf(group)) : Number.NaN,
    );
  };
  return { of, ofGroups, kind: {}, text: figure };
}

function figure(value: number): string {
  return Number.isNaN(value) ? '–' : value.toLocaleString('en-US', { maximumSignificantDigits: 4 });
}
