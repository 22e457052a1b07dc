import type { BootstrapInterval } from '../analysis/bootstrap-interval.js';
import { counted } from '../base/texts.js';
import { drawnInterval, roiInterval, roiMeasure, type WeekSums } from './drawn-interval.js';

/** The fewest closings of the other kind from which a profit, or a loss, is said to be beyond chance. */
export const LEAST_CLOSINGS = 10;

/** The fewest weeks in which they have to lie: one position sold in ten pieces is one loss. */
const LEAST_OTHER_WEEKS = 5;

/** Whether a return is beyond chance, and if its interval alone would say so but must not be relied on, why. */
export interface Claim {
  readonly is: 'gain' | 'loss' | 'none';
  /** Why an interval that excludes zero settles nothing; undefined if it includes zero or the claim holds. */
  readonly doubt?: string;
}

/**
 * Whether weeks show a gain or a loss beyond chance. The bootstrap cannot draw a loss that has not happened: of bets at
 * high prices, which seldom lose and then lose much, its interval is too narrow and lies too high. So a gain is claimed
 * only if the record holds enough losses, and if its interval still lies above zero with one more week that loses the
 * largest stake; a loss only if it holds enough gains, since bets at low prices seldom win and then win much.
 */
export function claimOf(weeks: readonly WeekSums[], { low, high, confidence }: BootstrapInterval): Claim {
  if (low > 0) {
    const lack = lacking(weeks, ({ losses }) => losses, 'lost');
    if (lack) return { is: 'none', doubt: `${lack}, and how much a loss costs it, these weeks do not show` };
    if (roiInterval([...weeks, lostWeek(weeks)], confidence).low > 0) return { is: 'gain' };
    return { is: 'none', doubt: 'one more loss of its largest stake would bring the interval to zero' };
  }
  if (high < 0) {
    const lack = lacking(weeks, ({ wins }) => wins, 'won');
    return lack ? { is: 'none', doubt: `${lack}, and how much a win brings, these weeks do not show` } : { is: 'loss' };
  }
  return { is: 'none' };
}

function lacking(weeks: readonly WeekSums[], of: (week: WeekSums) => number, verb: string): string | undefined {
  const count = weeks.reduce((sum, week) => sum + of(week), 0);
  const spread = weeks.filter((week) => of(week) > 0).length;
  if (count >= LEAST_CLOSINGS && spread >= LEAST_OTHER_WEEKS) return undefined;
  return count === 0 ? `no closing ${verb}` : `only ${counted(count, 'closing')} in ${counted(spread, 'week')} ${verb}`;
}

/** A week in which the largest stake is lost: the most dollars invested a closing, of all weeks. */
export function lostWeek(weeks: readonly WeekSums[]): WeekSums {
  const stake = weeks.reduce((most, { invested, wins, losses }) => {
    return Math.max(most, invested / Math.max(1, wins + losses));
  }, 0);
  return { pnl: -stake, invested: stake, wins: 0, losses: 1 };
}

/** A week by its Monday. */
export interface DatedWeek extends WeekSums {
  readonly date: string;
}

/**
 * The difference of two ROIs, `a` less `b`, by drawing calendar weeks: both keep what they did in the same week, since
 * they may have been on the same bets. `a` has one more week than it had, in which it loses its largest stake.
 */
export function roiDifference(
  a: readonly DatedWeek[],
  b: readonly DatedWeek[],
  confidence: number,
  samples: number,
): BootstrapInterval {
  const none: WeekSums = { pnl: 0, invested: 0, wins: 0, losses: 0 };
  const dates = [...new Set([...a, ...b].map(({ date }) => date))].sort();
  const aligned = (weeks: readonly DatedWeek[]): WeekSums[] => {
    const byDate = new Map(weeks.map((week) => [week.date, week]));
    return dates.map((date) => byDate.get(date) ?? none);
  };
  const [left, right] = [roiMeasure([...aligned(a), lostWeek(a)]), roiMeasure([...aligned(b), none])];
  return drawnInterval(dates.length + 1, (rows) => left(rows) - right(rows), confidence, samples);
}
