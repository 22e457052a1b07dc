import type { Cell } from '../tabular.js';
import type { Vector } from './vector.js';

/** Some rows of a vector, by position and in the order given. */
export function takeVector(vector: Vector, rows: Uint32Array): Vector {
  switch (vector.kind) {
    case 'number':
      return { kind: 'number', values: gather(vector.values, new Float64Array(rows.length), rows) };
    case 'micros':
      return { kind: 'micros', values: gatherExact(vector.values, rows) };
    case 'text':
      return { ...vector, codes: gather(vector.codes, new Int32Array(rows.length), rows) };
    case 'boolean':
      return { kind: 'boolean', values: gather(vector.values, new Int8Array(rows.length), rows) };
    default:
      return { kind: 'mixed', cells: Array.from<number, Cell>(rows, (row) => vector.cells[row]) };
  }
}

function gather<Values extends Float64Array | Int32Array | Int8Array>(
  from: Values,
  to: Values,
  rows: Uint32Array,
): Values {
  for (let at = 0; at < rows.length; at += 1) to[at] = from[rows[at] ?? 0] ?? 0;
  return to;
}

function gatherExact(from: BigInt64Array, rows: Uint32Array): BigInt64Array {
  const to = new BigInt64Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) to[at] = from[rows[at] ?? 0] ?? 0n;
  return to;
}
