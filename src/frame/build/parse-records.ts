import { checkRecord, type JsonRecord } from './check-record.js';
import { parsePage } from './parse-page.js';

/**
 * Parses the records of one page of a dataset of unknown shape as the JSON values that were sent. It refuses a page for
 * the same reasons as a {@link FrameBuilder}. Numbers that a double cannot hold become text, as in {@link parseJson}.
 *
 * @param results UTF-8 JSON text of an array of records, which may be empty.
 * @param page Number of the page, counted from 1, for errors.
 * @throws {AnswerError} If the text is not UTF-8, not JSON or not an array of objects, or a record repeats a field.
 * @example parseRecords(Buffer.from('[{"id":9007199254740993,"n":1}]'), 1); // [{ id: '9007199254740993', n: 1 }]
 */
export function parseRecords(results: Uint8Array, page: number): JsonRecord[] {
  return parsePage(results, page).map((record, at) => checkRecord(record, page, at));
}
