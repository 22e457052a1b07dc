import { AnswerError } from '../../base/errors.js';
import type { Dataset } from '../../contract/dataset.js';
import { parseRecords } from '../../frame/decode/decode-records.js';
import { toIsoTime } from '../../frame/vector/iso-time.js';

/**
 * Refuses records that have a field under both of its names, such as `close_date` and `closed_date`, with different
 * values. Times are compared as moments. A name without a value is ignored. An empty text under the first name is
 * refused too, since it would hide the value under the second.
 *
 * @param results Text of records that were decoded without an error.
 * @throws {AnswerError} If a record is refused; the message names it, both fields and their values.
 */
export function checkAliases({ columns, key }: Dataset, results: Uint8Array): void {
  for (const { name, alias } of columns) {
    if (alias === undefined || !hasField(results, alias) || !hasField(results, name)) continue;
    for (const record of parseRecords(results, 1)) {
      const [own, other] = [record[name], record[alias]];
      if (isNull(own) || isNull(other) || other === '' || moment(own) === moment(other)) continue;
      const which = key.map((part) => `${part} ${record[part]}`).join(', ');
      throw new AnswerError(
        `the record of ${which} has "${name}" ${JSON.stringify(own)} and "${alias}" ${JSON.stringify(other)}, ` +
          'which are two names of one field: nothing tells which of them is right.',
      );
    }
  }
}

function hasField(results: Uint8Array, name: string): boolean {
  return Buffer.from(results.buffer, results.byteOffset, results.byteLength).includes(`"${name}"`);
}

function isNull(value: unknown): boolean {
  return value === undefined || value === null;
}

function moment(value: unknown): unknown {
  const time = typeof value === 'string' ? toIsoTime(value) : undefined;
  return time?.length === 10 ? `${time}T00:00:00Z` : (time ?? value);
}
