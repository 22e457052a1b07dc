import { escapeHtml } from '../../base/texts.js';
import type { Column } from '../../contract/definition.js';
import type { Tabular } from '../tabular.js';
import { isMissing } from '../vector/is-missing.js';
import { idParts, textOf } from './cell-formatter.js';
import { type Excerpt, type ExcerptColumn, excerptOf, sizeLine } from './excerpt.js';
import { HTML_STYLE } from './html-style.js';
import { provenanceLine } from './provenance-line.js';

/** How a frame is shown as HTML. */
export interface HtmlOptions {
  /** The largest number of rows to show, half of them from the end. Default: 20. */
  rows?: number;
}

const LONG_TEXT = 30;

/**
 * Shows a frame as an HTML table: the first and last rows, their count and their origin. Numbers are right-aligned with
 * thousands separators; exact amounts have every digit. Long ids, also in column names, are shortened, but the title
 * and copied text have them in full. The title of a header tells dtype, unit and meaning. All data are escaped, and
 * there is no script.
 */
export function toHtml(frame: Tabular, { rows = 20 }: HtmlOptions = {}): string {
  const excerpt = excerptOf(frame, rows);
  const size = sizeLine(excerpt.rows, excerpt.columns.length);
  const foot = [size, provenanceLine(frame)].filter(Boolean).join(' · ');
  return `<div class="oddslab-frame"><style>${HTML_STYLE}</style>
<div class="box" role="region" tabindex="0" aria-label="Table of ${size}"><table aria-rowcount="${excerpt.rows + 1}">
<thead><tr aria-rowindex="1"><td class="row"></td>${excerpt.columns.map(headerCell).join('')}</tr></thead>
<tbody>
${bodyRows(excerpt).join('\n')}
</tbody></table></div><p>${escapeHtml(foot)}</p></div>`;
}

function headerCell({ column, numeric }: ExcerptColumn): string {
  const kind = numeric ? ' class="number"' : '';
  return `<th scope="col"${kind} title="${escapeHtml(titleOf(column))}">${idSpan(column.name) ?? escapeHtml(column.name)}</th>`;
}

function titleOf({ name, dtype, unit, nullable, meaning }: Column): string {
  const kind = [dtype, unit, nullable ? 'may be missing' : ''].filter(Boolean).join(', ');
  return [idParts(name) ? name : '', meaning, kind].filter(Boolean).join('\n');
}

/**
 * A long id that shows only its first and last digits, but is copied in full; undefined for any other text. The middle
 * is hidden even if a page strips the style. JupyterLab drops `hidden` without a value from untrusted notebooks.
 */
function idSpan(text: string): string | undefined {
  const parts = idParts(text);
  // Ids are only digits, so there is nothing to escape.
  return parts && `<span class="id">${parts[0]}<b>…</b><i hidden="hidden">${parts[1]}</i>${parts[2]}</span>`;
}

function bodyRows(excerpt: Excerpt): string[] {
  const { columns, positions, labels, head, rows, shown } = excerpt;
  return positions.flatMap((position, at) => {
    const label = labels?.[at] ?? position.toLocaleString('en-US');
    const cells = columns.map((column) => bodyCell(column, at)).join('');
    const row = `<tr aria-rowindex="${position + 2}"><th scope="row" class="row">${escapeHtml(label)}</th>${cells}</tr>`;
    return at === head ? [gapRow(columns.length, rows - shown), row] : [row];
  });
}

function gapRow(columns: number, hidden: number): string {
  const count = `${hidden.toLocaleString('en-US')} more ${hidden === 1 ? 'row' : 'rows'}`;
  return `<tr class="gap"><th scope="row" class="row">⋮</th><td colspan="${columns}">${count}</td></tr>`;
}

function bodyCell({ cells, texts, numeric }: ExcerptColumn, at: number): string {
  const cell = cells[at];
  const text = texts[at] ?? '';
  if (numeric) return `<td class="number">${escapeHtml(text)}</td>`;
  const full = isMissing(cell) ? '' : textOf(cell);
  const title = full !== text || full.length > LONG_TEXT ? ` title="${escapeHtml(full)}"` : '';
  return `<td${title}>${idSpan(full) ?? escapeHtml(text)}</td>`;
}
