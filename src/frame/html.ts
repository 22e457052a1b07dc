import type { Column } from '../contract/column.js';
import { textOf } from './cell-formatter.js';
import { type Excerpt, type ExcerptColumn, excerptOf, sizeLine } from './excerpt.js';
import type { Tabular } from './tabular.js';

/** How a frame is shown as HTML. */
export interface HtmlOptions {
  /** Rows shown at most, half of them from the end. Default 20. */
  rows?: number;
}

/** Colours follow the page's text colour, so that the table is legible on light and dark pages alike. */
const STYLE = `
.oddslab-frame{max-width:100%;overflow:auto;font-variant-numeric:tabular-nums}
.oddslab-frame table{border-collapse:collapse;border:0;margin:0;font-size:.92em;color:inherit}
.oddslab-frame th,.oddslab-frame td{padding:.25em .75em;border:0;text-align:left;white-space:nowrap;
max-width:28em;overflow:hidden;text-overflow:ellipsis;background:none;color:inherit}
.oddslab-frame thead th{position:sticky;top:0;font-weight:600;border-bottom:1px solid currentColor;
background:var(--jp-layout-color0,var(--vscode-editor-background,Canvas))}
.oddslab-frame tbody tr{background:none;border-top:1px solid color-mix(in srgb,currentColor 12%,transparent)}
.oddslab-frame .number{text-align:right}
.oddslab-frame .gap td{text-align:center;opacity:.6}
.oddslab-frame p{margin:.4em .75em;font-size:.85em;opacity:.7}
`.replaceAll('\n', '');

/**
 * A frame as an HTML table: first and last rows with the count, numbers right-aligned with thousands separators, long
 * ids shortened with the full one as title, dtype, unit and meaning as title of the header. All data are escaped, and
 * there is no script.
 */
export function toHtml(frame: Tabular, { rows = 20 }: HtmlOptions = {}): string {
  const excerpt = excerptOf(frame, rows);
  const head = excerpt.columns.map(headerCell).join('');
  const body = bodyRows(excerpt).join('\n');
  const size = sizeLine(excerpt.rows, excerpt.columns.length);
  return `<div class="oddslab-frame"><style>${STYLE}</style><table>
<thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody></table><p>${size}</p></div>`;
}

/** Text made safe for HTML, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function headerCell({ column, numeric }: ExcerptColumn): string {
  const kind = numeric ? ' class="number"' : '';
  return `<th scope="col"${kind} title="${escapeHtml(titleOf(column))}">${escapeHtml(column.name)}</th>`;
}

function titleOf({ dtype, unit, meaning }: Column): string {
  return [unit === undefined ? dtype : `${dtype}, ${unit}`, meaning].filter(Boolean).join(': ');
}

function bodyRows({ columns, head, shown }: Excerpt): string[] {
  const lines: string[] = [];
  for (let row = 0; row < shown; row += 1) {
    if (row === head) lines.push(`<tr class="gap"><td colspan="${columns.length}">…</td></tr>`);
    lines.push(`<tr>${columns.map((column) => bodyCell(column, row)).join('')}</tr>`);
  }
  return lines;
}

function bodyCell({ cells, texts, numeric }: ExcerptColumn, row: number): string {
  const cell = cells[row];
  const text = texts[row] ?? '';
  if (numeric) return `<td class="number">${escapeHtml(text)}</td>`;
  const full = cell === null || cell === undefined ? '' : textOf(cell);
  const title = full !== text || full.length > 40 ? ` title="${escapeHtml(full)}"` : '';
  return `<td${title}>${escapeHtml(text)}</td>`;
}
