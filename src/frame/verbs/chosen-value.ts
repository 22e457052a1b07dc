import { columnsOf } from '../columns-of.js';
import { comparedColumn } from '../vector/compared-vector.js';
import { missingAt } from '../vector/missing-at.js';
import { bigIntegersOf, type PlainVector, plainVector } from '../vector/plain-vector.js';
import { takeOrMissing } from '../vector/take-or-missing.js';
import { vectorOf } from '../vector/vectors-of.js';
import { type Aggregation, describeMeasure } from './measure.js';
import type { RowGroups } from './row-groups.js';

/**
 * Whether one row of a vector is to be chosen over another one of the same group that comes before it.
 *
 * @param integers The values of a column of big integers, which the vector may hold as text.
 */
type Prefers = (
  vector: PlainVector,
  integers: readonly (bigint | null)[] | undefined,
) => (row: number, before: number) => boolean;

/**
 * An aggregation that chooses one of each group's values, which stays what it is: a number, an exact amount, text.
 *
 * @param title What the value is of its column, for its meaning.
 */
export function chosenValue<Name extends string>(
  name: Name,
  title: string,
  prefers: Prefers,
): Aggregation<Name, 'value'> {
  return {
    reads: [name],
    result: 'value',
    measure: (frame, groups) => {
      const given = vectorOf(frame, name);
      const vector = plainVector(name, given);
      return takeOrMissing(
        vector,
        chosenRows(vector, groups, prefers(plainVector(name, comparedColumn(frame, name)), bigIntegersOf(given))),
      );
    },
    describe: (frame, measured) => {
      const { dtype = 'float64' } = columnsOf(frame).find((known) => known.name === name) ?? {};
      return describeMeasure(title, name, { dtype })(frame, measured);
    },
  };
}

/** The chosen row of each group, -1 where all values are missing. */
function chosenRows(
  vector: PlainVector,
  { groupOf, groups }: RowGroups,
  prefers: (row: number, before: number) => boolean,
): Int32Array {
  const chosen = new Int32Array(groups).fill(-1);
  for (let row = 0; row < groupOf.length; row += 1) {
    const group = groupOf[row] as number;
    const before = chosen[group] as number;
    if (!missingAt(vector, row) && (before < 0 || prefers(row, before))) chosen[group] = row;
  }
  return chosen;
}
