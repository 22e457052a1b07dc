import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import type { Progress } from './progress.js';

/** Options for running a query. */
export interface RunOptions {
  /** The largest number of records, over all wallets together: a whole number of 1 or more. Default: all. */
  readonly maxRecords?: number | undefined;
  /** Aborts the query, which then throws the reason of the signal; requests under way are cancelled. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time limit of the whole query in milliseconds, including the time that the reader takes between its pages: a whole
   * number from 1 to 2,147,483,647. Beyond it the query ends with a ServiceError that says how many records had
   * arrived. Default: none; each request has a limit of its own, see `connect()`.
   */
  readonly timeoutMs?: number | undefined;
  /** Called with the progress after each page, and once more when all have been read. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Keeps amounts as exact integer micro-units, for sums that are right to the last digit. Default false. */
  readonly exact?: boolean | undefined;
  /** Refuses records with a field that the contract does not have, instead of adding a column. Default false. */
  readonly strict?: boolean | undefined;
}

const NAMES = [
  'maxRecords',
  'signal',
  'timeoutMs',
  'onProgress',
  'exact',
  'strict',
] as const satisfies (keyof RunOptions)[];

/** The longest delay of a timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Checks the options of a run, for callers without TypeScript.
 *
 * @throws {UsageError} If an option has an unknown name, `maxRecords` or `timeoutMs` is no whole number within its
 * bounds, or `signal` is none.
 */
export function checkRunOptions(run: RunOptions): void {
  knownOptions('running a query', run, NAMES);
  if (run.maxRecords !== undefined) checkCount('maxRecords', run.maxRecords);
  if (run.signal !== undefined && !isSignal(run.signal)) {
    throw new UsageError(
      'signal must be an AbortSignal, such as AbortSignal.timeout(5000) or the signal of an AbortController.',
    );
  }
  const { timeoutMs = 1 } = run;
  if (Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= LONGEST_TIMER_MS) return;
  const most = LONGEST_TIMER_MS.toLocaleString('en-US');
  throw new UsageError(`timeoutMs must be a whole number from 1 to ${most}; got ${String(timeoutMs)}.`);
}

/** Whether a value has the members of a signal that are used; a signal of another realm counts too. */
function isSignal(signal: unknown): boolean {
  const { aborted, addEventListener } = Object(signal) as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

/** @throws {UsageError} If a number of records is not a whole number of 1 or more. */
export function checkCount(name: string, count: number): void {
  if (Number.isSafeInteger(count) && count >= 1) return;
  throw new UsageError(`${name} must be a whole number of 1 or more; got ${String(count)}.`);
}
