/** Matches a text that may hold a number that a double cannot hold; digits inside strings mostly do not match. */
const MAY_BE_LONG = /(?:^|[:,[\s])-?\d(?:[\d.]{15}|[\d.]*[eE])/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** A double can print any decimal of up to 15 digits again. */
const MAX_DIGITS = 15;
/** The most digits that a program needs to print a double so that it reads back the same. */
const MEASURED_DIGITS = 17;
/** The most digits that toExponential prints, and the most zeros that are written out. */
const MAX_PRINTED = 100;
const MAX_ZEROS = 1000;

/**
 * Parses JSON as JSON.parse does, except that numbers that a double cannot hold become text of their digits, without an
 * exponent if the number is finite as a double. These are:
 * - integers of more than 15 digits, which are mostly ids;
 * - numbers with a fraction or an exponent that have more than 17 significant digits, unless the double printed with as
 *   many digits is the same;
 * - numbers too large or too small for a double.
 *
 * @param keepsAll Whether every number of more than 15 significant digits becomes text. Default: false.
 * @throws {SyntaxError} If it is not JSON.
 * @example parseJson('[9007199254740993, 1.5, 1e400]'); // ['9007199254740993', 1.5, '1e400']
 */
export function parseJson(text: string, keepsAll = false): unknown {
  const value: unknown = JSON.parse(text);
  if (!MAY_BE_LONG.test(text)) return value;
  // Putting quotes around numbers is safe only in text that is known to be valid JSON.
  const kept = text.replace(STRING_OR_NUMBER, (part) => (part.startsWith('"') ? part : digitsOf(part, keepsAll)));
  return kept === text ? value : JSON.parse(kept);
}

/** A number as it was written, or in quotation marks if a double cannot hold it. */
function digitsOf(literal: string, keepsAll: boolean): string {
  const number = Number(literal);
  // Most long numbers are doubles as JavaScript or Python print them.
  if (!keepsAll && literal.includes('.') && String(number) === literal) return literal;
  const [, sign = '', whole = '', fraction = '', power] = NUMBER.exec(literal) ?? [];
  const isInteger = fraction === '' && power === undefined;
  const written = whole + fraction;
  const lead = written.search(/[1-9]/);
  if (lead < 0) return literal;
  const digits = written.slice(lead).replace(/0+$/, '');
  const exponent = whole.length - 1 - lead + Number(power ?? 0);
  const isLong = digits.length > MAX_DIGITS || (isInteger && whole.length > MAX_DIGITS);
  const isHeld = number !== 0 && Number.isFinite(number);
  if (!isLong && isHeld) return literal;
  if (!isInteger && !keepsAll && isHeld && isMeasured(Math.abs(number), digits, exponent)) return literal;
  const isPlain = power === undefined || !Number.isFinite(number) || Math.abs(exponent) > MAX_ZEROS;
  return `"${isPlain ? literal : sign + writtenOut(digits, exponent)}"`;
}

/** Whether digits are no more than a double needs, or are those of the double when printed with as many. */
function isMeasured(number: number, digits: string, exponent: number): boolean {
  if (digits.length <= MEASURED_DIGITS) return true;
  if (digits.length > MAX_PRINTED) return false;
  const mantissa = digits.length > 1 ? `${digits.slice(0, 1)}.${digits.slice(1)}` : digits;
  return number.toExponential(digits.length - 1) === `${mantissa}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
}

/** Writes digits as a plain decimal; `exponent` is the power of ten of the first digit. */
function writtenOut(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
