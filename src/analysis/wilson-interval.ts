import { normalCriticalValue } from './normal-critical-value.js';

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
