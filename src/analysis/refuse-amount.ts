import { ColumnError } from '../base/errors.js';

/**
 * Refuses a number that cannot be an amount or a count.
 *
 * @param row The row that holds it.
 * @throws {ColumnError} Always; the message calls the number infinite or, otherwise, negative.
 */
export function refuseAmount(name: string, amount: number, row: number): never {
  const fault = Math.abs(amount) === Number.POSITIVE_INFINITY ? 'infinite' : 'negative';
  throw new ColumnError(
    `The column "${name}" holds ${amount} in row ${row}, counted from 0, but it must not be ${fault}.`,
  );
}

/**
 * Refuses a column with an infinite number.
 *
 * @throws {ColumnError} If a number is infinite.
 */
export function refuseInfinite(name: string, values: Float64Array): void {
  const row = values.findIndex((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
  if (row >= 0) refuseAmount(name, values[row] as number, row);
}
