import { missingAt } from './missing-at.js';
import { lengthOf, type Vector } from './vector.js';

/** Whether a vector has no value at all: nothing tells of what kind it would be, whatever kind it is kept as. */
export function isBlank(vector: Vector): boolean {
  for (let row = 0; row < lengthOf(vector); row += 1) if (!missingAt(vector, row)) return false;
  return true;
}
