import { AnswerError } from '../../errors.js';
import { showValue } from './show-value.js';

/** One record of a page, decoded. */
export type JsonRecord = Record<string, unknown>;

/**
 * A decoded value as the record that it has to be.
 *
 * @param page Number of the page, for errors.
 * @param at The record's place in it, counted from 0.
 * @throws {AnswerError} If it is no JSON object: names page and row, both counted from 1.
 */
export function checkRecord(record: unknown, page: number, at: number): JsonRecord {
  if (typeof record === 'object' && record !== null && !Array.isArray(record)) return record as JsonRecord;
  throw new AnswerError(`Page ${page}, row ${at + 1} is ${showValue(record)} where a record (a JSON object) belongs.`);
}
