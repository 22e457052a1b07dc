import { DAY_SECONDS, daysOfMonth } from '../contract/time.js';
import { toIsoTime } from '../frame/iso-time.js';

const ZERO = 48;
const DAY_MS = DAY_SECONDS * 1000;

/** Marks an invalid day or time. A small integer rather than NaN keeps loops over millions of rows fast. */
const NONE = 0x3fffffff;

/**
 * Parses ISO 8601 text into milliseconds since 1970: `2026-01-31`, `2026-01-31T12:30:00Z`, or with a space for the T,
 * without seconds, with parts of a second, or with another zone. Without a zone it is UTC, wherever this runs.
 *
 * @returns NaN if the text is not such a date, or is one that does not exist, such as 30 February.
 */
export function parseIso(text: string): number {
  const seconds = text.length === 10 ? 0 : text.length === 20 ? clockOf(text) : NONE;
  const day = seconds === NONE ? NONE : dayOf(text);
  return day === NONE ? parseRarely(text) : day * DAY_MS + seconds * 1000;
}

function parseRarely(text: string): number {
  const iso = toIsoTime(text);
  return iso === undefined || dayOf(text) === NONE ? Number.NaN : Date.parse(iso);
}

/** Seconds since midnight of `…THH:MM:SSZ`. */
function clockOf(text: string): number {
  const marks = text.charCodeAt(10) === 84 && text.charCodeAt(13) === 58 && text.charCodeAt(16) === 58;
  if (!marks || text.charCodeAt(19) !== 90) return NONE;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  return hour < 24 && minute < 60 && second < 60 ? (hour * 60 + minute) * 60 + second : NONE;
}

/**
 * Days since 1970 of `YYYY-MM-DD…`.
 *
 * Years are counted from March, so that the leap day comes last. 1970 begins 719,468 days after 1 March of year 0.
 */
function dayOf(text: string): number {
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return NONE;
  const century = twoDigits(text, 0);
  const rest = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (century >= 100 || rest >= 100 || month < 1 || month > 12 || day < 1) return NONE;
  if (day > 28 && day > daysOfMonth(century * 100 + rest, month)) return NONE;
  const year = century * 100 + rest - (month <= 2 ? 1 : 0);
  if (year < 0) return NONE;
  const leaps = ((year / 4) | 0) - ((year / 100) | 0) + ((year / 400) | 0);
  return year * 365 + leaps + (((153 * ((month + 9) % 12) + 2) / 5) | 0) + day - 1 - 719_468;
}

/** The number of two digits; above 99 if either is not a digit. */
function twoDigits(text: string, at: number): number {
  const tens = (text.charCodeAt(at) - ZERO) >>> 0;
  const ones = (text.charCodeAt(at + 1) - ZERO) >>> 0;
  return tens > 9 || ones > 9 ? NONE : tens * 10 + ones;
}
