import { UsageError } from '../base/errors.js';

/**
 * Makes a function that reads an option's value as a whole number within bounds.
 *
 * @throws {UsageError} If it is not one.
 */
export function wholeNumber(option: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new UsageError(`${option} must be a whole number from ${least} to ${most}; got ${JSON.stringify(text)}.`);
  };
}
