import { DATASETS } from '../../../contract/dataset.js';
import { DEFAULT_LIMIT, MAX_LIMIT, QUERY_PATH, SHORT_QUERY_PATH } from '../../../contract/envelope.js';
import { PNL } from '../../../contract/pnl.js';
import { type Html, html } from '../../page/html.js';
import { exampleOf, exampleRequest } from '../examples.js';
import type { DocsPage } from './about.js';
import { jsonBlock } from './code-block.js';
import { prose } from './prose.js';
import { table } from './table.js';

/** How to ask: the endpoint, the request, the answer. */
export function asking({ address, example }: DocsPage): Html {
  const { answer } = exampleOf(PNL);
  return html`<section aria-labelledby="endpoint">
<h2 id="endpoint">Endpoint</h2>
<p class="endpoint"><span class="method">POST</span> <code>${address}${QUERY_PATH}</code></p>
<p>One endpoint answers everything. <code>${SHORT_QUERY_PATH}</code> is the same by a shorter name.
The body is JSON, and <code>agent_id</code> in it chooses the dataset:
${DATASETS.map(({ id, name, title }, index) => html`${index ? ', ' : ''}<a href="#${name}"><code>${id}</code> ${title.toLowerCase()}</a>`)}.</p>
<div class="pair">
${jsonBlock('A request', exampleRequest(PNL, example))}
${jsonBlock('What an answer looks like', answer)}
</div>
${table(
  'The request',
  ['Field', 'Takes', 'Meaning'],
  [
    ['`agent_id`', 'number, required', 'The dataset.'],
    ['`params`', 'object', 'Filters, each as text. A JSON boolean or number of the same meaning is taken, too.'],
    ['`pagination.limit`', `1 to ${MAX_LIMIT}; default ${DEFAULT_LIMIT}`, 'The most records in the page.'],
    ['`pagination.offset`', '0 or more; default 0', 'How many records come before the page.'],
    ['`formatter_config.format_type`', '`raw`', 'The one format; may be left out.'],
  ].map((cells) => cells.map(prose)),
)}
${table(
  'The answer',
  ['Field', 'Holds', 'Meaning'],
  [
    ['`timestamp`', 'ISO 8601, UTC', 'When the answer was made.'],
    ['`params`', 'object of text', 'The filters that were applied, defaults included.'],
    ['`pagination`', 'object', 'The `limit` and `offset` that were applied, and `has_more`.'],
    ['`data.results`', 'list of records', 'The page. Empty where nothing matches, which is no error.'],
  ].map((cells) => cells.map(prose)),
)}
</section>`;
}
