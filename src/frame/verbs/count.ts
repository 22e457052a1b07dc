import { comparedColumn } from '../vector/compared-vector.js';
import { presentRows } from '../vector/present-rows.js';
import { vectorOf } from '../vector/vectors-of.js';
import { keyCodes } from './key-codes.js';
import type { Aggregation } from './measure.js';
import { refineGroups } from './row-groups.js';

/**
 * The number of rows; given a column, of the rows in which it is not missing. For `rollup` and `pivot`.
 *
 * @throws {ColumnError} On use, if the column is missing.
 * @example groupBy(markets, 'event_slug').rollup({ markets: count(), closed: count('close_date') });
 */
export function count<Name extends string = never>(name?: Name): Aggregation<Name, 'number'> {
  return {
    reads: name === undefined ? [] : [name],
    result: 'number',
    measure: (frame, groups) => {
      const vector = name === undefined ? undefined : vectorOf(frame, name);
      return { kind: 'number', values: presentRows(groups, vector) };
    },
    describe: () => ({ dtype: 'int32', nullable: false, meaning: name === undefined ? 'Rows.' : `Values of ${name}.` }),
  };
}

/**
 * The number of distinct values of a column; missing ones are not counted. For `rollup` and `pivot`.
 *
 * @throws {ColumnError} On use, if the column is missing or mixes kinds of values.
 * @example groupBy(pnl, 'date').rollup({ wallets: nUnique('proxy_wallet') });
 */
export function nUnique<Name extends string>(name: Name): Aggregation<Name, 'number'> {
  return {
    reads: [name],
    result: 'number',
    measure: (frame, groups) => {
      const key = keyCodes(name, comparedColumn(frame, name));
      const values = new Float64Array(groups.groups);
      for (const row of refineGroups(groups, key).firstRows) {
        const group = groups.groupOf[row] as number;
        if ((key.codes[row] as number) >= 0) values[group] = (values[group] as number) + 1;
      }
      return { kind: 'number', values };
    },
    describe: () => ({ dtype: 'int32', nullable: false, meaning: `Distinct values of ${name}.` }),
  };
}
