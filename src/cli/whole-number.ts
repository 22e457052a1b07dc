import { UsageError } from '../errors.js';

/** Reads an option's value as a whole number within bounds. @throws {UsageError} If it is none, with the option's name. */
export function wholeNumber(option: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new UsageError(`${option} must be a whole number from ${least} to ${most}; got ${JSON.stringify(text)}.`);
  };
}
