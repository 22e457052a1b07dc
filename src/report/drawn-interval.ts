import { type BootstrapInterval, quantile } from '../analysis/bootstrap-interval.js';
import { hasEarlierStakes, pnlOf, type Roi, roi } from '../analysis/roi.js';
import { randomRows } from '../analysis/statistics/random-rows.js';
import type { Tabular } from '../frame/tabular/tabular.js';

/** The fewest weeks from which an interval is drawn: the percentile bootstrap of fewer is too narrow. */
export const LEAST_WEEKS = 10;

/** What happened in one week: amounts in USD, closings. */
export interface WeekSums {
  readonly pnl: number;
  readonly invested: number;
  readonly wins: number;
  readonly losses: number;
}

const SAMPLES = 1000;

/**
 * The interval of a measure of weeks that are drawn with replacement: what `bootstrapInterval` gives for a frame of
 * daily records and `by: 'week'`, with its default seed, by the same draws. A frame for each draw would take a hundred
 * times as long.
 *
 * @param measure Computes a number from the numbers of weeks, which may repeat.
 * @returns The estimate and its interval; NaN at both ends for fewer than {@link LEAST_WEEKS} weeks.
 */
export function drawnInterval(
  weeks: number,
  measure: (rows: ArrayLike<number>) => number,
  confidence: number,
  times: number = SAMPLES,
): BootstrapInterval {
  const draw = randomRows(1);
  const estimate = measure(Uint32Array.from({ length: weeks }, (_, week) => week));
  const samples = new Float64Array(weeks < LEAST_WEEKS ? 0 : times).map(() => measure(draw(weeks, weeks)));
  const defined = samples.filter((value) => !Number.isNaN(value)).sort();
  const [low, high] = [quantile(defined, (1 - confidence) / 2), quantile(defined, (1 + confidence) / 2)];
  return { estimate, low, high, samples: defined.length, confidence };
}

/**
 * A measure that divides: Σ of one figure over Σ of others, of those weeks that lie within bounds; NaN where the divisor
 * is 0. It reads plain arrays, since a long record has thousands of weeks.
 */
function ratioOf<Week>(weeks: readonly Week[], over: (week: Week) => number, under: (week: Week) => number) {
  const above = Float64Array.from(weeks, over);
  const below = Float64Array.from(weeks, under);
  return (rows: ArrayLike<number>, from = 0, until = weeks.length): number => {
    let [top, bottom] = [0, 0];
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number;
      if (row < from || row >= until) continue;
      top += above[row] as number;
      bottom += below[row] as number;
    }
    return bottom > 0 ? top / bottom : Number.NaN;
  };
}

type Money = Pick<WeekSums, 'pnl' | 'invested'>;

/**
 * The ROI of drawn weeks, or of those of them that lie within bounds; -1 where they lost more than they invested. No
 * record loses more than its stakes: such weeks were drawn without those in which the stakes were paid.
 */
export function roiMeasure(weeks: readonly Money[]) {
  const ratio = ratioOf(
    weeks,
    ({ pnl }) => pnl,
    ({ invested }) => invested,
  );
  return (rows: ArrayLike<number>, from?: number, until?: number) => Math.max(-1, ratio(rows, from, until));
}

/** The interval of the win rate of weeks. */
export function winRateInterval(weeks: readonly WeekSums[], confidence: number): BootstrapInterval {
  const measure = ratioOf(
    weeks,
    ({ wins }) => wins,
    ({ wins, losses }) => wins + losses,
  );
  return drawnInterval(weeks.length, (rows) => measure(rows), confidence);
}

/** The interval of the ROI of weeks; NaN where there is no ROI, see {@link hasEarlierStakes}. */
export function roiInterval(weeks: readonly Money[], confidence: number): BootstrapInterval {
  const measure = roiMeasure(weeks);
  const interval = drawnInterval(weeks.length, (rows) => measure(rows), confidence);
  const sum = (name: keyof Money) => weeks.reduce((total, week) => total + week[name], 0);
  if (!hasEarlierStakes({ pnl: sum('pnl'), invested: sum('invested') })) return interval;
  return { ...interval, estimate: Number.NaN, low: Number.NaN, high: Number.NaN };
}

/**
 * The ROI of rows; NaN where there is none, see {@link hasEarlierStakes}. It is of the rows that say what was invested,
 * and the profit beside it of all rows, as a sheet's curve and calendar show it.
 */
export function soundRoi(rows: Tabular): Roi {
  const whole = roi(rows);
  return { ...whole, pnl: pnlOf(rows), roi: hasEarlierStakes(whole) ? Number.NaN : whole.roi };
}

/** Whether there is no {@link soundRoi} although something was invested. */
export function hasNoSoundRoi({ roi, invested }: Roi): boolean {
  return invested > 0 && Number.isNaN(roi);
}
