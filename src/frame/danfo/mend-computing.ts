import { cumulate, isCumulation } from './cumulate.js';
import { frameLike, type Internals, type Method, replaceMethods } from './danfo-internals.js';

/**
 * Mends what danfo computes along rows and columns:
 * - `apply` hands over every value at its position, where danfo leaves missing ones out so that the others move up;
 * - `cumSum`, `cumMin`, `cumMax` and `cumProd` leave a missing value missing and go on after it.
 */
export function mendComputing(prototype: Internals): void {
  replaceMethods(prototype, { apply: applyToAll, cumOps: cumulateAll });
}

function applyToAll(original: Method): Method {
  return function (callable, options) {
    const lines = (axis: unknown) => this.$getDataArraysByAxis(axis).map((line) => [...line]);
    const whole = { $getDataByAxisWithMissingValuesRemoved: { value: lines } };
    return original.call(Object.create(this, whole) as Internals, callable, options);
  };
}

function cumulateAll(original: Method): Method {
  return function (operation, axis, inplace) {
    if (this.$dtypes.includes('string') || !isCumulation(operation)) {
      return original.call(this, operation, axis, inplace);
    }
    const lines = this.$getDataArraysByAxis(axis).map((line) => cumulate(operation, line));
    const rows = axis === 0 ? this.values.map((_, row) => lines.map((line) => line[row])) : lines;
    return inplace ? this.$setValues(rows) : frameLike(this, rows);
  };
}
