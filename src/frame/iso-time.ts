import { dayOfDate } from '../contract/time.js';

const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?`;
const UTC_TIME = new RegExp(`^${DAY}(?:T${CLOCK}Z)?$`);
const ANY_TIME = new RegExp(`^(${DAY})[T ](${CLOCK})(Z|[+-]\\d{2}(?::?\\d{2})?)?$`);
/** Length of `YYYY-MM-DDTHH:MM:SSZ`, the only form of a time in UTC with this length. */
export const WHOLE_SECOND = 20;

/** Whether a text is an ISO 8601 date, or date and time in UTC, of a day that exists. */
export function isIsoTime(text: string): boolean {
  return UTC_TIME.test(text) && isDay(text);
}

/**
 * Converts a date, or a date and time, to the one form in which frames hold it. A date stays as it is. A time is in UTC
 * with seconds and, if it has a fraction of a second, 3, 6, 9 … digits of it, as few as needed.
 *
 * @param text A date, or a date and time with `T` or a blank between them and an offset; without an offset it is UTC.
 * @returns Undefined if it is not a time, or its day does not exist, such as 30 February.
 * @example toIsoTime('2025-11-05 14:30:00.500000+02'); // '2025-11-05T12:30:00.500Z'
 */
export function toIsoTime(text: string): string | undefined {
  if (UTC_TIME.test(text) && (text.length === WHOLE_SECOND || text.length === 10)) {
    return isDay(text) ? text : undefined;
  }
  const [, day = '', clock = '', offset = 'Z'] = ANY_TIME.exec(text) ?? [];
  if (day === '' || !isDay(day)) return undefined;
  const zone = offset === 'Z' ? offset : `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`;
  const [whole = '', fraction = ''] = clock.split('.');
  const time = new Date(`${day}T${whole}${zone}`);
  if (Number.isNaN(time.getTime())) return undefined;
  const utc = time.toISOString();
  return /^\d{4}-/.test(utc) ? utc.replace('.000Z', `${shortest(fraction)}Z`) : undefined;
}

/** Whether the day at the beginning of a text exists. The pattern that matched it allows 31 days in every month. */
function isDay(text: string): boolean {
  return text.slice(8, 10) < '29' || dayOfDate(text.slice(0, 10)) !== undefined;
}

function shortest(fraction: string): string {
  const digits = fraction.replace(/0+$/, '');
  return digits === '' ? '' : `.${digits.padEnd(3 * Math.ceil(digits.length / 3), '0')}`;
}
