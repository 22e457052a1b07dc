import type { Tabular } from '../tabular/tabular.js';
import { type Cell, isMissing } from '../vector/vector.js';

/** The parts of danfo's frames and series that its types hide. */
export interface Internals extends Tabular {
  [member: string]: unknown;
  readonly constructor: FrameClass;
  readonly index: readonly (string | number)[];
  readonly values: readonly (readonly Cell[])[];
  readonly config: object;
  $dtypes: readonly string[];
  $getColumnData(name: string): unknown;
  $setColumnData(name: string, values: unknown): void;
  $getDataArraysByAxis(axis: unknown): readonly (readonly Cell[])[];
  $setValues(rows: readonly unknown[], ...checks: unknown[]): void;
  $setIndex(index: readonly (string | number)[] | undefined): void;
}

/** A method of danfo's classes, with the type that fits all of them. */
export type Method = (this: Internals, ...given: unknown[]) => unknown;

/** Danfo's DataFrame class as its own methods call it. */
type FrameClass = new (rows: readonly (readonly Cell[])[], options: Readonly<Record<string, unknown>>) => Internals;

/** Makes a method that replaces one of danfo's and may call it. */
export type Mending = (original: Method) => Method;

/** Replaces methods of danfo. */
export function replaceMethods(prototype: Internals, mendings: Readonly<Record<string | symbol, Mending>>): void {
  for (const name of Reflect.ownKeys(mendings)) {
    const make = mendings[name];
    const original = Reflect.get(prototype, name) as Method;
    if (make) Object.defineProperty(prototype, name, { value: make(original), configurable: true, writable: true });
  }
}

/** A new danfo frame with other rows and, unless given, the same row labels, columns and dtypes. */
export function frameLike(
  frame: Internals,
  rows: readonly (readonly Cell[])[],
  changes: Readonly<Record<string, unknown>> = {},
): Internals {
  const { index, columns, $dtypes: dtypes, config } = frame;
  const options = { index: [...index], columns: [...columns], dtypes: [...dtypes], config: { ...config }, ...changes };
  return new frame.constructor(rows, options);
}

/** The values of a Series or a typed array as a plain array; undefined for anything else. */
export function plainValues(values: unknown): Cell[] | undefined {
  if (ArrayBuffer.isView(values)) return Array.from(values as unknown as ArrayLike<Cell>);
  if (values === null || typeof values !== 'object' || Array.isArray(values) || !('values' in values)) return undefined;
  return Array.isArray(values.values) ? (values.values as Cell[]) : undefined;
}

/** Whether a danfo method was asked to change the frame itself. */
export function isInPlace(options: unknown): boolean {
  return Boolean((options as { inplace?: unknown } | undefined)?.inplace);
}

/**
 * Danfo's label for a column, by all its values: text is never taken for numbers, and missing values count only if
 * there is nothing else.
 *
 * @returns `string` if any value is text; `float32` (for doubles too) if any number has a fraction or is missing;
 * `int32`, `boolean` or `datetime` if all values are; `undefined` without any value.
 */
export function danfoLabel(cells: readonly Cell[]): string {
  let [numbers, fractions, missing, booleans, dates] = [false, false, false, false, false];
  for (const cell of cells) {
    if (typeof cell === 'number' && !Number.isNaN(cell)) {
      numbers = true;
      fractions ||= !Number.isInteger(cell);
    } else if (isMissing(cell)) missing = true;
    else if (typeof cell === 'boolean') booleans = true;
    else if (cell instanceof Date) dates = true;
    else if (typeof cell === 'bigint') numbers = true;
    else return 'string';
  }
  if (numbers) return fractions || missing ? 'float32' : 'int32';
  if (booleans) return 'boolean';
  if (dates) return 'datetime';
  return missing ? 'float32' : 'undefined';
}

/** The labels of all columns of some rows. */
export function danfoLabels(rows: readonly (readonly Cell[])[]): string[] {
  return (rows[0] ?? []).map((_, at) => danfoLabel(rows.map((row) => row[at])));
}

/**
 * Positions of cells in sorted order: stable, numbers by size, text by code units, missing values last in either
 * direction.
 *
 * @example rowOrder([2, NaN, 1], true); // [2, 0, 1]
 */
export function rowOrder(cells: readonly Cell[], ascending: boolean): number[] {
  const present: number[] = [];
  const missing: number[] = [];
  for (const [row, cell] of cells.entries()) (isMissing(cell) ? missing : present).push(row);
  const sign = ascending ? 1 : -1;
  present.sort((a, b) => {
    const [left, right] = [cells[a] ?? '', cells[b] ?? ''];
    return left < right ? -sign : left > right ? sign : 0;
  });
  return [...present, ...missing];
}
