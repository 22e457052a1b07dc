import { chosenValue } from './chosen-value.js';
import type { Aggregation } from './measure.js';

/**
 * First value of a column in the order of the rows, missing ones passed over; missing where all are.
 *
 * @throws {ColumnError} When measured: if the column is missing, or mixes kinds of values.
 * @example groupBy(sortBy(pnl, 'date'), 'proxy_wallet').rollup({ since: first('date') });
 */
export function first<Name extends string>(name: Name): Aggregation<Name, 'value'> {
  return chosenValue(name, 'First', () => () => false);
}

/**
 * Last value of a column in the order of the rows, missing ones passed over; missing where all are.
 *
 * @throws {ColumnError} When measured: if the column is missing, or mixes kinds of values.
 */
export function last<Name extends string>(name: Name): Aggregation<Name, 'value'> {
  return chosenValue(name, 'Last', () => () => true);
}
