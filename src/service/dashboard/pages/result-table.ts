import type { Dataset } from '../../../contract/dataset.js';
import type { Column } from '../../../contract/definition.js';
import { type Html, html } from '../../page/html.js';
import type { Answer } from '../options.js';

/**
 * Records as a table, with their values as the service sent them. Only the style cuts off long ids, so that copies are
 * whole. What the record is about comes first, and stays in sight; then come its numbers; ids are last.
 */
export function resultTable(dataset: Dataset, { data, pagination }: Answer): Html {
  if (data.results.length === 0) return html``;
  const count = `${data.results.length} ${data.results.length === 1 ? 'record' : 'records'}`;
  const [first, ...others] = inReadingOrder(dataset);
  return html`<div class="scroll wide-table" role="region" aria-labelledby="records" tabindex="0"><table class="records">
<caption id="records">${count} of ${dataset.name}${pagination.offset > 0 && `, from ${pagination.offset + 1} on`}</caption>
<thead><tr>${first && heading(first)}${others.map(heading)}</tr></thead>
<tbody>${data.results.map(
    (record) => html`<tr>${first && cell(first, record[first.name], 'th')}${others.map((column) =>
      cell(column, record[column.name], 'td'),
    )}</tr>
`,
  )}</tbody>
</table></div>`;
}

/** Sorts columns: the question or else the first one, numbers, others, slugs, and at last ids and wallets. */
function inReadingOrder({ columns }: Dataset): Column[] {
  const first = columns.find(({ name }) => name === 'question') ?? columns[0];
  const rank = (column: Column) => {
    if (column === first) return 0;
    if (/_id$|wallet$/.test(column.name)) return 4;
    if (/_?slug$/.test(column.name)) return 3;
    return isNumber(column.dtype) ? 1 : 2;
  };
  return [...columns].sort((a, b) => rank(a) - rank(b));
}

function heading({ name, unit, meaning, dtype }: Column): Html {
  return html`<th scope="col" title="${meaning}"${isNumber(dtype) && html` class="number"`}>${name}${
    unit !== undefined && html` <span class="unit">${unit}</span>`
  }</th>`;
}

function cell(column: Column, value: unknown, as: 'th' | 'td'): Html {
  const { shown, attributes } = content(column, value);
  return as === 'th' ? html`<th scope="row"${attributes}>${shown}</th>` : html`<td${attributes}>${shown}</td>`;
}

function content({ dtype }: Column, value: unknown): { shown: Html; attributes: Html } {
  if (value === null || value === undefined || value === '') {
    return { shown: html`<span class="none">–</span>`, attributes: html`` };
  }
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const shown = html`${text}`;
  if (isNumber(dtype)) return { shown, attributes: html` class="number${text.startsWith('-') && ' loss'}"` };
  const isId = /^(0x[0-9a-f]{8,}|\d{20,})$/.test(text);
  return { shown, attributes: html`${text.length > 28 && html` class="long${isId && ' id'}" title="${text}"`}` };
}

function isNumber(dtype: Column['dtype']): boolean {
  return dtype === 'float64' || dtype === 'int32';
}
