import type { Cell } from '../tabular.js';
import { isMissing } from '../vector/is-missing.js';

/**
 * Danfo's label for a column, by all its values: text is never taken for numbers, and missing values count only if
 * there is nothing else.
 *
 * @returns `string` if any value is text; `float32` (for doubles too) if any number has a fraction or is missing;
 * `int32`, `boolean` or `datetime` if all values are; `undefined` without any value.
 */
export function danfoLabel(cells: readonly Cell[]): string {
  let [numbers, fractions, missing, booleans, dates] = [false, false, false, false, false];
  for (const cell of cells) {
    if (typeof cell === 'number' && !Number.isNaN(cell)) {
      numbers = true;
      fractions ||= !Number.isInteger(cell);
    } else if (isMissing(cell)) missing = true;
    else if (typeof cell === 'boolean') booleans = true;
    else if (cell instanceof Date) dates = true;
    else if (typeof cell === 'bigint') numbers = true;
    else return 'string';
  }
  if (numbers) return fractions || missing ? 'float32' : 'int32';
  if (booleans) return 'boolean';
  if (dates) return 'datetime';
  return missing ? 'float32' : 'undefined';
}

/** The labels of all columns of some rows. */
export function danfoLabels(rows: readonly (readonly Cell[])[]): string[] {
  return (rows[0] ?? []).map((_, at) => danfoLabel(rows.map((row) => row[at])));
}
