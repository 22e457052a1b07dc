import { MISSING_MICROS, type TextVector, type Vector } from './vector.js';

/** Some rows of a vector, by position and in the order given; a missing value for each row number below 0. */
export function takeVector(vector: Vector, rows: Uint32Array | Int32Array): Vector {
  switch (vector.kind) {
    case 'number':
      return { kind: 'number', values: gathered(vector.values, new Float64Array(rows.length), rows, Number.NaN) };
    case 'micros':
      return { kind: 'micros', values: gathered(vector.values, new BigInt64Array(rows.length), rows, MISSING_MICROS) };
    case 'text':
      return withCodes(vector, gathered(vector.codes, new Int32Array(rows.length), rows, -1));
    case 'boolean':
      return { kind: 'boolean', values: gathered(vector.values, new Int8Array(rows.length), rows, -1) };
    default:
      return { kind: 'mixed', cells: Array.from(rows, (row) => (row < 0 ? null : vector.cells[row])) };
  }
}

function gathered<Values extends { [row: number]: number | bigint }>(
  from: Values,
  to: Values,
  rows: Uint32Array | Int32Array,
  missing: Values[number],
): Values {
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    to[at] = row < 0 ? missing : (from[row] as Values[number]);
  }
  return to;
}

/** The words of a text vector under other codes; words that are made when first read stay so. */
function withCodes(vector: TextVector, codes: Int32Array): TextVector {
  const isLazy = Object.getOwnPropertyDescriptor(vector, 'words')?.get !== undefined;
  const { distinct } = vector;
  if (!isLazy) return { kind: 'text', codes, words: vector.words, distinct };
  return {
    kind: 'text',
    codes,
    distinct,
    get words() {
      return vector.words;
    },
  };
}
