import type { Column, Dtype } from '../../contract/definition.js';
import { describeVector } from '../vector/describe-vector.js';
import { MISSING_MICROS, type Vector } from '../vector/vector.js';

/**
 * Describes a column that an engine computed: by the source's column with the same name and dtype, else by the engine's
 * type and the values.
 *
 * @param dtype Dtype by the engine's type; text may still be moments.
 */
export function describedColumn(name: string, dtype: Dtype, vector: Vector, known: Column | undefined): Column {
  const own = dtype === 'string' && known?.dtype !== 'string' ? describeVector(name, vector).dtype : dtype;
  const nullable = hasMissing(vector);
  const exactly = vector.kind === 'micros' ? ({ decimal: true } as const) : {};
  if (known && (known.dtype === own || (known.dtype === 'datetime' && isEmptyText(vector)))) {
    return { ...known, name, nullable: known.nullable || nullable, ...exactly };
  }
  return { name, dtype: own, nullable, ...exactly, meaning: '' };
}

/**
 * Describes a column that was read from a file: by the file's facts, if the values fit them.
 *
 * @param known The column's description in the facts that the file's writer left.
 */
export function restoredColumn(name: string, dtype: Dtype, vector: Vector, known: Column | undefined): Column {
  return known && KINDS[known.dtype].includes(vector.kind) ? known : describedColumn(name, dtype, vector, undefined);
}

const KINDS: Readonly<Record<Dtype, readonly Vector['kind'][]>> = {
  int32: ['number', 'micros'],
  float64: ['number', 'micros'],
  boolean: ['boolean'],
  string: ['text'],
  datetime: ['text'],
};

function isEmptyText(vector: Vector): boolean {
  return vector.kind === 'text' && vector.codes.every((code) => code < 0);
}

function hasMissing(vector: Vector): boolean {
  switch (vector.kind) {
    case 'number':
      return vector.values.some(Number.isNaN);
    case 'micros':
      return vector.values.includes(MISSING_MICROS);
    case 'text':
      return vector.codes.includes(-1);
    case 'boolean':
      return vector.values.includes(-1);
    default:
      return true;
  }
}
