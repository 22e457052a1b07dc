import type { Column } from '../contract/column.js';
import { columnNames } from './column-names.js';
import type { Tabular } from './tabular.js';
import { describeVector } from './vector/describe-vector.js';
import { vectorOf } from './vector/vectors-of.js';

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

/** Says what a frame's columns are; {@link columnsOf} gives it back. */
export function describeColumns(frame: Tabular, columns: readonly Column[]): void {
  descriptions.set(frame, new Map(columns.map((column) => [column.name, column])));
}

/** What was said of a frame's columns, by name; undefined where nothing was. */
export function knownColumns(frame: Tabular): ReadonlyMap<string, Column> | undefined {
  return descriptions.get(frame);
}

/** Lets a frame that danfo made of another one keep what is known of the columns; does nothing where it knows more. */
export function inheritColumns(from: Tabular, to: Tabular): void {
  const known = descriptions.get(from);
  if (known && !descriptions.has(to)) descriptions.set(to, known);
}
