import type { Column } from '../../../contract/column.js';
import type { Dataset } from '../../../contract/dataset.js';
import { type Html, html } from '../html.js';
import type { Answer } from '../options.js';

/** Records as a table, values as the service sent them; long ids are cut off by the style alone, so that copies are whole. */
export function resultTable(dataset: Dataset, { data, pagination }: Answer): Html {
  if (data.results.length === 0) return html``;
  const count = `${data.results.length} ${data.results.length === 1 ? 'record' : 'records'}`;
  return html`<div class="scroll" role="region" aria-labelledby="records" tabindex="0"><table class="records">
<caption id="records">${count} of ${dataset.name}${pagination.offset > 0 && `, from ${pagination.offset + 1} on`}</caption>
<thead><tr>${dataset.columns.map(heading)}</tr></thead>
<tbody>${data.results.map(
    (record) => html`<tr>${dataset.columns.map((column) => cell(column, record[column.name]))}</tr>
`,
  )}</tbody>
</table></div>`;
}

function heading({ name, unit, meaning, dtype }: Column): Html {
  return html`<th scope="col" title="${meaning}"${isNumber(dtype) && html` class="number"`}>${name}${
    unit !== undefined && html` <span class="unit">${unit}</span>`
  }</th>`;
}

function cell({ dtype }: Column, value: unknown): Html {
  if (value === null || value === undefined || value === '') return html`<td><span class="none">–</span></td>`;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (isNumber(dtype)) return html`<td class="number${text.startsWith('-') && ' loss'}">${text}</td>`;
  const isId = /^(0x[0-9a-f]{8,}|\d{20,})$/.test(text);
  return text.length > 28
    ? html`<td class="long${isId && ' id'}" title="${text}">${text}</td>`
    : html`<td>${text}</td>`;
}

function isNumber(dtype: Column['dtype']): boolean {
  return dtype === 'float64' || dtype === 'int32';
}
