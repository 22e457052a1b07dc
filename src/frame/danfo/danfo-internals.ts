import type { Cell, Tabular } from '../tabular.js';

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
