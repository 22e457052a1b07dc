import type { Column, Dtype } from '../contract/definition.js';
import type { DataFrame } from './danfo/danfo.js';
import { frameFromVectors } from './frame-from-vectors.js';
import type { Cell, Tabular } from './tabular.js';
import { type EmptyKind, vectorOfCells } from './vector/vector.js';

const EMPTY_KINDS: Readonly<Record<Dtype, EmptyKind>> = {
  float64: 'number',
  int32: 'number',
  boolean: 'boolean',
  string: 'text',
  datetime: 'text',
};

/**
 * Builds a frame from plain arrays of cells.
 *
 * @param columns Descriptions of the columns, which {@link columnsOf} returns.
 * @param arrays One array for each column, of equal lengths; the frame takes them over.
 * @param sources The frames that the rows come from; the new one keeps their provenance.
 */
export function frameFromColumns<Row extends object = object>(
  columns: readonly Column[],
  arrays: readonly (readonly Cell[])[],
  ...sources: readonly Tabular[]
): DataFrame<Row> {
  const vectors = arrays.map((cells, at) => vectorOfCells(cells, EMPTY_KINDS[columns[at]?.dtype ?? 'string']));
  return frameFromVectors<Row>(columns, vectors, ...sources);
}
