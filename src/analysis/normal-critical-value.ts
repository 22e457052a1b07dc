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
