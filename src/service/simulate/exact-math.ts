/**
 * Exponential, logarithm and logistic function, made only of operations that IEEE 754 rounds exactly. `Math.exp` and
 * `Math.log` may differ in the last bit between engine versions, which would change a sample's bytes.
 *
 * @example exactMath.logistic(0); // 0.5
 */
export const exactMath = { exp, log, logistic };

const STEPS_PER_UNIT = 256;
const LIMIT = 10;

function exp(x: number): number {
  const doublings = Math.round(x / Math.LN2);
  const rest = x - doublings * Math.LN2;
  let sum = 1;
  for (let n = 14; n > 0; n--) sum = 1 + (sum * rest) / n;
  const factor = doublings < 0 ? 0.5 : 2;
  for (let i = Math.abs(doublings); i > 0; i--) sum *= factor;
  return sum;
}

function log(x: number): number {
  let mantissa = x;
  let doublings = 0;
  for (; mantissa > 1.5; doublings++) mantissa /= 2;
  for (; mantissa < 0.75; doublings--) mantissa *= 2;
  const z = (mantissa - 1) / (mantissa + 1);
  let sum = 0;
  for (let n = 25; n > 0; n -= 2) sum = sum * z * z + 1 / n;
  return doublings * Math.LN2 + 2 * z * sum;
}

const table = Float64Array.from({ length: 2 * LIMIT * STEPS_PER_UNIT + 2 }, (_, i) => {
  return 1 / (1 + exp(LIMIT - i / STEPS_PER_UNIT));
});

function logistic(x: number): number {
  const at = (Math.max(-LIMIT, Math.min(LIMIT, x)) + LIMIT) * STEPS_PER_UNIT;
  const below = Math.floor(at);
  const low = table[below] ?? 0;
  return low + ((table[below + 1] ?? 1) - low) * (at - below);
}
