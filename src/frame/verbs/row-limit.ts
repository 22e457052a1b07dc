import { totalmem } from 'node:os';
import { UsageError } from '../../base/errors.js';

const MOST_ROWS = 2 ** 31;

/**
 * Refuses before anything is allocated what would end in the system ending the process.
 *
 * @param what Whose rows they are: `The join`.
 * @param width The bytes of a row.
 * @param remedy What to do instead.
 * @throws {UsageError} If there are more rows than a frame can hold, or more than half of this machine's memory.
 */
export function refuseTooMany(
  what: string,
  rows: number,
  width: number,
  remedy = 'join by keys that tell the rows of one side apart',
): void {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const bytes = rows * width;
  if (rows < MOST_ROWS && bytes <= memory / 2) return;
  throw new UsageError(
    `${what} would have ${rows} rows, which take ${gigabytes(bytes)} of this machine's ${gigabytes(memory)}: ${remedy}.`,
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
