import type { Column, Dtype } from '../contract/column.js';
import { isMissing } from './is-missing.js';
import { isIsoTime } from './iso-time.js';
import type { Cell } from './tabular.js';

const INT32_LIMIT = 2 ** 31;

/**
 * Describes a column by all its values, for frames that came without a contract: text is never taken for numbers.
 *
 * @returns `int32` where every number is an integer below 2³¹, `datetime` where every text is ISO 8601, `string` where
 * kinds are mixed or nothing is there; nullable where a value is missing.
 */
export function describeValues(name: string, values: readonly Cell[]): Column {
  const present = values.filter((value) => !isMissing(value));
  return { name, dtype: dtypeOf(present), nullable: present.length < values.length, meaning: '' };
}

function dtypeOf(present: readonly Cell[]): Dtype {
  const first = present[0];
  if (typeof first === 'number' && present.every((value) => typeof value === 'number')) {
    return present.every((value) => Number.isInteger(value) && Math.abs(value) < INT32_LIMIT) ? 'int32' : 'float64';
  }
  if (typeof first === 'boolean' && present.every((value) => typeof value === 'boolean')) return 'boolean';
  return present.length > 0 && present.every(isMoment) ? 'datetime' : 'string';
}

function isMoment(value: Cell): boolean {
  return value instanceof Date || (typeof value === 'string' && isIsoTime(value));
}
