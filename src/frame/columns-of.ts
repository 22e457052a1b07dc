import type { Column } from '../contract/definition.js';
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
