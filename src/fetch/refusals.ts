import { SourceError } from '../base/errors.js';

/** Whether an error is a source's refusal. */
export function isRefused(error: unknown): error is SourceError {
  return error instanceof SourceError && error.details.kind === 'refused';
}

/** Statuses by which a source may refuse a cursor that has expired, or that it does not know. */
const CURSOR_REFUSED: ReadonlySet<number | undefined> = new Set([400, 403, 410, 422]);

/** Whether an error may be the refusal of a cursor. */
export function refusesCursor(error: unknown): boolean {
  return isRefused(error) && CURSOR_REFUSED.has(error.details.status);
}

/** Asks version 2 of the Data API, and where it refuses, version 1. @throws {SourceError} That names both failures. */
export async function orVersion1<T>(version2: () => Promise<T>, version1: () => Promise<T>): Promise<T> {
  try {
    return await version2();
  } catch (refusal) {
    if (!isRefused(refusal)) throw refusal;
    return afterVersion2(refusal, version1);
  }
}

/** Asks version 1 after version 2 failed. @throws {SourceError} That names both failures, if version 1 fails, too. */
export async function afterVersion2<T>(failure: SourceError, version1: () => Promise<T>): Promise<T> {
  try {
    return await version1();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new SourceError(`${failure.message} Version 1 failed, too: ${error.message}`, error.details, {
      cause: failure,
    });
  }
}
