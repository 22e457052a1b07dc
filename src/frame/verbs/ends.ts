import { chosenValue } from './chosen-value.js';
import type { Aggregation } from './measure.js';

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
