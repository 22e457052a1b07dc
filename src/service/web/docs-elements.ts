import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import { readAsset } from '../../base/packages.js';
import type { ExampleData } from '../openapi/request-examples.js';
import { type Html, html, trusted } from './html-template.js';

const LANGUAGES = { bash, javascript, json, python };

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** A captioned block of code with highlighted syntax. */
export function codeBlock(caption: string, language: keyof typeof LANGUAGES, code: string): Html {
  const { value } = hljs.highlight(code.trim(), { language });
  return html`<figure class="code"><figcaption>${caption}</figcaption><pre tabindex="0" aria-label="${caption}"><code>${trusted(value)}</code></pre></figure>`;
}

/** A captioned block of JSON, indented by two spaces. */
export function jsonBlock(caption: string, value: unknown): Html {
  return codeBlock(caption, 'json', JSON.stringify(value, null, 2));
}

/**
 * A table in which the first cell of each row is its heading. On narrow pages cells are stacked, which makes some
 * browsers drop their roles; so the roles are written out.
 *
 * @param caption Shown above the table, and read by screen readers.
 * @param rows The cells of each row, in the order of `heads`; texts are {@link prose}.
 */
export function table(caption: string, heads: readonly string[], rows: readonly (readonly (Html | string)[])[]): Html {
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((cells) => tableRow(cells.map((cell) => (typeof cell === 'string' ? prose(cell) : cell))))}</tbody>
</table></div>`;
}

function tableRow([head, ...cells]: readonly Html[]): Html {
  return html`<tr role="row"><th scope="row" role="rowheader">${head}</th>${cells.map((cell) => html`<td role="cell">${cell}</td>`)}</tr>
`;
}

/** Plain text, except that `backticks` mean code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** What the page says about the service that sends it. */
export interface DocumentedService {
  version: string;
  /** The address under which the reader reaches it, such as `http://127.0.0.1:8787`, without a slash at the end. */
  address: string;
  open: boolean;
  maxBodyBytes: number;
  /** A wallet and a market for example queries; undefined if no data are loaded. */
  example: ExampleData | undefined;
}

/** The page's only style sheet. */
export const DOCS_STYLE = readAsset('service/web/docs.css');
