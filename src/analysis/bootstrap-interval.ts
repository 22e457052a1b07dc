import { UsageError } from '../base/errors.js';
import { itemAt } from '../base/item-at.js';
import { knownOptions } from '../base/nearest.js';
import { frameFromVectors } from '../frame/danfo/frame-from-vectors.js';
import { columnsOf } from '../frame/tabular/columns-of.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { vectorsOf } from '../frame/tabular/tabular.js';
import { takeVector } from '../frame/vector/take-vector.js';
import type { Vector } from '../frame/vector/vector.js';
import { rowLists } from '../frame/verbs/row-groups.js';
import { type GroupedRows, groupedRows } from './records/grouped-rows.js';
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
   * Rows that share a value of this column, such as `proxy_wallet`, or a `day`, `week` or `month` of `date`, are drawn
   * together, because they are not independent of each other. Default: each row is drawn by itself.
   */
  by?: string;
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
 * @param measure Computes a number from a frame of drawn rows. It must depend neither on the order of the rows nor on
 * each date occurring only once. That suits measures that pool rows, such as ROI, win rate and profit factor, but not
 * drawdowns and Sharpe, Sortino and Calmar ratios, which follow the days in order.
 * @param options.by Draws groups of rows as wholes: wallets or weeks whose bets are related. Without it, the interval
 * of such rows is too narrow.
 * @returns The estimate and its interval. Both ends are NaN where the measure was undefined in every draw, and for
 * fewer than two rows (or groups), as every draw of a single one would be the same. An end is infinite where the
 * measure was infinite in enough of the draws to reach it, and NaN where it falls between −∞ and ∞.
 * @throws {ColumnError} If the column to draw by is missing, the records are coarser than the period to draw by, or the
 * measure throws it.
 * @throws {UsageError} If an option is unknown or out of range, or the measure does not return a number.
 * @see Efron (1979), Bootstrap methods: another look at the jackknife; Hyndman and Fan (1996), Sample quantiles in
 * statistical packages, definition 7.
 * @example bootstrapInterval(pnl, (rows) => roi(rows).roi, { by: 'week' }); // { estimate: 0.12, low: -0.03, high: 0.28, … }
 */
export function bootstrapInterval<Row extends object>(
  frame: DataFrame<Row>,
  measure: (rows: DataFrame<Row>) => number,
  options: BootstrapOptions = {},
): BootstrapInterval {
  knownOptions('bootstrapInterval', options, ['seed', 'samples', 'confidence', 'by']);
  const { seed = 1, samples = 1000, confidence = 0.95, by } = options;
  refuseConfidence(confidence);
  refuseNoCount('samples', samples, 1);
  refuseNoCount('seed', seed, 0, MOST_SEED);
  const take = resampled(frame);
  const rows = frame.shape[0];
  const draw = randomRows(seed);
  const groups = by === undefined ? undefined : groupedRows(frame, by);
  const drawn = groups ? wholeGroups(groups, draw) : () => draw(rows, rows);
  const estimate = numberOf(measure(frame));
  const measured = new Float64Array((groups?.groups ?? rows) > 1 ? samples : 0).map(() =>
    numberOf(measure(take(drawn()))),
  );
  const defined = measured.filter((value) => !Number.isNaN(value)).sort();
  const [low, high] = [quantile(defined, (1 - confidence) / 2), quantile(defined, (1 + confidence) / 2)];
  return shownResult({ estimate, low, high, samples: defined.length, confidence }, [
    ['Estimate', figure(estimate)],
    [`${formatPercent(confidence, 0)} interval`, `${figure(low)} to ${figure(high)}`],
    ['Drawn', `${defined.length.toLocaleString('en-US')} times`],
  ]);
}

function refuseNoCount(name: string, value: number, least: number, most?: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= (most ?? value)) return;
  const range = most === undefined ? `from ${least} on` : `from ${least} to ${most}`;
  throw new UsageError(`${name} of bootstrapInterval must be a whole number ${range}; got ${String(value)}.`);
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new UsageError(
    `The measure must give a number, as in bootstrapInterval(pnl, (rows) => roi(rows).roi); got ${typeof value}.`,
  );
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

/** NaN of no values. */
function quantile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) return Number.NaN;
  const place = (sorted.length - 1) * share;
  const [below, above] = [itemAt(sorted, Math.floor(place)), itemAt(sorted, Math.ceil(place))];
  // Equal values need no interpolation, and the difference of infinite ones would be NaN.
  if (below === above) return below;
  return Number.isFinite(above - below) ? below + (above - below) * (place - Math.floor(place)) : below + above;
}

function figure(value: number): string {
  return Number.isNaN(value) ? '–' : value.toLocaleString('en-US', { maximumSignificantDigits: 4 });
}

/**
 * A function that makes frames from the rows of another at given positions. A column's values are copied on first
 * access, since a measure reads few columns.
 */
function resampled<Row extends object>(frame: DataFrame<Row>): (rows: Uint32Array) => DataFrame<Row> {
  const [columns, vectors] = [columnsOf(frame), vectorsOf(frame)];
  return (rows) =>
    frameFromVectors<Row>(
      columns,
      vectors.map((vector) => takenWhenRead(vector, rows)),
    );
}

function takenWhenRead(vector: Vector, rows: Uint32Array): Vector {
  let taken: Vector | undefined;
  const lazy = { kind: vector.kind };
  for (const name of Object.keys(vector)) {
    if (name === 'kind') continue;
    const get = (): unknown => {
      taken ??= takeVector(vector, rows);
      return Reflect.get(taken, name);
    };
    Object.defineProperty(lazy, name, { enumerable: true, get });
  }
  return lazy as Vector;
}
