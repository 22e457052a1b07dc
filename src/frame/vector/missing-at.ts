import { isMissing } from './is-missing.js';
import { MISSING_MICROS, type Vector } from './vector.js';

/** Whether a vector holds nothing in one row. */
export function missingAt(vector: Vector, row: number): boolean {
  switch (vector.kind) {
    case 'number':
      return Number.isNaN(vector.values[row]);
    case 'micros':
      return vector.values[row] === MISSING_MICROS;
    case 'text':
      return (vector.codes[row] as number) < 0;
    case 'boolean':
      return (vector.values[row] as number) < 0;
    default:
      return isMissing(vector.cells[row]);
  }
}
