import { type Html, html } from '../../page/html.js';

/**
 * A table in which the first cell of each row is its heading. On narrow pages cells are stacked, which makes some
 * browsers drop their roles; so the roles are written out.
 *
 * @param caption Shown above the table, and read by screen readers.
 * @param rows The cells of each row, in the order of `heads`.
 */
export function table(caption: string, heads: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(row)}</tbody>
</table></div>`;
}

function row([head, ...cells]: readonly Html[]): Html {
  return html`<tr role="row"><th scope="row" role="rowheader">${head}</th>${cells.map((cell) => html`<td role="cell">${cell}</td>`)}</tr>
`;
}
