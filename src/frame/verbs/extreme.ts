import { columnOf, comparedColumn } from '../tabular/columns-of.js';
import { vectorOf } from '../tabular/tabular.js';
import { bigIntegersOf, type PlainVector, plainVector } from '../vector/plain-vector.js';
import { takeVector } from '../vector/take-vector.js';
import { missingAt } from '../vector/vector.js';
import { type Aggregation, describeMeasure } from './measure.js';
import type { RowGroups } from './row-groups.js';

/**
 * The least value of a column, without missing ones; missing if all are. Times are compared as moments, other text by
 * code units, exact amounts to the last digit. For `rollup` and `pivot`.
 *
 * @throws {ColumnError} On use, if the column is missing or mixes kinds of values.
 * @example groupBy(pnl, 'proxy_wallet').rollup({ worst: min('pnl') });
 */
export function min<Name extends string>(name: Name): Aggregation<Name, 'value'> {
  return chosenValue(name, 'Least', isLess);
}

/**
 * The greatest value of a column, without missing ones; missing if all are. Times are compared as moments, other text
 * by code units, exact amounts to the last digit. For `rollup` and `pivot`.
 *
 * @throws {ColumnError} On use, if the column is missing or mixes kinds of values.
 * @example groupBy(pnl, 'proxy_wallet').rollup({ best: max('pnl') });
 */
export function max<Name extends string>(name: Name): Aggregation<Name, 'value'> {
  return chosenValue(name, 'Greatest', (vector, integers) => {
    const less = isLess(vector, integers);
    return (row, before) => less(before, row);
  });
}

function isLess(
  vector: PlainVector,
  integers: readonly (bigint | null)[] | undefined,
): (a: number, b: number) => boolean {
  if (integers) return (a, b) => (integers[a] as bigint) < (integers[b] as bigint);
  if (vector.kind === 'text') {
    const { codes, words } = vector;
    return (a, b) => (words[codes[a] as number] as string) < (words[codes[b] as number] as string);
  }
  const { values }: { readonly values: { readonly [row: number]: number | bigint } } = vector;
  return (a, b) => (values[a] as number) < (values[b] as number);
}

/**
 * The first value of a column in the order of the rows, skipping missing ones; missing if all are. For `rollup` and
 * `pivot`.
 *
 * @throws {ColumnError} On use, if the column is missing or mixes kinds of values.
 * @example groupBy(sortBy(pnl, 'date'), 'proxy_wallet').rollup({ since: first('date') });
 */
export function first<Name extends string>(name: Name): Aggregation<Name, 'value'> {
  return chosenValue(name, 'First', () => () => false);
}

/**
 * The last value of a column in the order of the rows, skipping missing ones; missing if all are. For `rollup` and
 * `pivot`.
 *
 * @throws {ColumnError} On use, if the column is missing or mixes kinds of values.
 * @example groupBy(sortBy(pnl, 'date'), 'proxy_wallet').rollup({ until: last('date') });
 */
export function last<Name extends string>(name: Name): Aggregation<Name, 'value'> {
  return chosenValue(name, 'Last', () => () => true);
}

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
function chosenValue<Name extends string>(name: Name, title: string, prefers: Prefers): Aggregation<Name, 'value'> {
  return {
    reads: [name],
    result: 'value',
    measure: (frame, groups) => {
      const given = vectorOf(frame, name);
      const vector = plainVector(name, given);
      return takeVector(
        vector,
        chosenRows(vector, groups, prefers(plainVector(name, comparedColumn(frame, name)), bigIntegersOf(given))),
      );
    },
    describe: (frame, measured) => {
      const { dtype } = columnOf(frame, name);
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
