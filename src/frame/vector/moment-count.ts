import { DAY_SECONDS, daysOfMonth } from '../../contract/time.js';

const DAY_LENGTH = 'YYYY-MM-DD'.length;
const SECOND_LENGTH = 'YYYY-MM-DDTHH:MM:SSZ'.length;
/** The range in which databases hold nanoseconds: from the first whole day, 22 September 1677, to 11 April 2262. */
const NANOS = [-9_223_286_400n * 10n ** 9n, 2n ** 63n - 2n] as const;

/** Whether a text has the length of a day alone. */
export function isDay(text: string): boolean {
  return text.length === DAY_LENGTH;
}

/**
 * Moments since 1970 in microseconds.
 *
 * @param texts ISO 8601 dates, or dates with time in UTC.
 * @returns Undefined if one is no such text, or has another number of digits of a second than none, three or six.
 */
export function microsOf(texts: readonly string[]): BigInt64Array | undefined {
  const micros = new BigInt64Array(texts.length);
  // By halves: as a big integer, each would be an object.
  const halves = new Int32Array(micros.buffer);
  for (const [at, text] of texts.entries()) {
    const digits = fractionDigits(text);
    const seconds = digits > 6 ? Number.NaN : secondsOf(text);
    if (Number.isNaN(seconds)) return undefined;
    const fraction = digits === 0 ? 0 : digitsOf(text, SECOND_LENGTH, SECOND_LENGTH + digits) * 10 ** (6 - digits);
    // Seconds in 2²⁰ parts, so that no product is beyond what doubles hold.
    const many = Math.floor(seconds / 2 ** 20) * 1e6;
    const few = (seconds - Math.floor(seconds / 2 ** 20) * 2 ** 20) * 1e6 + fraction;
    const upper = Math.floor(many / 2 ** 12);
    const lower = (many - upper * 2 ** 12) * 2 ** 20 + few;
    halves[2 * at] = lower;
    halves[2 * at + 1] = upper + Math.floor(lower / 2 ** 32);
  }
  return micros;
}

/**
 * Moments since 1970 in nanoseconds: {@link microsOf}, with nine digits of a second, too.
 *
 * @returns Undefined, too, if a moment lies outside the years 1677 to 2262.
 */
export function nanosOf(texts: readonly string[]): BigInt64Array | undefined {
  const nanos = new BigInt64Array(texts.length);
  for (const [at, text] of texts.entries()) {
    const seconds = secondsOf(text);
    if (Number.isNaN(seconds)) return undefined;
    const fraction = text.slice(SECOND_LENGTH, -1).padEnd(9, '0');
    const count = BigInt(seconds) * 10n ** 9n + BigInt(fraction);
    if (count < NANOS[0] || count > NANOS[1]) return undefined;
    nanos[at] = count;
  }
  return nanos;
}

/** Digits of a second that a text has, if it is a time. */
function fractionDigits(text: string): number {
  return Math.max(0, text.length - SECOND_LENGTH - 1);
}

/** Seconds since 1970 of a date, or of a date with time in UTC, without their fraction; NaN if a text is neither. */
function secondsOf(text: string): number {
  const [year, month, day] = [digitsOf(text, 0, 4), digitsOf(text, 5, 7), digitsOf(text, 8, 10)];
  const isDate = text[4] === '-' && text[7] === '-' && month >= 1 && month <= 12 && day >= 1;
  if (!isDate || !(day <= daysOfMonth(year, month))) return Number.NaN;
  const seconds = dayNumber(year, month, day) * DAY_SECONDS;
  return isDay(text) ? seconds : seconds + clockOf(text);
}

/** Seconds of the day of a time, without their fraction; NaN if it has another form than `THH:MM:SS.fff…Z`. */
function clockOf(text: string): number {
  const [hours, minutes, seconds] = [digitsOf(text, 11, 13), digitsOf(text, 14, 16), digitsOf(text, 17, 19)];
  const isClock = text[10] === 'T' && text[13] === ':' && text[16] === ':' && hours < 24 && minutes < 60;
  if (!isClock || !(seconds < 60) || !hasFraction(text)) return Number.NaN;
  return 3600 * hours + 60 * minutes + seconds;
}

/** Whether a time ends behind its seconds in Z, or in a point, three, six or nine digits, and Z. */
function hasFraction(text: string): boolean {
  const last = text.length - 1;
  if (text[last] !== 'Z') return false;
  if (text.length === SECOND_LENGTH) return true;
  const digits = fractionDigits(text);
  const isLong = digits === 3 || digits === 6 || digits === 9;
  return isLong && text[SECOND_LENGTH - 1] === '.' && !Number.isNaN(digitsOf(text, SECOND_LENGTH, last));
}

/** Days since 1970 of a day of the calendar, whose years begin in March, so that a leap day is their last. */
function dayNumber(year: number, month: number, day: number): number {
  const years = month > 2 ? year : year - 1;
  const months = (month + 9) % 12;
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return 365 * years + leaps + Math.floor((153 * months + 2) / 5) + day - 719_469;
}

/** The number that the digits from one place up to another are; NaN if something there is no digit. */
function digitsOf(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = 10 * number + digit;
  }
  return number;
}
