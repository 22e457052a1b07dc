import { AnswerError } from '../../base/errors.js';
import { parseJson } from './parse-json.js';
import { countFields, countWrittenFields, repeatedField } from './scan/repeated-field.js';

/**
 * Parses the text of a page. Numbers that a double cannot hold become text: see {@link parseJson}.
 *
 * @param results UTF-8 JSON text.
 * @param page Number of the page, for errors.
 * @param exact Whether every number of more than 15 digits becomes text, so that amounts stay exact. Default: false.
 * @throws {AnswerError} If the text is not UTF-8, not JSON or not an array, or a record repeats a field.
 */
export function parsePage(results: Uint8Array, page: number, exact = false): readonly unknown[] {
  const records = parse(results, page, exact);
  if (!Array.isArray(records)) {
    throw new AnswerError(`Page ${page} is ${kindOf(records)} where an array of records belongs.`);
  }
  if (countFields(records) === countWrittenFields(results, 0, results.length)) return records;
  const twice = repeatedField(results);
  const where = twice ? `Page ${page}, row ${twice.at + 1}: the field "${twice.name}"` : `Page ${page}: a field`;
  throw new AnswerError(`${where} is there twice; which of both values is right cannot be told.`);
}

function parse(results: Uint8Array, page: number, exact: boolean): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(results);
  } catch (cause) {
    throw new AnswerError(`Page ${page} is not UTF-8 text, as JSON has to be.`, { cause });
  }
  try {
    return parseJson(text, exact);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AnswerError(`Page ${page} is not JSON: ${why}.`, { cause });
  }
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value === 'object' ? 'a record' : `a ${typeof value}`;
}
