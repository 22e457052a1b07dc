import { itemAt } from '../../base/item-at.js';
import { escapeHtml } from '../../base/texts.js';
import type { Column } from '../../contract/definition.js';
import { provenanceLine } from '../tabular/provenance.js';
import type { Tabular } from '../tabular/tabular.js';
import { isMissing } from '../vector/vector.js';
import { idParts, shortId, textOf } from './cell-formatter.js';
import { type Excerpt, type ExcerptColumn, excerptOf, isNote, sizeLine } from './excerpt.js';
import { toText } from './frame-text.js';

/** How a frame is shown as HTML. */
interface HtmlOptions {
  /** The largest number of rows to show, half of them from the end. Default: 20. */
  rows?: number;
}

const LONG_TEXT = 30;

/**
 * Shows a frame as an HTML table: the first and last rows, their count and their origin. Numbers are right-aligned with
 * thousands separators; exact amounts have every digit. Long ids, also in column names, are shortened, but the title
 * and copied text have them in full. The title of a header tells dtype, unit and meaning. All data are escaped, and
 * there is no script. What scrolls is a group, not a landmark: a notebook has many tables, and may show one twice.
 */
export function toHtml(frame: Tabular, { rows = 20 }: HtmlOptions = {}): string {
  const excerpt = excerptOf(frame, rows);
  const size = sizeLine(excerpt.rows, excerpt.columns.length);
  const foot = [size, provenanceLine(frame)].filter(Boolean).join(' · ');
  return `<div class="oddslab-frame"><style>${HTML_STYLE}</style>
<div class="box" role="group" tabindex="0" aria-label="${escapeHtml(nameOf(size, excerpt))}"><table aria-rowcount="${excerpt.rows + 1}">
<thead><tr aria-rowindex="1"><td class="row"></td>${excerpt.columns.map(headerCell).join('')}</tr></thead>
<tbody>
${bodyRows(excerpt).join('\n')}
</tbody></table></div><p>${escapeHtml(foot)}</p></div>`;
}

/** The most characters of column names in a table's name. */
const MOST_NAMED = 100;

/** What a table is called where it cannot be seen: its size, which others may share, and the first of its columns. */
function nameOf(size: string, { columns }: Excerpt): string {
  const names: string[] = [];
  for (const { column } of columns) {
    const name = shortId(column.name);
    if (names.join(', ').length + name.length > MOST_NAMED) return `Table of ${size}: ${[...names, '…'].join(', ')}`;
    names.push(name);
  }
  return `Table of ${size}${names.length > 0 ? `: ${names.join(', ')}` : ''}`;
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

function bodyCell(column: ExcerptColumn, at: number): string {
  const { cells, texts, numeric } = column;
  const cell = cells[at];
  const text = itemAt(texts, at);
  if (isNote(column)) return `<td class="note">${escapeHtml(text)}</td>`;
  if (numeric) return `<td class="number">${escapeHtml(text)}</td>`;
  const full = isMissing(cell) ? '' : textOf(cell);
  const title = full !== text || full.length > LONG_TEXT ? ` title="${escapeHtml(full)}"` : '';
  return `<td${title}>${idSpan(full) ?? escapeHtml(text)}</td>`;
}

/**
 * The style of every HTML table, scoped to its class. Colours follow the page's text colour, so that the table is
 * legible on light and dark pages alike. The header stays in sight while the rows scroll. It has the background of the
 * notebook's theme if there is one; otherwise it blurs what passes beneath, since the page's own colour is not known.
 *
 * The middle of a long id is clipped, and an ellipsis is drawn in its place. It stays in the document, so that
 * selecting and copying give the whole id. A page that does not trust a notebook strips this style; there an attribute
 * hides the middle, and a text shows the ellipsis. With this style, that text is hidden, since it would be copied too.
 *
 * Scrollbars are styled, since those of the system may hide, and nothing would then show that there is more to the
 * right.
 *
 * Paper does not scroll: in print the table has its full length, and content that would make it too wide is wrapped.
 *
 * Rules that look more specific than needed override a notebook's own style: the stripes of its tables, and what
 * Jupyter Notebook 6 puts around elements of class `row`.
 */
const HTML_STYLE = `
.oddslab-frame{margin:.25em 0;max-width:100%;font-variant-numeric:tabular-nums}
.oddslab-frame .box{max-width:100%;width:fit-content;max-height:42em;overflow:auto}
.oddslab-frame .box::-webkit-scrollbar{width:9px;height:9px}
.oddslab-frame .box::-webkit-scrollbar-thumb{border-radius:5px;background:color-mix(in srgb,currentColor 35%,transparent)}
.oddslab-frame .box:focus-visible{outline:2px solid currentColor;outline-offset:1px}
.oddslab-frame table{table-layout:auto;border-collapse:separate;border-spacing:0;border:0;margin:0;
font-size:.92em;line-height:1.45;color:inherit}
.oddslab-frame table tr:nth-child(n){background:none}
.oddslab-frame tr:nth-child(n)>*{padding:.2em .8em;border:0;text-align:left;vertical-align:baseline;
white-space:pre;max-width:26em;overflow:hidden;text-overflow:ellipsis;font-weight:400}
.oddslab-frame thead tr:nth-child(n)>*{position:sticky;top:0;z-index:1;font-weight:600;cursor:default;
background:var(--jp-layout-color0,var(--vscode-editor-background,transparent));backdrop-filter:blur(.7em);
box-shadow:inset 0 -1px color-mix(in srgb,currentColor 45%,transparent)}
.oddslab-frame thead th[title]:hover{text-decoration:underline dotted;text-underline-offset:.2em}
.oddslab-frame tbody tr:nth-child(n)>*{border-top:1px solid color-mix(in srgb,currentColor 10%,transparent)}
.oddslab-frame tbody tr:nth-child(1)>*{border-top:0}
.oddslab-frame tbody tr:nth-child(n):hover{background:color-mix(in srgb,currentColor 6%,transparent)}
.oddslab-frame tr:nth-child(n)>.number{text-align:right}
.oddslab-frame .row::before,.oddslab-frame .row::after{content:none}
.oddslab-frame tr:nth-child(n)>.row{text-align:right;user-select:none;-webkit-user-select:none;
color:color-mix(in srgb,currentColor 60%,transparent)}
.oddslab-frame tr.gap:nth-child(n)>*{color:color-mix(in srgb,currentColor 60%,transparent)}
.oddslab-frame tr:nth-child(n)>.note{white-space:normal;min-width:14em;max-width:34em;overflow-wrap:anywhere}
.oddslab-frame .id{user-select:all;-webkit-user-select:all}
.oddslab-frame .id b{display:none}
.oddslab-frame .id i[hidden]{display:inline-block!important;width:1em;overflow:hidden;vertical-align:bottom;font-style:normal;
white-space:nowrap}
.oddslab-frame .id i::before{content:"…";display:inline-block;width:1em;text-align:center}
.oddslab-frame p{margin:.35em .8em 0;font-size:.82em;line-height:1.4;opacity:.7}
@media print{
.oddslab-frame .box{max-height:none;overflow:visible}
.oddslab-frame table{font-size:.65em}
.oddslab-frame tr:nth-child(n)>*{padding:.2em .3em;white-space:pre-wrap;overflow-wrap:anywhere}
.oddslab-frame thead tr:nth-child(n)>*{position:static;backdrop-filter:none}}
`.replaceAll('\n', '');

/** The forms in which a notebook shows a frame, by MIME type: the result of its `Symbol.for('Jupyter.display')`. */
export function displayFrame(frame: Tabular): { 'text/html': string; 'text/plain': string } {
  return { 'text/html': toHtml(frame), 'text/plain': toText(frame) };
}
