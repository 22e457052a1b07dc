/** Micro-units in a unit: money is integer micro-USD, shares are integer millionths. */
export const MICRO = 1_000_000;

const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?$/;

/**
 * Reads plain decimal text as integer micro-units, exactly.
 *
 * @param text Digits with an optional minus sign and fraction. More than six places are rounded half away from zero.
 * @returns The micro-units, or undefined if the text is no plain decimal (an exponent, hex, a blank, `NaN`).
 * @example microsOf('-12.5'); // -12500000n
 */
export function microsOf(text: string): bigint | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const kept = BigInt(whole + fraction.slice(0, 6).padEnd(6, '0'));
  const rounded = (fraction[6] ?? '0') >= '5' ? kept + 1n : kept;
  return sign ? -rounded : rounded;
}

/**
 * Writes integer micro-units as plain decimal text with up to six places and no trailing zeros.
 *
 * @example decimalOf(-12500000n); // '-12.5'
 */
export function decimalOf(micros: bigint): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0');
  const fraction = digits.slice(-6).replace(/0+$/, '');
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}${fraction && `.${fraction}`}`;
}

/**
 * Divides integers and gives the quotient in micro-units, rounded half away from zero; 0 if the divisor is 0.
 *
 * @param numerator In whole units, or in micro-units with `scale` 1.
 * @param scale The factor by which the numerator is multiplied first. Default one million.
 * @example decimalOf(ratioMicros(1n, 3n)); // '0.333333'
 */
export function ratioMicros(numerator: bigint, divisor: bigint, scale: bigint = BigInt(MICRO)): bigint {
  if (divisor === 0n) return 0n;
  const negative = numerator < 0n !== divisor < 0n;
  const top = (numerator < 0n ? -numerator : numerator) * scale;
  const bottom = divisor < 0n ? -divisor : divisor;
  const rounded = (2n * top + bottom) / (2n * bottom);
  return negative ? -rounded : rounded;
}
