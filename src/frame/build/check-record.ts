import { AnswerError } from '../../base/errors.js';
import { showValue } from './show-value.js';

/** One decoded record of a page. */
export type JsonRecord = Record<string, unknown>;

/**
 * Checks that a decoded value is a record.
 *
 * @param page Number of the page, for errors.
 * @param at Index of the record in the page.
 * @throws {AnswerError} If it is not a JSON object; the message names page and row, both counted from 1.
 */
export function checkRecord(record: unknown, page: number, at: number): JsonRecord {
  if (typeof record === 'object' && record !== null && !Array.isArray(record)) return record as JsonRecord;
  throw new AnswerError(`Page ${page}, row ${at + 1} is ${showValue(record)} where a record (a JSON object) belongs.`);
}
