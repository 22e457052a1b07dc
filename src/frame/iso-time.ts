const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?`;
const UTC_TIME = new RegExp(`^${DAY}(?:T${CLOCK}Z)?$`);
const ANY_TIME = new RegExp(`^(${DAY})[T ](${CLOCK})(Z|[+-]\\d{2}(?::?\\d{2})?)?$`);

/** Whether a text is an ISO 8601 date, or date and time in UTC: text of either form sorts by time. */
export function isIsoTime(text: string): boolean {
  return UTC_TIME.test(text);
}

/**
 * Brings a date and time into ISO 8601 text in UTC.
 *
 * @param text A date, or a date and time with `T` or a blank between and an offset; without an offset it is UTC.
 * @returns The text itself where it is ISO 8601 in UTC already; undefined where it is no time.
 * @example toIsoTime('2025-11-05 14:30:00+02'); // '2025-11-05T12:30:00Z'
 */
export function toIsoTime(text: string): string | undefined {
  if (UTC_TIME.test(text)) return text;
  const match = ANY_TIME.exec(text);
  if (!match) return undefined;
  const [, day = '', clock = '', offset = 'Z'] = match;
  const zone = offset === 'Z' ? offset : `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`;
  const time = new Date(`${day}T${clock}${zone}`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString().replace('.000Z', 'Z');
}
