import { takeVector } from '../vector/take-vector.js';
import type { Vector } from '../vector/vector.js';

/** The keys of groups, by the first row of each: as {@link takeVector}, but -0, which is the same key as 0, is 0. */
export function takeKeys(vector: Vector, firstRows: Uint32Array): Vector {
  const taken = takeVector(vector, firstRows);
  return taken.kind === 'number' ? { kind: 'number', values: taken.values.map((value) => value + 0) } : taken;
}
