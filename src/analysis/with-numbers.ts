import type { Column } from '../contract/definition.js';
import { columnsOf } from '../frame/columns-of.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { frameFromVectors } from '../frame/frame-from-vectors.js';
import type { Tabular } from '../frame/tabular.js';
import { vectorsOf } from '../frame/vector/vectors-of.js';

/**
 * Adds computed columns of doubles, with their descriptions, to a frame; a column replaces one of the same name. Copies
 * nothing and keeps the provenance of the rows.
 */
export function withNumbers<Row extends object>(
  frame: Tabular,
  added: readonly { readonly column: Column; readonly values: Float64Array }[],
): DataFrame<Row> {
  const [columns, vectors] = [columnsOf(frame), vectorsOf(frame)];
  for (const { column, values } of added) {
    const known = frame.columns.indexOf(column.name);
    const place = known >= 0 ? known : columns.length;
    columns[place] = column;
    vectors[place] = { kind: 'number', values };
  }
  return frameFromVectors<Row>(columns, vectors, frame);
}
