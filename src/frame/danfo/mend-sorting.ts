import { comparedColumn } from '../vector/compared-vector.js';
import { cellsOf } from '../vector/vector.js';
import { frameLike, type Internals, isInPlace, type Method, replaceMethods } from './danfo-internals.js';
import { rowOrder } from './row-order.js';

/**
 * Mends `sortValues`: stable, numbers by size, times by moment, other text by code units, missing values last in either
 * direction, in O(n log n). Danfo misplaces missing values, ignores the case of text and takes O(n²).
 */
export function mendSorting(prototype: Internals): void {
  replaceMethods(prototype, { sortValues: sorting });
}

function sorting(original: Method): Method {
  return function (by, options) {
    if (!this.columns.includes(by as string)) return original.call(this, by, options);
    const { ascending = true } = (options ?? {}) as { ascending?: boolean };
    const order = rowOrder(cellsOf(comparedColumn(this, by as string)), ascending);
    const { values, index, $dtypes: labels } = this;
    const rows = order.map((row) => values[row] ?? []);
    const moved = order.map((row) => index[row] ?? row);
    if (!isInPlace(options)) return frameLike(this, rows, { index: moved });
    this.$setValues(rows);
    this.$setIndex(moved);
    this.$dtypes = labels;
    return undefined;
  };
}
