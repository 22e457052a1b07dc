import { UsageError } from '../errors.js';

/** What timers can wait for: 24 days. */
const MOST = 2_000_000;

/** Reads an option's value as a time in seconds. @throws {UsageError} If it is none, with the option's name. */
export function seconds(option: string): (text: string) => number {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && value <= MOST) return value;
    throw new UsageError(
      `${option} must be a number of seconds above 0 and up to ${MOST}, such as 30; got ${JSON.stringify(text)}.`,
    );
  };
}
