import { UsageError } from '../../base/errors.js';
import { shownValue } from '../../base/option-types.js';
import type { Column, Dtype } from '../../contract/definition.js';
import { comparedVector, isIsoTime } from '../vector/iso-time.js';
import { type Cell, isBlank, isMissing, lengthOf, missingAt, type Vector } from '../vector/vector.js';
import { columnNames, type Tabular, vectorOf } from './tabular.js';

const descriptions = new WeakMap<object, ReadonlyMap<string, Column>>();

/**
 * The descriptions of a frame's columns, in their order: dtype, unit, meaning, and whether values may be missing.
 * Frames of the query service carry those of the contract, also through danfo's selecting and sorting methods; other
 * columns are described by their values.
 *
 * @example columnsOf(pnl).map(({ name, unit = '' }) => `${name} ${unit}`);
 */
export function columnsOf(frame: Tabular): Column[] {
  const known = descriptions.get(frame);
  return columnNames(frame).map((name) => known?.get(name) ?? describeVector(name, vectorOf(frame, name)));
}

/**
 * The description of one column, as {@link columnsOf} has it.
 *
 * @throws {ColumnError} If the frame has no such column.
 */
export function columnOf(frame: Tabular, name: string): Column {
  return descriptions.get(frame)?.get(name) ?? describeVector(name, vectorOf(frame, name));
}

/** What a column says of its values' unit, for columns that are computed in it. */
export function unitOfColumn({ unit, fraction }: Column): Pick<Column, 'unit' | 'fraction'> {
  return { ...(unit === undefined ? {} : { unit }), ...(fraction === undefined ? {} : { fraction }) };
}

/** Stores the descriptions of a frame's columns for {@link columnsOf}. */
export function describeColumns(frame: Tabular, columns: readonly Column[]): void {
  descriptions.set(frame, new Map(columns.map((column) => [column.name, column])));
}

/** The stored descriptions of a frame's columns, by name; undefined if there are none. */
export function knownColumns(frame: Tabular): ReadonlyMap<string, Column> | undefined {
  return descriptions.get(frame);
}

/** Copies the descriptions of columns to a frame that danfo made from another, unless it has its own. */
export function inheritColumns(from: Tabular, to: Tabular): void {
  const known = descriptions.get(from);
  if (known && !descriptions.has(to)) descriptions.set(to, known);
}

const DTYPES: readonly unknown[] = ['string', 'boolean', 'int32', 'float64', 'datetime'] satisfies Dtype[];

/** Whether a value describes a column, as far as reading needs it: by name and dtype. */
export function isColumn(value: unknown): value is Column {
  if (typeof value !== 'object' || value === null) return false;
  const { name, dtype } = value as Partial<Column>;
  return typeof name === 'string' && DTYPES.includes(dtype);
}

/**
 * Checks what only TypeScript would have told of descriptions of columns.
 *
 * @throws {UsageError} If they are no list of them.
 */
export function checkColumns(of: string, columns: unknown): asserts columns is readonly Column[] {
  const odd = Array.isArray(columns) ? columns.findIndex((column) => !isColumn(column)) : -1;
  if (Array.isArray(columns) && odd < 0) return;
  throw new UsageError(
    `columns of ${of} must be a list of columns with name and dtype, such as columnsOf(frame); got ` +
      `${shownValue(Array.isArray(columns) ? columns[odd] : columns)}.`,
  );
}

const INT32_LIMIT = 2 ** 31;

/**
 * Describes a column by all its values, for frames that came without a contract: text is never taken for numbers.
 *
 * @returns `int32` where every number is an integer below 2³¹, `datetime` where every text is ISO 8601, `string` where
 * kinds are mixed or nothing is there; nullable where a value is missing.
 */
export function describeVector(name: string, vector: Vector): Column {
  return { name, dtype: dtypeOf(vector), nullable: hasMissing(vector), meaning: '' };
}

function dtypeOf(vector: Vector): Dtype {
  switch (vector.kind) {
    case 'number':
      return !isBlank(vector) && vector.values.every(isInt32) ? 'int32' : 'float64';
    case 'micros':
      return 'float64';
    case 'boolean':
      return 'boolean';
    case 'text': {
      const { codes, words } = vector;
      const isMoment = (code: number) => code < 0 || isIsoTime(words[code] ?? '');
      return !isBlank(vector) && codes.every(isMoment) ? 'datetime' : 'string';
    }
    default: {
      const isMoment = (cell: Cell) =>
        isMissing(cell) || cell instanceof Date || (typeof cell === 'string' && isIsoTime(cell));
      return vector.cells.every(isMoment) ? 'datetime' : 'string';
    }
  }
}

function isInt32(value: number): boolean {
  return Number.isNaN(value) || (Number.isInteger(value) && Math.abs(value) < INT32_LIMIT);
}

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
  const saysNothing = vector.kind === 'text' && isBlank(vector);
  if (known && (known.dtype === own || (saysNothing && (known.dtype === 'datetime' || known.dtype === 'string')))) {
    return { ...known, name, nullable: known.nullable || nullable, ...exactly };
  }
  return { name, dtype: own, nullable, ...exactly, meaning: '' };
}

function hasMissing(vector: Vector): boolean {
  for (let row = 0; row < lengthOf(vector); row += 1) if (missingAt(vector, row)) return true;
  return false;
}

/** {@link comparedVector} of a column of a frame. */
export function comparedColumn(frame: Tabular, name: string): Vector {
  const vector = vectorOf(frame, name);
  return comparedVector(name, comparedDtype(frame, name, vector), vector);
}

/** The dtype of a column; of numbers and booleans, without looking at them, just not that of times. */
export function comparedDtype(frame: Tabular, name: string, vector: Vector): Dtype {
  if (vector.kind !== 'text' && vector.kind !== 'mixed') return 'float64';
  return (knownColumns(frame)?.get(name) ?? describeVector(name, vector)).dtype;
}
