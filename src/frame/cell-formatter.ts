import type { Dtype } from '../contract/column.js';
import { isMissing } from './is-missing.js';
import type { Cell } from './tabular.js';

const LONG_HEX = /^0x[0-9a-f]{12,}$/i;
const LONG_DIGITS = /^\d{20,}$/;
const MIDNIGHT = /T00:00(?::00(?:\.0+)?)?Z$/;

/**
 * Makes the function that shows a column's cells: thousands separators and as many decimals as the column's values
 * need, dates without their midnight, long ids shortened in the middle, nothing for what is missing.
 *
 * @param shown The cells that will be shown: they set the decimals of all.
 */
export function cellFormatter(dtype: Dtype, shown: readonly Cell[]): (cell: Cell) => string {
  if (dtype === 'float64' || dtype === 'int32') return numberFormatter(shown);
  if (dtype === 'datetime') return momentFormatter(shown);
  return (cell) => (isMissing(cell) ? '' : shortId(textOf(cell)));
}

/** An id of hexadecimal or decimal digits as its first and last digits; any other text as it is. */
export function shortId(text: string): string {
  if (LONG_HEX.test(text)) return `${text.slice(0, 6)}…${text.slice(-4)}`;
  return LONG_DIGITS.test(text) ? `${text.slice(0, 4)}…${text.slice(-4)}` : text;
}

/** A cell as text: dates as ISO 8601. */
export function textOf(cell: NonNullable<Cell>): string {
  return cell instanceof Date ? cell.toISOString() : String(cell);
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
    const tooSmall = cell !== 0 && Math.abs(cell) < smallest;
    return tooSmall || Math.abs(cell) >= 1e15 ? String(cell) : format.format(cell === 0 ? 0 : cell);
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
