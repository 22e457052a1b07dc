import { toIsoTime } from '../iso-time.js';
import type { Vector } from './vector.js';

/**
 * The values of a column of times in the form in which frames hold them, see {@link toIsoTime}; the vector itself where
 * they are so already, or are no text.
 */
export function shortestTimes(vector: Vector): Vector {
  if (vector.kind !== 'text') return vector;
  const words = vector.words.map((word) => (typeof word === 'string' ? (toIsoTime(word) ?? word) : word));
  if (words.every((word, code) => word === vector.words[code])) return vector;
  return { kind: 'text', codes: vector.codes, words, distinct: false };
}
