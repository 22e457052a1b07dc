import { UsageError } from '../base/errors.js';
import { itemAt } from '../base/item-at.js';
import { knownOptions } from '../base/nearest.js';
import { shownNumber } from '../base/option-types.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { rowLists } from '../frame/verbs/row-groups.js';
import { type MeasureName, numberMeasure } from './named-measure.js';
import { type GroupedRows, groupedRows, type Keys } from './records/grouped-rows.js';
import { someRows } from './records/some-rows.js';
import { formatPercent, shownResult } from './shown-result.js';
import { type DrawRows, randomRows } from './statistics/random-rows.js';
import { refuseConfidence } from './statistics/wilson-interval.js';

/** Seeds have 32 bits: two that differ by 2³² would give the same draws. */
const MOST_SEED = 2 ** 32 - 1;

/** How {@link bootstrapInterval} draws. */
export interface BootstrapOptions {
  /**
   * Selects the series of random draws: the same seed gives the same interval. A whole number from 0 to 4,294,967,295
   * (2³² − 1). Default 1.
   */
  seed?: number;
  /** Number of draws. Default 1,000. */
  samples?: number;
  /** Confidence of the interval, in (0, 1). Default 0.95. */
  confidence?: number;
  /**
   * Rows that share a value of this column, such as `proxy_wallet`, or a `day`, `week` or `month` of `date`, or of
   * several of them, are drawn together, because they are not independent of each other. Default: each row is drawn by itself.
   */
  by?: Keys;
}

/** The estimate of a measure and its interval, both in the unit of the measure. */
export interface BootstrapInterval {
  /** The measure of the frame itself. */
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** Number of draws in which the measure was defined. */
  readonly samples: number;
  readonly confidence: number;
}

/**
 * How uncertain a measure is, by the bootstrap: as many rows as the frame has are drawn from it with replacement and
 * measured, again and again; the interval spans the middle of the results (the percentile method).
 *
 * @param frame Any frame that the measure accepts.
 * @param measure `roi`, `winRate` or `pnl` of PnL records, or a function that computes a number from a frame of drawn
 * rows. The named ones are shown as percentages and dollars; of the number of a function no unit is known, so that it is
 * shown as it is: 0.219 of `(rows) => roi(rows).roi`, where `'roi'` shows 21.9%. It must depend neither on the order of the rows nor on
 * each date occurring only once. That suits measures that pool rows, such as ROI, win rate and profit factor, but not
 * drawdowns and Sharpe, Sortino and Calmar ratios, which follow the days in order.
 * @param options.by Draws groups of rows as wholes: wallets or weeks whose bets are related. Without it, the interval
 * of such rows is too narrow.
 * @returns The estimate and its interval. Both ends are NaN where the measure was undefined in every draw, and for
 * fewer than two rows (or groups), as every draw of a single one would be the same. An end is infinite where the
 * measure was infinite in enough of the draws to reach it, and NaN where it falls between −∞ and ∞.
 * @throws {ColumnError} If the column to draw by is missing, the records are coarser than the period to draw by, or the
 * measure throws it.
 * @throws {UsageError} If an option is unknown or out of range, or the measure is no such name and no function, or does
 * not return a number.
 * @see Efron (1979), Bootstrap methods: another look at the jackknife; Hyndman and Fan (1996), Sample quantiles in
 * statistical packages, definition 7.
 * @example bootstrapInterval(pnl, 'roi', { by: 'week' }); // { estimate: 0.12, low: -0.03, high: 0.28, … }
 * @example bootstrapInterval(pnl, (rows) => profitFactor(rows).profitFactor, { by: 'week' });
 */
export function bootstrapInterval<Row extends object>(
  frame: DataFrame<Row>,
  measure: MeasureName | ((rows: DataFrame<Row>) => number),
  options: BootstrapOptions = {},
): BootstrapInterval {
  knownOptions('bootstrapInterval', options, ['seed', 'samples', 'confidence', 'by']);
  const { seed = 1, samples = 1000, confidence = 0.95, by } = options;
  refuseConfidence(confidence);
  refuseNoCount('samples', samples, 1);
  refuseNoCount('seed', seed, 0, MOST_SEED);
  const take = someRows(frame);
  const rows = frame.shape[0];
  const draw = randomRows(seed);
  const groups = by === undefined ? undefined : groupedRows(frame, by);
  const drawn = groups ? wholeGroups(groups, draw) : () => draw(rows, rows);
  const { of, text } = numberMeasure('bootstrapInterval', measure);
  const estimate = of(frame);
  const measured = new Float64Array((groups?.groups ?? rows) > 1 ? samples : 0).map(() => of(take(drawn())));
  const defined = measured.filter((value) => !Number.isNaN(value)).sort();
  const [low, high] = [quantile(defined, (1 - confidence) / 2), quantile(defined, (1 + confidence) / 2)];
  return shownResult({ estimate, low, high, samples: defined.length, confidence }, frame, [
    ['Estimate', text(estimate)],
    [`${formatPercent(confidence, 0)} interval`, `${text(low)} to ${text(high)}`],
    ['Drawn', `${defined.length.toLocaleString('en-US')} times`],
  ]);
}

function refuseNoCount(name: string, value: number, least: number, most?: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= (most ?? value)) return;
  const range = most === undefined ? `from ${least} on` : `from ${least} to ${most}`;
  throw new UsageError(`${name} of bootstrapInterval must be a whole number ${range}; got ${shownNumber(value)}.`);
}

function wholeGroups({ groupOf, groups }: GroupedRows, draw: DrawRows): () => Uint32Array {
  const { rows, starts } = rowLists(groupOf, groups, () => false);
  return () => {
    const parts = Array.from(draw(groups, groups), (group) => rows.subarray(starts[group], starts[group + 1]));
    const drawn = new Uint32Array(parts.reduce((total, part) => total + part.length, 0));
    let start = 0;
    for (const part of parts) {
      drawn.set(part, start);
      start += part.length;
    }
    return drawn;
  };
}

/** A quantile of values in ascending order, by definition 7 of Hyndman and Fan; NaN of no values. */
export function quantile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) return Number.NaN;
  const place = (sorted.length - 1) * share;
  const [below, above] = [itemAt(sorted, Math.floor(place)), itemAt(sorted, Math.ceil(place))];
  // Equal values need no interpolation, and the difference of infinite ones would be NaN.
  if (below === above) return below;
  return Number.isFinite(above - below) ? below + (above - below) * (place - Math.floor(place)) : below + above;
}
