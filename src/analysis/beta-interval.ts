import { logGamma } from './log-gamma.js';
import { normalCriticalValue } from './normal-critical-value.js';

const ROUNDS = 100;
/** Newton's method doubles the right digits with each step: after one as small as this, all are right. */
const PRECISION = 1e-6;
/** With both parameters above this, the normal approximation is right to 0.00001 standard deviations. */
const LARGE = 10_000;
/** Keeps a continued fraction from dividing by 0. */
const TINY = 1e-300;

/**
 * The middle of a Beta distribution: as much of it lies below `low` as above `high`. For a win rate that is known to be
 * Beta distributed, it is where the true rate lies with this probability.
 *
 * Solves I_low(α, β) = (1 − confidence) / 2 and I_high(α, β) = (1 + confidence) / 2, where I is the regularized
 * incomplete beta function, by Newton's method from a normal approximation, which
 * itself is taken where both parameters are above 10,000.
 *
 * @param alpha Above 0.
 * @param beta Above 0.
 * @param confidence In (0, 1).
 * @see NIST Digital Library of Mathematical Functions, 8.17.22, and Abramowitz and Stegun (1964), 26.5.22.
 * @example betaInterval(8, 4, 0.95); // { low: 0.390, high: 0.891 }
 */
export function betaInterval(alpha: number, beta: number, confidence: number): { low: number; high: number } {
  const z = normalCriticalValue(confidence);
  const tail = (1 - confidence) / 2;
  return { low: betaQuantile(tail, -z, alpha, beta), high: 1 - betaQuantile(tail, -z, beta, alpha) };
}

/** Where the share `p` of a Beta distribution lies below, if it is below `z` of a normal one. */
function betaQuantile(p: number, z: number, alpha: number, beta: number): number {
  let [least, most] = [0, 1];
  let x = firstGuess(p, z, alpha, beta);
  if (Math.min(alpha, beta) > LARGE) return x;
  const deviation = Math.sqrt((alpha * beta) / (alpha + beta + 1)) / (alpha + beta);
  const logBeta = logGamma(alpha) + logGamma(beta) - logGamma(alpha + beta);
  for (let round = 0; round < ROUNDS; round += 1) {
    const logDensity = (alpha - 1) * Math.log(x) + (beta - 1) * Math.log1p(-x) - logBeta;
    const excess = shareBelow(x, alpha, beta, logDensity) - p;
    if (excess > 0) most = x;
    else least = x;
    const step = excess / Math.exp(logDensity);
    const next = x - step;
    if (Math.abs(step) <= PRECISION * Math.min(x, deviation)) return next;
    x = next > least && next < most ? next : (least + most) / 2;
  }
  return x;
}

function firstGuess(p: number, z: number, alpha: number, beta: number): number {
  const [left, right] = [1 / (2 * alpha - 1), 1 / (2 * beta - 1)];
  const middle = 2 / (left + right);
  const skew = (z * z - 3) / 6;
  const turn = (z * Math.sqrt(middle + skew)) / middle + (right - left) * (skew + 5 / 6 - 2 / (3 * middle));
  const guess = alpha / (alpha + beta * Math.exp(-2 * turn));
  if (alpha > 1 && beta > 1 && guess > 0 && guess < 1) return guess;
  // Near 0, the share below x is about x^α / (α B(α, β)).
  const logBeta = logGamma(alpha) + logGamma(beta) - logGamma(alpha + beta);
  const small = Math.exp((Math.log(p * alpha) + logBeta) / alpha);
  return small > 0 && small < 1 ? small : 0.5;
}

/** The regularized incomplete beta function I_x(α, β), given the logarithm of the density at x. */
function shareBelow(x: number, alpha: number, beta: number, logDensity: number): number {
  const front = Math.exp(logDensity) * x * (1 - x);
  // The fraction converges fast on this side of the mean alone.
  return x < (alpha + 1) / (alpha + beta + 2)
    ? (front * betaFraction(x, alpha, beta)) / alpha
    : 1 - (front * betaFraction(1 - x, beta, alpha)) / beta;
}

/** The continued fraction, by Lentz's method. */
function betaFraction(x: number, alpha: number, beta: number): number {
  let d = 1 / nonZero(1 - ((alpha + beta) * x) / (alpha + 1));
  let [c, value] = [1, d];
  for (let m = 1; m < 10_000; m += 1) {
    const even = (m * (beta - m) * x) / ((alpha + 2 * m - 1) * (alpha + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    value *= d * c;
    const odd = (-(alpha + m) * (alpha + beta + m) * x) / ((alpha + 2 * m) * (alpha + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    value *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return value;
}

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
