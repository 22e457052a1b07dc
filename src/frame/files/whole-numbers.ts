import type { Dtype } from '../../contract/definition.js';
import type { Vector } from '../vector/vector.js';
import { TextCollector } from './text-collector.js';

const INT32_LIMIT = 2n ** 31n;
const EXACT_LIMIT = 2n ** 53n;

/**
 * Whole numbers of any size as a column: `int32` if all of them fit, else doubles if all are below 2⁵³ and so exact,
 * else text. None is rounded.
 *
 * @param values One value per row; null if it is missing.
 */
export function wholeNumbers(values: readonly (bigint | null)[]): { dtype: Dtype; vector: Vector } {
  let greatest = 0n;
  for (const value of values) {
    const size = value === null ? 0n : value < 0n ? -value : value;
    if (size > greatest) greatest = size;
  }
  if (greatest >= EXACT_LIMIT) {
    const texts = new TextCollector(values.length);
    for (const value of values) texts.add(value === null ? null : String(value));
    return { dtype: 'string', vector: texts.vector() };
  }
  const numbers = Float64Array.from(values, (value) => (value === null ? Number.NaN : Number(value)));
  return { dtype: greatest < INT32_LIMIT ? 'int32' : 'float64', vector: { kind: 'number', values: numbers } };
}
