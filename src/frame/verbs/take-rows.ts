import { columnsOf } from '../columns-of.js';
import type { DataFrame } from '../danfo/danfo.js';
import { frameFromVectors } from '../frame-from-vectors.js';
import { takeVector } from '../vector/take-vector.js';
import { vectorsOf } from '../vector/vectors-of.js';

/** A frame of some rows of another, by position and in the order given; the row labels start at 0 again. */
export function takeRows<Row extends object>(frame: DataFrame<Row>, rows: Uint32Array): DataFrame<Row> {
  const vectors = vectorsOf(frame).map((vector) => takeVector(vector, rows));
  return frameFromVectors<Row>(columnsOf(frame), vectors, frame);
}
