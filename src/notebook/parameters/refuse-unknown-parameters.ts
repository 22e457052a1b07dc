import { UsageError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import type { DeclaredParameter } from '../../kernel/parameters/parameters-of.js';
import type { GivenParameter } from './parameter-value.js';

/**
 * Refuses parameters that no notebook of a run declares. A notebook without a cell tagged `parameters` takes any.
 *
 * @param notebooks `apart`: the names that the notebook's parameters cell declares by destructuring.
 * @throws {UsageError} If a parameter is unknown; the message names the most similar one that is declared.
 */
export function refuseUnknownParameters(
  given: GivenParameter[],
  notebooks: readonly { path: string; declared: DeclaredParameter[] | undefined; apart?: string[] }[],
): void {
  if (notebooks.some(({ declared }) => declared === undefined)) return;
  const known = [...new Set(notebooks.flatMap(({ declared = [] }) => declared.map(({ name }) => name)))];
  const unknown = given.find(({ name }) => !known.includes(name));
  if (!unknown) return;
  if (notebooks.some(({ apart }) => apart?.includes(unknown.name))) {
    throw new UsageError(
      `${unknown.where}: ${unknown.name} is declared by taking a value apart, and only plain variables are ` +
        `parameters: write const ${unknown.name} = … instead.`,
    );
  }
  const meant = nearest(unknown.name, known);
  const which = notebooks.length === 1 ? notebooks[0]?.path : 'any of the notebooks';
  const remedy = meant ? `Did you mean ${meant}?` : `There ${known.length > 0 ? `is ${known.join(', ')}` : 'is none'}.`;
  throw new UsageError(`${unknown.where}: ${unknown.name} is no parameter of ${which}. ${remedy}`);
}
