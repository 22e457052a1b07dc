import { UsageError } from '../base/errors.js';
import type { Column } from '../contract/definition.js';

/**
 * Refuses to group by a column that the measure computes: the result would have two columns of that name.
 *
 * @throws {UsageError} If it is one of the measure's columns.
 */
export function refuseOwnColumn(measure: string, by: string, columns: readonly Column[]): void {
  if (columns.some(({ name }) => name === by))
    throw new UsageError(`${measure} cannot group by "${by}": its result has a column of that name.`);
}
