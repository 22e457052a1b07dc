import type { Column, Dtype } from '../../contract/column.js';
import { describeVector } from '../vector/describe-vector.js';
import { MISSING_MICROS, type Vector } from '../vector/vector.js';

/**
 * What a column that an engine computed is: what is known of the source's column of that name where the dtype is the
 * same, else what the engine's type and the values say.
 *
 * @param dtype By the engine's type; text may still be moments.
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
 * What a column that was read from a file is: wholly what the file knows of it, as long as its values can be that.
 *
 * @param known From the facts that the file's writer left in it.
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
