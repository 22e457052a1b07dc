import type { Vector } from './vector.js';

const BYTES: Readonly<Record<Vector['kind'], number>> = { number: 8, micros: 8, text: 4, boolean: 1, mixed: 8 };

/** The bytes that a row of some vectors takes, words and objects not counted. */
export function bytesOfRow(vectors: readonly Vector[]): number {
  return vectors.reduce((sum, { kind }) => sum + BYTES[kind], 0);
}
