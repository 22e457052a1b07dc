/** From here on, Stirling's series of five terms is right to the last digits of a double. */
const LARGE = 12;

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
  for (; raised < LARGE; raised += 1) product *= raised;
  const square = 1 / (raised * raised);
  const series = 1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)));
  return (raised - 0.5) * Math.log(raised) - raised + HALF_LOG_TWO_PI + series / raised - Math.log(product);
}
