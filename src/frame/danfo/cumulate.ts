import type { Cell } from '../tabular.js';
import { isMissing } from '../vector/is-missing.js';

type Step = (total: number, value: number) => number;

const STEPS: Readonly<Record<string, Step>> = {
  sum: (total, value) => total + value,
  prod: (total, value) => total * value,
  min: (total, value) => Math.min(total, value),
  max: (total, value) => Math.max(total, value),
};

/** Whether {@link cumulate} knows an operation. */
export function isCumulation(operation: unknown): operation is string {
  return typeof operation === 'string' && Object.hasOwn(STEPS, operation);
}

/**
 * Running totals: a missing value stays missing, and the total continues after it.
 *
 * @param operation `sum`, `prod`, `min` or `max`.
 * @example cumulate('sum', [1, NaN, 2]); // [1, NaN, 3]
 */
export function cumulate(operation: string, cells: readonly Cell[]): Cell[] {
  const step = STEPS[operation];
  let total: number | undefined;
  return cells.map((cell) => {
    if (isMissing(cell) || !step) return Number.NaN;
    total = total === undefined ? Number(cell) : step(total, Number(cell));
    return total;
  });
}
