import { escapeHtml } from '../escape-html.js';

/** A line of a shown result: what it is and its value as text. */
export type ResultLine = readonly [label: string, text: string];

/**
 * Lets a plain result be shown in a notebook as a small table. What shows it is not enumerable: the result compares,
 * spreads and prints as the plain object that it is.
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
