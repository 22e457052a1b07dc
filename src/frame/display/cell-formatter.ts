import { decimalOf } from '../../base/decimal.js';
import { greatestOf } from '../../base/many.js';
import type { Column } from '../../contract/definition.js';
import { type Cell, isMissing } from '../vector/vector.js';

const LONG_HEX = /^0x[0-9a-f]{12,}$/i;
const LONG_DIGITS = /^\d{20,}$/;
const MIDNIGHT = /T00:00(?::00(?:\.0+)?)?Z$/;
const TAIL = 4;

/** What of a column tells how its cells are shown. */
type CellKind = Pick<Column, 'dtype' | 'unit' | 'fraction'>;

/**
 * Makes the function that shows a column's cells: numbers with thousands separators and as many decimals as the column
 * needs (those too small for them with four digits), rates as %, dates without a midnight, long ids shortened in the middle,
 * nothing for missing values.
 *
 * @param shown The cells that will be shown; they determine the number of decimals.
 */
export function cellFormatter({ dtype, unit, fraction }: CellKind, shown: readonly Cell[]): (cell: Cell) => string {
  if (fraction) return percentFormatter(100);
  if (unit === '%' && dtype === 'float64') return percentFormatter(1);
  if (dtype === 'float64' || dtype === 'int32') return numberFormatter(shown);
  if (dtype === 'datetime') return momentFormatter(shown);
  return (cell) => (isMissing(cell) ? '' : shortId(textOf(cell)));
}

/**
 * Makes the function that shows exact amounts, given in micro-units: with every digit, and all with as many decimals as
 * the one that has most.
 */
export function exactFormatter(shown: readonly (bigint | null)[]): (micros: bigint | null) => string {
  const lengths = shown.map((micros) => (micros === null ? 0 : (decimalOf(micros).split('.')[1] ?? '').length));
  const most = greatestOf([0, ...lengths]);
  const decimals = most === 0 ? 0 : Math.max(2, most);
  return (micros) => {
    if (micros === null) return '';
    const [whole = '', fraction = ''] = decimalOf(micros).split('.');
    const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
    return decimals === 0 ? grouped : `${grouped}.${fraction.padEnd(decimals, '0')}`;
  };
}

/** An id of hexadecimal or decimal digits as its first and last digits; any other text as it is. */
export function shortId(text: string): string {
  const parts = idParts(text);
  return parts ? `${parts[0]}…${parts[2]}` : text;
}

/** A long id of hexadecimal or decimal digits as first digits, middle and last digits; undefined for any other text. */
export function idParts(text: string): readonly [head: string, middle: string, tail: string] | undefined {
  const head = LONG_HEX.test(text) ? 6 : LONG_DIGITS.test(text) ? 4 : 0;
  return head === 0 ? undefined : [text.slice(0, head), text.slice(head, -TAIL), text.slice(-TAIL)];
}

/** A cell as text: dates as ISO 8601. */
export function textOf(cell: NonNullable<Cell>): string {
  return cell instanceof Date ? isoOf(cell) : String(cell);
}

function isoOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString();
}

function numberFormatter(shown: readonly Cell[]): (cell: Cell) => string {
  const numbers = shown.filter((cell) => typeof cell === 'number' && Number.isFinite(cell)) as number[];
  const whole = numbers.every(Number.isInteger);
  const decimals = whole ? 0 : numbers.some((value) => Math.abs(value) >= 10) ? 2 : 4;
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const smallest = 0.5 * 10 ** -decimals;
  return (cell) => {
    if (isMissing(cell)) return '';
    if (typeof cell !== 'number') return textOf(cell);
    if (cell !== 0 && Math.abs(cell) < smallest) return String(Number(cell.toPrecision(4)));
    return Math.abs(cell) >= 1e15 ? String(cell) : format.format(cell === 0 ? 0 : cell);
  };
}

/** Shows rates as %, with one decimal; `times` is what a value is multiplied by. */
function percentFormatter(times: number): (cell: Cell) => string {
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return (cell) => {
    if (isMissing(cell)) return '';
    if (typeof cell !== 'number' || !Number.isFinite(cell)) return textOf(cell);
    const value = cell * times;
    const text = value !== 0 && Math.abs(value) < 0.05 ? String(Number(value.toPrecision(2))) : format.format(value);
    return `${text === '-0.0' ? '0.0' : text}%`;
  };
}

function momentFormatter(shown: readonly Cell[]): (cell: Cell) => string {
  const onlyDays = shown.every((cell) => isMissing(cell) || MIDNIGHT.test(textOf(cell)) || textOf(cell).length === 10);
  return (cell) => {
    if (isMissing(cell)) return '';
    const text = textOf(cell);
    return onlyDays ? text.slice(0, 10) : text.replace('T', ' ').replace(/(?::00)?(?:\.\d+)?Z$/, '');
  };
}
