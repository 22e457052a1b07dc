import { wilsonInterval } from './wilson-interval.js';

/**
 * Win rates with their Wilson intervals.
 *
 * @param wins One count per rate.
 * @param losses One count per rate.
 * @returns Rate, low, high, decided, wins and losses, in the order of `WIN_RATE_COLUMNS`; a rate is NaN if nothing was
 *   decided.
 */
export function ratesOf(wins: Float64Array, losses: Float64Array, confidence: number): Float64Array[] {
  const [low, high] = [new Float64Array(wins.length), new Float64Array(wins.length)];
  const decided = wins.map((won, at) => won + (losses[at] as number));
  for (let at = 0; at < wins.length; at += 1) {
    const interval = wilsonInterval(wins[at] as number, decided[at] as number, confidence);
    low[at] = interval.low;
    high[at] = interval.high;
  }
  return [wins.map((won, at) => won / (decided[at] as number)), low, high, decided, wins, losses];
}
