import type { Column, Dtype } from '../../contract/definition.js';
import { isIsoTime } from '../iso-time.js';
import { isMissing } from './is-missing.js';
import { MISSING_MICROS, type Vector } from './vector.js';

const INT32_LIMIT = 2 ** 31;

/**
 * Describes a column by all its values, for frames that came without a contract: text is never taken for numbers.
 *
 * @returns `int32` where every number is an integer below 2³¹, `datetime` where every text is ISO 8601, `string` where
 * kinds are mixed or nothing is there; nullable where a value is missing.
 */
export function describeVector(name: string, vector: Vector): Column {
  return { name, ...dtypeOf(vector), meaning: '' };
}

function dtypeOf(vector: Vector): { dtype: Dtype; nullable: boolean } {
  switch (vector.kind) {
    case 'number': {
      const nullable = vector.values.some(Number.isNaN);
      const isInteger = (value: number) =>
        Number.isNaN(value) || (Number.isInteger(value) && Math.abs(value) < INT32_LIMIT);
      const present = vector.values.some((value) => !Number.isNaN(value));
      return { dtype: present && vector.values.every(isInteger) ? 'int32' : 'float64', nullable };
    }
    case 'micros':
      return { dtype: 'float64', nullable: vector.values.includes(MISSING_MICROS) };
    case 'boolean':
      return { dtype: 'boolean', nullable: vector.values.includes(-1) };
    case 'text': {
      const { codes, words } = vector;
      const present = codes.some((code) => code >= 0);
      const isMoment = (code: number) => code < 0 || isIsoTime(words[code] ?? '');
      return { dtype: present && codes.every(isMoment) ? 'datetime' : 'string', nullable: codes.includes(-1) };
    }
    default: {
      const present = vector.cells.filter((cell) => !isMissing(cell));
      const isMoment = present.every((cell) => cell instanceof Date || (typeof cell === 'string' && isIsoTime(cell)));
      return { dtype: isMoment ? 'datetime' : 'string', nullable: present.length < vector.cells.length };
    }
  }
}
