import { columnsOf } from '../frame/columns-of.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { frameFromVectors } from '../frame/frame-from-vectors.js';
import { takeVector } from '../frame/vector/take-vector.js';
import type { Vector } from '../frame/vector/vector.js';
import { vectorsOf } from '../frame/vector/vectors-of.js';

/**
 * A function that makes frames from the rows of another at given positions. A column's values are copied on first
 * access, since a measure reads few columns.
 */
export function resampled<Row extends object>(frame: DataFrame<Row>): (rows: Uint32Array) => DataFrame<Row> {
  const [columns, vectors] = [columnsOf(frame), vectorsOf(frame)];
  return (rows) =>
    frameFromVectors<Row>(
      columns,
      vectors.map((vector) => takenWhenRead(vector, rows)),
    );
}

function takenWhenRead(vector: Vector, rows: Uint32Array): Vector {
  let taken: Vector | undefined;
  const lazy = { kind: vector.kind };
  for (const name of Object.keys(vector)) {
    if (name === 'kind') continue;
    const get = (): unknown => {
      taken ??= takeVector(vector, rows);
      return Reflect.get(taken, name);
    };
    Object.defineProperty(lazy, name, { enumerable: true, get });
  }
  return lazy as Vector;
}
