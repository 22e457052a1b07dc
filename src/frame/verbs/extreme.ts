import type { PlainVector } from '../vector/plain-vector.js';
import { chosenValue } from './chosen-value.js';
import type { Aggregation } from './measure.js';

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
