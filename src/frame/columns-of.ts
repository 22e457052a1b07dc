import type { Column } from '../contract/column.js';
import { columnArrays } from './column-arrays.js';
import { describeValues } from './describe-values.js';
import type { Tabular } from './tabular.js';

const descriptions = new WeakMap<object, ReadonlyMap<string, Column>>();

/**
 * What a frame's columns are: dtype, unit, nullability and meaning, in the order of its columns. Frames of the query
 * service carry their contract, also through danfo's selecting and sorting methods; other columns are described by
 * their values.
 *
 * @example columnsOf(pnl).map(({ name, unit = '' }) => `${name} ${unit}`);
 */
export function columnsOf(frame: Tabular): Column[] {
  const known = descriptions.get(frame);
  const arrays = columnArrays(frame);
  return frame.columns.map((name, at) => known?.get(name) ?? describeValues(name, arrays[at] ?? []));
}

/** Says what a frame's columns are; {@link columnsOf} gives it back. */
export function describeColumns(frame: Tabular, columns: readonly Column[]): void {
  descriptions.set(frame, new Map(columns.map((column) => [column.name, column])));
}

/** Lets a frame that danfo made of another one keep what is known of the columns; does nothing where it knows more. */
export function inheritColumns(from: Tabular, to: Tabular): void {
  const known = descriptions.get(from);
  if (known && !descriptions.has(to)) descriptions.set(to, known);
}
