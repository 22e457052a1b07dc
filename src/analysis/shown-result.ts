import { UsageError } from '../base/errors.js';
import { greatestOf } from '../base/many.js';
import { shownValue } from '../base/option-types.js';
import { ownHook } from '../base/own-hook.js';
import { escapeHtml } from '../base/texts.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { noteOfRecords } from './records/record-faults.js';

/** A line of a shown result: a label and a value as text. */
type ResultLine = readonly [label: string, text: string];

/**
 * Lets a notebook, `console.log` and `String()` show a plain result as a small table. The methods that show it are not
 * enumerable, so the result still compares, spreads and is written as JSON like a plain object.
 *
 * @param frame What was measured: a last line notes what its records lack. That is looked for once the result is shown,
 *   as those of a hundred thousand groups never are.
 * @returns The same object, frozen.
 */
export function shownResult<Result extends object>(
  result: Result,
  frame: Tabular,
  lines: readonly ResultLine[],
): Readonly<Result> {
  const noted = (): readonly ResultLine[] => {
    const note = noteOfRecords(frame);
    return note === null ? lines : [...lines, ['Note', note]];
  };
  const text = () => textOf(noted());
  const display = ownHook(() => ({ 'text/html': htmlOf(noted()), 'text/plain': text() }));
  Object.defineProperties(result, {
    [Symbol.for('Jupyter.display')]: { value: display },
    [Symbol.for('nodejs.util.inspect.custom')]: { value: text },
    toString: { value: text },
  });
  return Object.freeze(result);
}

function htmlOf(lines: readonly ResultLine[]): string {
  const cell = 'text-align:left;padding:.2em .75em;border:0;background:none;color:inherit';
  const rows = lines.map(
    ([label, text]) =>
      `<tr style="background:none"><th scope="row" style="${cell};font-weight:400;opacity:.75">${escapeHtml(label)}</th>` +
      `<td style="${cell};font-variant-numeric:tabular-nums">${escapeHtml(text)}</td></tr>`,
  );
  return `<table style="border-collapse:collapse;border:0;margin:0;font-size:.92em;color:inherit"><tbody>${rows.join('')}</tbody></table>`;
}

function textOf(lines: readonly ResultLine[]): string {
  const width = greatestOf([0, ...lines.map(([label]) => label.length)]);
  return lines.map(([label, text]) => `${label.padEnd(width)}  ${text}`).join('\n');
}

/** Made when first used: the two cost more than all else of the package's import. */
let formats: { cents: Intl.NumberFormat; whole: Intl.NumberFormat } | undefined;

/**
 * An amount in USD as text: with cents below 1,000 dollars, in whole dollars from there on.
 *
 * @returns The text; `–` for NaN.
 * @example formatUsd(-1234.5); // '-$1,235'
 */
export function formatUsd(dollars: number): string {
  refuseOther('formatUsd', dollars);
  if (Number.isNaN(dollars)) return '–';
  formats ??= {
    cents: new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }),
    whole: new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }),
  };
  return (Math.abs(dollars) < 1000 ? formats.cents : formats.whole).format(Math.abs(dollars) < 0.005 ? 0 : dollars);
}

/**
 * A fraction as the text of a percentage.
 *
 * @param decimals Digits after the point. Default 1.
 * @returns The text; `–` for NaN.
 * @example formatPercent(0.4902); // '49.0%'
 */
export function formatPercent(fraction: number, decimals = 1): string {
  refuseOther('formatPercent', fraction);
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 100)
    throw new UsageError(
      `decimals of formatPercent must be a whole number from 0 to 100; got ${shownValue(decimals)}.`,
    );
  if (Number.isNaN(fraction)) return '–';
  const text = (100 * fraction).toFixed(decimals);
  return `${Number(text) === 0 ? text.replace('-', '') : text}%`;
}

/** @throws {UsageError} If a value is no number. */
function refuseOther(of: string, value: unknown): void {
  if (typeof value !== 'number') throw new UsageError(`${of} takes a number; got ${shownValue(value)}.`);
}

/**
 * A ratio as text, with two digits after the point.
 *
 * @returns `–` for NaN.
 * @example formatRatio(1.5); // '1.50'
 */
export function formatRatio(ratio: number): string {
  return Number.isNaN(ratio) ? '–' : ratio.toFixed(2);
}
