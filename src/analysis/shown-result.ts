import { escapeHtml } from '../base/texts.js';

/** A line of a shown result: a label and a value as text. */
export type ResultLine = readonly [label: string, text: string];

/**
 * Lets a notebook show a plain result as a small table. The method that shows it is not enumerable, so the result still
 * compares, spreads and prints like a plain object.
 *
 * @returns The same object, frozen.
 */
export function shownResult<Result extends object>(result: Result, lines: readonly ResultLine[]): Readonly<Result> {
  Object.defineProperty(result, Symbol.for('Jupyter.display'), {
    value: () => ({ 'text/html': htmlOf(lines), 'text/plain': textOf(lines) }),
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
  const width = Math.max(0, ...lines.map(([label]) => label.length));
  return lines.map(([label, text]) => `${label.padEnd(width)}  ${text}`).join('\n');
}
