import { checkRecord, type JsonRecord } from './check-record.js';
import { parsePage } from './parse-page.js';

/**
 * The records of one page of a dataset of unknown shape as the JSON values that were sent, refused for the same reasons
 * for which a {@link FrameBuilder} refuses a page. Numbers that a double does not hold are text of their digits, as in
 * {@link parseJson}.
 *
 * @param results UTF-8 JSON text of an array of records; empty gives none.
 * @param page Number of the page, counted from 1, for errors.
 * @throws {AnswerError} If it is no UTF-8, no JSON, no array of objects, or a record has a field twice.
 * @example parseRecords(Buffer.from('[{"id":9007199254740993,"n":1}]'), 1); // [{ id: '9007199254740993', n: 1 }]
 */
export function parseRecords(results: Uint8Array, page: number): JsonRecord[] {
  return parsePage(results, page).map((record, at) => checkRecord(record, page, at));
}
