/** From here on, five terms of Stirling's series are accurate to the last digits of a double. */
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
  return (raised - 0.5) * Math.log(raised) - raised + HALF_LOG_TWO_PI + stirlingRest(raised) - Math.log(product);
}

/**
 * The natural logarithm of the beta function, Γ(α) Γ(β) / Γ(α + β), for positive arguments. If one is large, two of the
 * log-gammas agree in nearly all digits, so their difference is taken term by term.
 *
 * @see NIST Digital Library of Mathematical Functions, 5.12.1.
 * @example Math.exp(logBeta(2, 3)); // 1 / 12
 */
export function logBeta(alpha: number, beta: number): number {
  const [small, large] = alpha < beta ? [alpha, beta] : [beta, alpha];
  const both = small + large;
  if (large < LARGE) return logGamma(small) + logGamma(large) - logGamma(both);
  const rest = stirlingRest(large) - stirlingRest(both);
  return logGamma(small) + small - small * Math.log(both) - (large - 0.5) * Math.log1p(small / large) + rest;
}

/** The terms that Stirling's series adds to his formula; accurate only for large arguments. */
function stirlingRest(x: number): number {
  const square = 1 / (x * x);
  return (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / x;
}
