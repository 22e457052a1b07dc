import type { PlainVector } from '../vector/plain-vector.js';
import { chosenValue } from './chosen-value.js';
import type { Aggregation } from './measure.js';

/**
 * Least value of a column without its missing values, of times by moment, of other text by code units; missing where
 * all are.
 *
 * @throws {ColumnError} When measured: if the column is missing, or mixes kinds of values.
 */
export function min<Name extends string>(name: Name): Aggregation<Name, 'value'> {
  return chosenValue(name, 'Least', isLess);
}

/**
 * Greatest value of a column without its missing values, of times by moment, of other text by code units; missing where
 * all are.
 *
 * @throws {ColumnError} When measured: if the column is missing, or mixes kinds of values.
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
