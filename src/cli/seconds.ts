import { UsageError } from '../base/errors.js';

/** The longest time in seconds: some 23 days; timers cannot wait much longer. */
const MOST = 2_000_000;

/** Makes a function that reads an option's value in seconds. @throws {UsageError} If the value is not valid. */
export function seconds(option: string): (text: string) => number {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && value <= MOST) return value;
    throw new UsageError(
      `${option} must be a number of seconds above 0 and up to ${MOST}, such as 30; got ${JSON.stringify(text)}.`,
    );
  };
}
