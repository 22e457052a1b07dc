import type { DuckDBVector } from '@duckdb/node-api';

/** A column of numbers, none of them missing. */
export type NumberColumn = Int32Array | Float64Array;

/**
 * The values of an INTEGER or DOUBLE column of a chunk, without nulls. This is the vector's own array: reading the
 * values one by one would take several times as long.
 */
export function numberColumn(vector: DuckDBVector): NumberColumn {
  const items: unknown = Reflect.get(vector, 'items');
  if (items instanceof Int32Array || items instanceof Float64Array) return items;
  return Float64Array.from({ length: vector.itemCount }, (_, i) => Number(vector.getItem(i)));
}
