import { normalCriticalValue } from './wilson-interval.js';

const ROUNDS = 100;
/** A step this small is the last one: each step of Newton's method doubles the number of correct digits. */
const PRECISION = 1e-6;
/** With both parameters above this, the normal approximation is accurate to 0.00001 standard deviations. */
const NEARLY_NORMAL = 10_000;
/** Keeps a continued fraction from dividing by 0. */
const TINY = 1e-300;
/** The log-odds of the least double above 0. */
const LEAST_LOG_ODDS = -744.4;

/**
 * The central interval of a Beta distribution: as much of it lies below `low` as above `high`. For a win rate with this
 * distribution, it holds the true rate with probability `confidence`.
 *
 * Solves I_low(α, β) = (1 − confidence) / 2 and I_high(α, β) = (1 + confidence) / 2, where I is the regularized
 * incomplete beta function, by Newton's method from a normal approximation, which is the result where both parameters
 * are above 10,000. It solves for log-odds, ln(x / (1 − x)), so that ends near 0 or 1 are as exact as others.
 *
 * @param alpha Above 0.
 * @param beta Above 0.
 * @param confidence In (0, 1).
 * @returns Both in [0, 1]; an end too close to 0 or 1 for a double is 0 or 1.
 * @see NIST Digital Library of Mathematical Functions, 8.17.22, and Abramowitz and Stegun (1964), 26.5.22.
 * @example betaInterval(8, 4, 0.95); // { low: 0.390, high: 0.891 }
 */
export function betaInterval(alpha: number, beta: number, confidence: number): { low: number; high: number } {
  const z = normalCriticalValue(confidence);
  const tail = (1 - confidence) / 2;
  return { low: shareOf(betaQuantile(tail, -z, alpha, beta)), high: shareOf(-betaQuantile(tail, -z, beta, alpha)) };
}

/**
 * The number of standard errors on each side of a mean that hold this share of Student's t distribution.
 *
 * ½ + t / (2 √(ν + t²)) of a t with ν degrees of freedom has a Beta distribution with both parameters ν / 2.
 *
 * @param confidence In (0, 1).
 * @param freedom Degrees of freedom, above 0.
 * @see Abramowitz and Stegun (1964), Handbook of Mathematical Functions, 26.7.1.
 * @example studentCriticalValue(0.95, 4); // 2.776445
 */
export function studentCriticalValue(confidence: number, freedom: number): number {
  const { low, high } = betaInterval(freedom / 2, freedom / 2, confidence);
  return ((high - low) * Math.sqrt(freedom)) / (2 * Math.sqrt(low * high));
}

/** Converts log-odds to a share. */
function shareOf(odds: number): number {
  if (Math.abs(odds) >= -LEAST_LOG_ODDS) return odds < 0 ? 0 : 1;
  const ratio = Math.exp(odds);
  return odds < 0 ? ratio / (1 + ratio) : 1 / (1 + 1 / ratio);
}

/** The log-odds below which the share `p` of a Beta distribution lies; `z` is the same quantile of a normal one. */
function betaQuantile(p: number, z: number, alpha: number, beta: number): number {
  const logOfBeta = logBeta(alpha, beta);
  let odds = firstGuess(p, z, alpha, beta, logOfBeta);
  if (Math.min(alpha, beta) > NEARLY_NORMAL) return odds;
  const precision = PRECISION * Math.min(1, Math.sqrt(1 / alpha + 1 / beta));
  let [least, most] = [LEAST_LOG_ODDS, -LEAST_LOG_ODDS];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { below, slope } = shareBelow(odds, alpha, beta, logOfBeta);
    const excess = below - Math.log(p);
    if (excess > 0) most = odds;
    else least = odds;
    const step = excess / slope;
    if (Math.abs(step) <= precision) return odds - step;
    const next = odds - step;
    odds = next > least && next < most ? next : (least + most) / 2;
    if (most - least <= precision) break;
  }
  return odds;
}

function firstGuess(p: number, z: number, alpha: number, beta: number, logOfBeta: number): number {
  const [left, right] = [1 / (2 * alpha - 1), 1 / (2 * beta - 1)];
  const middle = 2 / (left + right);
  const skew = (z * z - 3) / 6;
  const turn = (z * Math.sqrt(middle + skew)) / middle + (right - left) * (skew + 5 / 6 - 2 / (3 * middle));
  const guess = Math.log(alpha / beta) + 2 * turn;
  if (alpha > 1 && beta > 1 && Math.abs(guess) < -LEAST_LOG_ODDS) return guess;
  // Near 0, the share below x is about x^α / (α B(α, β)).
  const small = (Math.log(p * alpha) + logOfBeta) / alpha;
  return small < 0 ? Math.max(small, LEAST_LOG_ODDS) : 0;
}

/** The logarithm of the regularized incomplete beta function at log-odds, and its slope there. */
function shareBelow(odds: number, alpha: number, beta: number, logOfBeta: number): { below: number; slope: number } {
  const further = Math.log1p(Math.exp(-Math.abs(odds)));
  const [logX, logRest] = [Math.min(odds, 0) - further, Math.min(-odds, 0) - further];
  const logDensity = alpha * logX + beta * logRest - logOfBeta;
  const [x, rest] = [Math.exp(logX), Math.exp(logRest)];
  // The fraction converges fast only on this side of the mean.
  if (x < (alpha + 1) / (alpha + beta + 2)) {
    const ratio = betaFraction(x, alpha, beta) / alpha;
    return { below: logDensity + Math.log(ratio), slope: 1 / ratio };
  }
  const density = Math.exp(logDensity);
  const below = Math.max(0, 1 - (density * betaFraction(rest, beta, alpha)) / beta);
  return { below: Math.log(below), slope: density / below };
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

/** From here on, five terms of Stirling's series are accurate to the last digits of a double. */
const STIRLING_FROM = 12;

/** ½ ln 2π. */
const HALF_LOG_TWO_PI = 0.9189385332046728;

/**
 * The natural logarithm of the gamma function, for positive arguments: Stirling's series, with smaller arguments raised
 * by Γ(x + 1) = x Γ(x) first.
 *
 * @see NIST Digital Library of Mathematical Functions, 5.5.1 and 5.11.1.
 * @example Math.exp(logGamma(5)); // 24
 */
export function logGamma(x: number): number {
  let [raised, product] = [x, 1];
  for (; raised < STIRLING_FROM; raised += 1) product *= raised;
  return (raised - 0.5) * Math.log(raised) - raised + HALF_LOG_TWO_PI + stirlingRest(raised) - Math.log(product);
}

/**
 * The natural logarithm of the beta function, Γ(α) Γ(β) / Γ(α + β), for positive arguments. If one is large, two of the
 * log-gammas agree in nearly all digits, so their difference is taken term by term.
 *
 * @see NIST Digital Library of Mathematical Functions, 5.12.1.
 * @example Math.exp(logBeta(2, 3)); // 1 / 12
 */
function logBeta(alpha: number, beta: number): number {
  const [small, large] = alpha < beta ? [alpha, beta] : [beta, alpha];
  const both = small + large;
  if (large < STIRLING_FROM) return logGamma(small) + logGamma(large) - logGamma(both);
  const rest = stirlingRest(large) - stirlingRest(both);
  return logGamma(small) + small - small * Math.log(both) - (large - 0.5) * Math.log1p(small / large) + rest;
}

/** The terms that Stirling's series adds to his formula; accurate only for large arguments. */
function stirlingRest(x: number): number {
  const square = 1 / (x * x);
  return (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / x;
}
