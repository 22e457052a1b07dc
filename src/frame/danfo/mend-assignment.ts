import { UsageError } from '../../base/errors.js';
import { shownValue } from '../../base/option-types.js';
import type { Column, Dtype } from '../../contract/definition.js';
import { describeColumns, knownColumns } from '../tabular/columns-of.js';
import { inheritProvenance } from '../tabular/provenance.js';
import { placeOf } from '../tabular/tabular.js';
import { type Cell, isMissing } from '../vector/vector.js';
import {
  danfoLabel,
  danfoLabels,
  frameLike,
  type Internals,
  isInPlace,
  type Method,
  plainValues,
  replaceMethods,
} from './danfo-internals.js';

/**
 * Mends how columns are set:
 * - a column named like a member (`size`, `values`, …) does not hide that member;
 * - assigning a Series or a typed array to a column stores its values, and never the caller's own array;
 * - `addColumn` with an existing name returns a new frame with that column replaced, whereas danfo changes the frame
 *   itself and returns nothing; labels are in the order of the columns even if the new one is put between others;
 * - labels are inferred over all rows, and text is never labelled a number;
 * - a column's description moves with it when it is renamed, and is forgotten when its values are replaced;
 * - `rename` refuses columns that there are not, which danfo passes over.
 */
export function mendAssignment(prototype: Internals): void {
  replaceMethods(prototype, {
    $setInternalColumnDataProperty: () => defineColumnProperties,
    $setColumnData: storing,
    $setValues: relabelling,
    addColumn: adding,
    rename: renaming,
  });
}

function storing(original: Method): Method {
  return function (name, values) {
    const own = plainValues(values) ?? values;
    const at = this.columns.indexOf(name as string);
    // Without rows, danfo keeps one array for rows and columns, and would turn the column into a row.
    const isBare = at >= 0 && this.shape[0] === 0 && Array.isArray(own) && own.length === 0;
    if (!isBare) original.call(this, name, Array.isArray(own) ? [...own] : own);
    this.$dtypes = this.$dtypes.map((label, each) => (each === at ? danfoLabel(own as Cell[]) : label));
    forget(this, name as string);
  };
}

function relabelling(original: Method): Method {
  return function (rows, ...checks) {
    const labels = this.$dtypes;
    original.call(this, rows, ...checks);
    const values = rows as readonly (readonly Cell[])[];
    this.$dtypes = values.length > 0 ? danfoLabels(values) : labels;
    forgetWhatNoLongerFits(this);
  };
}

function adding(original: Method): Method {
  return function (name, values, options) {
    const own = plainValues(values) ?? values;
    if (isInPlace(options)) return original.call(this, name, own, options);
    if (!this.columns.includes(name as string)) return inserted(this, original.call(this, name, own, options));
    const changed = copyOf(this);
    changed.$setColumnData(name as string, own);
    return changed;
  };
}

function renaming(original: Method): Method {
  return function (names, options) {
    const [before, known] = [[...this.columns], knownColumns(this)];
    // For a column named like a member of every object, such as constructor, danfo would look up a wrong new name.
    const own: unknown = Object.assign(Object.create(null), names);
    if ((options as { axis?: unknown } | undefined)?.axis !== 0) checkNames(this, own as object);
    const result = original.call(this, own, options);
    const renamed = isInPlace(options) ? this : (result as Internals);
    const columns = renamed.columns.flatMap((name, at): Column[] => {
      const column = known?.get(before[at] ?? '');
      return column ? [{ ...column, name }] : [];
    });
    if (known) describeColumns(renamed, columns);
    if (renamed !== this) inheritProvenance([this], renamed);
    return result;
  };
}

/** Refuses names of columns that there are not, which danfo passes over, and new ones that are no names. */
function checkNames(frame: Internals, names: object): void {
  for (const [old, name] of Object.entries(names)) {
    placeOf(frame, old);
    if (typeof name !== 'string' && typeof name !== 'number')
      throw new UsageError(`rename needs a text as the new name of "${old}"; got ${shownValue(name)}.`);
  }
}

/** Labels that the values of a described column may have. */
const FITTING: Readonly<Record<Dtype, readonly string[]>> = {
  float64: ['float32', 'int32', 'undefined'],
  int32: ['int32', 'undefined'],
  boolean: ['boolean', 'undefined'],
  string: ['string', 'undefined'],
  datetime: ['string', 'datetime', 'undefined'],
};

/** Forgets descriptions that no longer fit after a change in place, such as `int32` for values with fractions. */
function forgetWhatNoLongerFits(frame: Internals): void {
  const known = knownColumns(frame);
  if (!known) return;
  const fitting = [...known.values()].flatMap((column): Column[] => {
    const label = frame.$dtypes[frame.columns.indexOf(column.name)] ?? 'undefined';
    if (FITTING[column.dtype].includes(label)) return [column];
    return column.dtype === 'int32' && label === 'float32' ? [{ ...column, dtype: 'float64' }] : [];
  });
  describeColumns(frame, fitting);
}

/** Defines a property for each column, unless the frame has a member with that name. */
function defineColumnProperties(this: Internals, only?: unknown): void {
  for (const name of typeof only === 'string' ? [only] : this.columns) {
    if (name in this) continue;
    Object.defineProperty(this, name, {
      configurable: true,
      get: () => this.$getColumnData(name),
      set: (values) => this.$setColumnData(name, values),
    });
  }
}

function forget(frame: Internals, name: string): void {
  const known = knownColumns(frame);
  if (known?.has(name))
    describeColumns(
      frame,
      [...known.values()].filter((column) => column.name !== name),
    );
}

function copyOf(frame: Internals): Internals {
  return inserted(frame, frameLike(frame, frame.values));
}

/** Gives a frame that danfo made by adding a column the labels, and the descriptions of the other columns. */
function inserted(from: Internals, made: unknown): Internals {
  const to = made as Internals;
  const labels = new Map(from.columns.map((name, at) => [name, from.$dtypes[at]]));
  to.$dtypes = to.columns.map((name, at) => labels.get(name) ?? danfoLabel(to.getColumnData[at] ?? []));
  const known = knownColumns(from);
  if (known) describeColumns(to, [...known.values()]);
  inheritProvenance([from], to);
  return to;
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** How values are converted; missing ones are left out. */
const CONVERSIONS = new Map<unknown, (cell: NonNullable<Cell>) => Cell>([
  ['float32', numberOf],
  ['int32', (cell) => Math.trunc(numberOf(cell))],
  ['string', (cell) => (cell instanceof Date ? cell.toISOString() : String(cell))],
  ['boolean', Boolean],
]);

/**
 * Mends `asType`: it changes the frame itself only if told to work in place, missing values stay missing, and only
 * plain decimal text becomes a number, whereas danfo reads empty text as 0, `0x10` as 16 and `12abc` as 12.
 */
export function mendConversion(prototype: Internals): void {
  replaceMethods(prototype, { asType: converting });
}

function converting(original: Method): Method {
  return function (name, dtype, options) {
    const at = this.columns.indexOf(name as string);
    if (at === -1) return original.call(this, name, dtype, options);
    const converted = conversionTo(dtype);
    const rows = this.values.map((row) => row.map((cell, each) => (each === at ? converted(cell) : cell)));
    const labels = this.$dtypes.map((label, each) => (each === at ? (dtype as string) : label));
    const inPlace = isInPlace(options);
    if (inPlace) this.$setValues(rows);
    const target = inPlace ? this : frameLike(this, rows);
    target.$dtypes = labels;
    keepOthers(this, target, name as string);
    return inPlace ? undefined : target;
  };
}

/**
 * How cells become values of one of danfo's dtypes, missing ones missing.
 *
 * @throws {UsageError} If values are not converted to it.
 */
export function conversionTo(dtype: unknown): (cell: Cell) => Cell {
  const convert = CONVERSIONS.get(dtype);
  if (!convert) {
    const right = [...CONVERSIONS.keys()].join(', ');
    throw new UsageError(`dtype ${String(dtype)} not supported: asType makes ${right}. Times are text in frames.`);
  }
  const missing = dtype === 'float32' || dtype === 'int32' ? Number.NaN : null;
  return (cell) => (isMissing(cell) ? missing : convert(cell));
}

function numberOf(cell: NonNullable<Cell>): number {
  if (typeof cell === 'string') return DECIMAL.test(cell.trim()) ? Number(cell) : Number.NaN;
  return Number(cell);
}

function keepOthers(from: Internals, to: Internals, name: string): void {
  const known = knownColumns(from);
  if (known)
    describeColumns(
      to,
      [...known.values()].filter((column) => column.name !== name),
    );
  if (from !== to) inheritProvenance([from], to);
}
