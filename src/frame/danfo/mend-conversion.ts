import { describeColumns, knownColumns } from '../columns-of.js';
import { inheritProvenance } from '../provenance.js';
import type { Cell } from '../tabular.js';
import { isMissing } from '../vector/is-missing.js';
import { frameLike, type Internals, isInPlace, type Method, replaceMethods } from './danfo-internals.js';

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
    const convert = CONVERSIONS.get(dtype);
    if (at === -1 || !convert) return original.call(this, name, dtype, options);
    const missing = dtype === 'float32' || dtype === 'int32' ? Number.NaN : null;
    const converted = (cell: Cell) => (isMissing(cell) ? missing : convert(cell));
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
