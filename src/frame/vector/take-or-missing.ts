import { MISSING_MICROS, type Vector } from './vector.js';
import { withCodes } from './with-codes.js';

/** Some rows of a vector, by position and in the order given; a missing value for each row number below 0. */
export function takeOrMissing(vector: Vector, rows: Int32Array): Vector {
  switch (vector.kind) {
    case 'number':
      return { kind: 'number', values: gather(vector.values, new Float64Array(rows.length), rows, Number.NaN) };
    case 'micros':
      return { kind: 'micros', values: gatherExact(vector.values, rows) };
    case 'text':
      return withCodes(vector, gather(vector.codes, new Int32Array(rows.length), rows, -1));
    case 'boolean':
      return { kind: 'boolean', values: gather(vector.values, new Int8Array(rows.length), rows, -1) };
    default:
      return { kind: 'mixed', cells: Array.from(rows, (row) => (row < 0 ? null : vector.cells[row])) };
  }
}

function gather<Values extends Float64Array | Int32Array | Int8Array>(
  from: Values,
  to: Values,
  rows: Int32Array,
  missing: number,
): Values {
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    to[at] = row < 0 ? missing : (from[row] as number);
  }
  return to;
}

function gatherExact(from: BigInt64Array, rows: Int32Array): BigInt64Array {
  const to = new BigInt64Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    to[at] = row < 0 ? MISSING_MICROS : (from[row] as bigint);
  }
  return to;
}
