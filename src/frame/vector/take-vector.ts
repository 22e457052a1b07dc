import type { Cell } from '../tabular.js';
import type { Vector } from './vector.js';
import { withCodes } from './with-codes.js';

/** Some rows of a vector, by position and in the order given. */
export function takeVector(vector: Vector, rows: Uint32Array): Vector {
  switch (vector.kind) {
    case 'number':
      return { kind: 'number', values: gatherDoubles(vector.values, rows) };
    case 'micros':
      return { kind: 'micros', values: gatherExact(vector.values, rows) };
    case 'text':
      return withCodes(vector, gatherCodes(vector.codes, rows));
    case 'boolean':
      return { kind: 'boolean', values: gatherBytes(vector.values, rows) };
    default:
      return { kind: 'mixed', cells: Array.from<number, Cell>(rows, (row) => vector.cells[row]) };
  }
}

// One loop a kind of array: a loop that meets several is several times as slow.

function gatherDoubles(from: Float64Array, rows: Uint32Array): Float64Array {
  const to = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) to[at] = from[rows[at] as number] as number;
  return to;
}

function gatherCodes(from: Int32Array, rows: Uint32Array): Int32Array {
  const to = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) to[at] = from[rows[at] as number] as number;
  return to;
}

function gatherBytes(from: Int8Array, rows: Uint32Array): Int8Array {
  const to = new Int8Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) to[at] = from[rows[at] as number] as number;
  return to;
}

function gatherExact(from: BigInt64Array, rows: Uint32Array): BigInt64Array {
  const to = new BigInt64Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) to[at] = from[rows[at] as number] as bigint;
  return to;
}
