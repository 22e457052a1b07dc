import { DEFAULT_LIMIT, MAX_LIMIT } from '../../../contract/envelope.js';
import { MAX_TEXT, MAX_WALLETS } from '../../../contract/filters.js';
import { type Html, html } from '../../page/html.js';
import { HEADERS } from '../headers.js';
import { prose } from './prose.js';
import { table } from './table.js';

/** The limits of requests and rates, and the headers that report rates. */
export function limits(): Html {
  const bounds = [
    ['Records in a page', `${MAX_LIMIT}; ${DEFAULT_LIMIT} where \`limit\` is left out`],
    ['Wallets in a query', `${MAX_WALLETS}`],
    ['Text of a filter', `${MAX_TEXT} characters`],
    ['Body', '1 MiB, nested up to 16 levels'],
    ['Queries of one key', 'as whoever runs the service has set; the `RateLimit` headers tell it'],
  ];
  const headers = Object.entries(HEADERS).map(([name, { description }]) => [prose(`\`${name}\``), prose(description)]);
  return html`<section aria-labelledby="limits">
<h2 id="limits">Limits</h2>
<p>What is over a limit is refused with a reason, never cut in silence.</p>
${table(
  'Limits',
  ['Of what', 'How much'],
  bounds.map((cells) => cells.map(prose)),
)}
${table('Headers of an answer', ['Header', 'Meaning'], headers)}
</section>`;
}
