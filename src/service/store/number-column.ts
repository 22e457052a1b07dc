import type { DuckDBVector } from '@duckdb/node-api';

/** A column of numbers, none of them missing. */
export type NumberColumn = Int32Array | Float64Array;

/**
 * The values of an INTEGER or DOUBLE column of a chunk, none of them null. They are the copy that the vector made for
 * itself: asked one by one, they would take several times as long.
 */
export function numberColumn(vector: DuckDBVector): NumberColumn {
  const items: unknown = Reflect.get(vector, 'items');
  if (items instanceof Int32Array || items instanceof Float64Array) return items;
  return Float64Array.from({ length: vector.itemCount }, (_, i) => Number(vector.getItem(i)));
}
