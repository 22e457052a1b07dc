import { UsageError } from '../../base/errors.js';
import { shownNumber } from '../../base/option-types.js';

/**
 * Wilson's score interval of a proportion: where the true rate may lie, given some wins of so many trials. Unlike the
 * textbook interval it stays in [0, 1] and holds for few trials and for rates near 0 and 1.
 *
 * (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n), where p = wins / n and z is the normal critical value.
 *
 * @param trials With 0, both ends are NaN.
 * @param confidence In (0, 1).
 * @see Wilson (1927), Probable inference, the law of succession, and statistical inference.
 * @example wilsonInterval(8, 10, 0.95); // { low: 0.490, high: 0.943 }
 */
export function wilsonInterval(wins: number, trials: number, confidence: number): { low: number; high: number } {
  const z = normalCriticalValue(confidence);
  const [share, weight] = [wins / trials, (z * z) / trials];
  const middle = share + weight / 2;
  const reach = Math.sqrt(share * (1 - share) * weight + (weight * weight) / 4);
  // For no wins and for all wins the formula is exactly 0 and 1, which rounding would miss.
  return {
    low: wins === 0 && trials > 0 ? 0 : (middle - reach) / (1 + weight),
    high: wins === trials && trials > 0 ? 1 : (middle + reach) / (1 + weight),
  };
}

/** The latest result: a table of intervals needs the same value in each row. */
let last = { confidence: Number.NaN, z: Number.NaN };

/**
 * The number of standard deviations on each side of the mean that hold this share of a normal distribution.
 *
 * Solves 2Φ(z) − 1 = confidence by Newton's method from 0, which cannot overshoot there, with the series
 * Φ(z) − ½ = φ(z) · (z + z³/3 + z⁵/(3·5) + …).
 *
 * @param confidence In (0, 1).
 * @see Abramowitz and Stegun (1964), Handbook of Mathematical Functions, 26.2.11.
 * @example normalCriticalValue(0.95); // 1.959964
 */
export function normalCriticalValue(confidence: number): number {
  if (confidence === last.confidence) return last.z;
  let z = 0;
  for (let round = 0; round < 100; round += 1) {
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
    const step = (confidence / 2 - density * centralSeries(z)) / density;
    z += step;
    if (Math.abs(step) < 1e-13) break;
  }
  last = { confidence, z };
  return z;
}

function centralSeries(z: number): number {
  let [term, sum] = [z, z];
  for (let odd = 3; term > sum * 1e-17; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return sum;
}

/** @throws {UsageError} If a confidence is not a number between 0 and 1, both excluded. */
export function refuseConfidence(confidence: number): void {
  if (typeof confidence === 'number' && confidence > 0 && confidence < 1) return;
  throw new UsageError(`confidence must be a number between 0 and 1, such as 0.95; got ${shownNumber(confidence)}.`);
}
