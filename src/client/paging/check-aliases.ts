import type { Dataset } from '../../contract/dataset.js';
import { AnswerError } from '../../errors.js';
import { parseRecords } from '../../frame/build/parse-records.js';
import { toIsoTime } from '../../frame/iso-time.js';

/**
 * Refuses records that have a field under both of its names with different values, such as `close_date` and
 * `closed_date`. Times are compared as moments; where one of the two is missing, the other holds.
 * Empty text under the first name hides what stands under the second, and is refused, too.
 *
 * @param results Text of records that were decoded without a fault.
 * @throws {AnswerError} Names the record, both fields and their values.
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
