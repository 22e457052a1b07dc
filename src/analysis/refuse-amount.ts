import { ColumnError } from '../errors.js';

/**
 * Refuses a number that no amount or count can be.
 *
 * @param row Where the column holds it.
 * @throws {ColumnError} Always: an infinite one is told to be so, every other to be negative.
 */
export function refuseAmount(name: string, amount: number, row: number): never {
  const fault = Math.abs(amount) === Number.POSITIVE_INFINITY ? 'infinite' : 'negative';
  throw new ColumnError(
    `The column "${name}" holds ${amount} in row ${row}, counted from 0, but it must not be ${fault}.`,
  );
}

/**
 * Looks for what made a sum infinite, or not a number.
 *
 * @throws {ColumnError} If a number of the column is infinite.
 */
export function refuseInfinite(name: string, values: Float64Array): void {
  const row = values.findIndex((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
  if (row >= 0) refuseAmount(name, values[row] as number, row);
}
