import { createHash } from 'node:crypto';
import { DATASETS } from '../../contract/dataset.js';
import { DEFAULT_LIMIT, MAX_LIMIT, QUERY_PATH, REFUSALS, SHORT_QUERY_PATH } from '../../contract/envelope.js';
import { MAX_TEXT, MAX_WALLETS } from '../../contract/filters.js';
import { PNL } from '../../contract/pnl.js';
import { HEADERS } from '../openapi/openapi-document.js';
import { exampleOf, exampleRequest } from '../openapi/request-examples.js';
import { datasetsSection } from './docs-datasets.js';
import { codeBlock, DOCS_STYLE, type DocumentedService, jsonBlock, table } from './docs-elements.js';
import { type Html, html, pageShell, trusted } from './html-template.js';

/** What browsers may do with the page: show it in its own style, and nothing else. */
export const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(DOCS_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page for people who query the service: one self-contained HTML document, made from the contract. */
export function docsPage(about: DocumentedService): string {
  return String(
    pageShell({
      title: 'Oddslab query service: how to ask',
      head: html`<meta name="description" content="How to query this service: datasets, filters, errors and limits.">
<style>${trusted(DOCS_STYLE)}</style>`,
      main: 'content',
      body: pageBody(about),
    }),
  );
}

function pageBody(about: DocumentedService): Html {
  const { version, example } = about;
  const invented = example
    ? 'Queries name a wallet and a market of the data that are loaded; answers are shown with invented names and numbers.'
    : 'All names and numbers in the examples are invented.';
  return html`<header class="top"><div class="frame">
<h1>Query service</h1>
<p class="lead">Prediction markets, and the profit and loss of the wallets that trade on them.</p>
<p>Everything on this page holds for the service that sent it (version ${version}). For programs, the same stands in
<a href="/openapi.json">openapi.json</a>. Keys are made in the <a href="/">dashboard</a>.</p>
</div></header>
<div class="frame layout">
${contentsSection()}
<main id="content" tabindex="-1">
${[askingSection(about), authenticationSection(about), datasetsSection(about), pagingSection(), errorsSection(), limitsSection(about)]}
</main>
</div>
<footer><div class="frame">Oddslab ${version}. ${invented}</div></footer>`;
}

function contentsSection(): Html {
  const link = (id: string, text: Html | string) => html`<li><a href="#${id}">${text}</a>`;
  return html`<nav aria-label="Contents"><ol>
${link('endpoint', 'Endpoint')}</li>
${link('authentication', 'Authentication')}</li>
${link('datasets', 'Datasets')}
<ol>${DATASETS.map(({ id, name }) => html`${link(name, html`<span class="number">${id}</span> ${name}`)}</li>`)}</ol></li>
${link('paging', 'Paging')}</li>
${link('errors', 'Errors')}</li>
${link('limits', 'Limits')}</li>
</ol></nav>`;
}

/** How to ask: the endpoint, the request, the answer. */
function askingSection({ address, example }: DocumentedService): Html {
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
  ],
)}
${table(
  'The answer',
  ['Field', 'Holds', 'Meaning'],
  [
    ['`timestamp`', 'ISO 8601, UTC', 'When the answer was made.'],
    ['`params`', 'object of text', 'The filters that were applied, defaults included.'],
    ['`pagination`', 'object', 'The `limit` and `offset` that were applied, and `has_more`.'],
    ['`data.results`', 'list of records', 'The page. Empty where nothing matches, which is no error.'],
  ],
)}
</section>`;
}

/** How to read more records than one page holds. */
function pagingSection(): Html {
  return html`<section aria-labelledby="paging">
<h2 id="paging">Paging</h2>
<p>A page begins at <code>offset</code> and holds up to <code>limit</code> records. While <code>has_more</code> is true, ask again with
<code>offset</code> raised by the number of records that came. The order is total and stable, so pages of one version of the
data never overlap and never skip. The header <code>oddslab-data-version</code> names that version: when it changes
between two pages, new data came in meanwhile, and a reader who needs one consistent set starts again at 0.</p>
<p>Every answer has an <code>ETag</code>. Send it back in <code>If-None-Match</code> with the same query, and the answer is
<code>304</code> without a body for as long as nothing changed.</p>
</section>`;
}

const REFUSED = {
  type: 'about:blank',
  title: 'Request not valid',
  status: 422,
  detail: 'The filters of dataset 569 are not valid.',
  errors: [{ pointer: '/params/walet', detail: 'is no filter of dataset 569; did you mean "wallet"?' }],
  request_id: 'b0c7a4de-3f0e-4f6a-9d6c-3f6f5b1c2a10',
};

/** What refusals look like, and what to do about each. */
function errorsSection(): Html {
  const rows = REFUSALS.map(({ status, when, remedy }) => [`\`${status}\``, when, remedy]);
  return html`<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>A refusal is an RFC 9457 problem, <code>application/problem+json</code>. <code>detail</code> says in words what was wrong,
<code>errors</code> names each place in your request by JSON pointer, and <code>request_id</code>, which is also the header
<code>X-Request-Id</code>, is what the operator finds in the log.</p>
${jsonBlock('A refusal', REFUSED)}
${table('Statuses', ['Status', 'When', 'What to do'], rows)}
</section>`;
}

/** A number of bytes in the largest unit that leaves it whole. @example bytesText(1 << 20); // '1 MiB' */
function bytesText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB'];
  let [value, unit] = [bytes, 0];
  for (; unit < units.length - 1 && value % 1024 === 0; unit++) value /= 1024;
  return `${value.toLocaleString('en-US')} ${units[unit]}`;
}

/** The limits of requests and rates, and the headers that report rates. */
function limitsSection({ maxBodyBytes }: DocumentedService): Html {
  const bounds = [
    ['Records in a page', `${MAX_LIMIT}; ${DEFAULT_LIMIT} where \`limit\` is left out`],
    ['Wallets in a query', `${MAX_WALLETS}`],
    ['Text of a filter', `${MAX_TEXT} characters`],
    ['Body', `${bytesText(maxBodyBytes)}, nested up to 16 levels`],
    ['Queries of one key', 'as whoever runs the service has set; the `RateLimit` headers tell it'],
  ];
  const headers = Object.entries(HEADERS).map(([name, { description }]) => [`\`${name}\``, description]);
  return html`<section aria-labelledby="limits">
<h2 id="limits">Limits</h2>
<p>What is over a limit is refused with a reason, never cut in silence.</p>
${table('Limits', ['Of what', 'How much'], bounds)}
${table('Headers of an answer', ['Header', 'Meaning'], headers)}
</section>`;
}

function settings({ address, open }: DocumentedService): string {
  return `
# Where this service is, as you reached it just now.
export ODDSLAB_URL=${address}
# ${open ? 'Your key; this service needs none.' : 'Your key.'}
export ODDSLAB_API_KEY=…`;
}

const CURL = `
curl "$ODDSLAB_URL${SHORT_QUERY_PATH}" \\
  -H "Authorization: Bearer $ODDSLAB_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"agent_id": 574, "params": {"closed": "False", "min_volume": "100000"}, "pagination": {"limit": 10}}'`;

const JAVASCRIPT = `
const answer = await fetch(process.env.ODDSLAB_URL + '${SHORT_QUERY_PATH}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.ODDSLAB_API_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ agent_id: 574, params: { closed: 'False' }, pagination: { limit: 10 } }),
});
const { data, pagination, detail } = await answer.json();
if (!answer.ok) throw new Error(detail);
console.table(data.results);`;

const PYTHON = `
import json, os, urllib.request

query = {"agent_id": 574, "params": {"closed": "False"}, "pagination": {"limit": 10}}
request = urllib.request.Request(
    os.environ["ODDSLAB_URL"] + "${SHORT_QUERY_PATH}",
    data=json.dumps(query).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["ODDSLAB_API_KEY"],
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as answer:
    for market in json.load(answer)["data"]["results"]:
        print(market["volume_total"], market["question"])`;

/** How to authenticate, with whole programs to copy. */
function authenticationSection(about: DocumentedService): Html {
  const dashboard = html`A key is made for you when you
<a href="/">sign in to the dashboard</a>; whoever runs the service can make one with <code>oddslab keys create</code>. It is shown once:
keep it where you keep passwords, and out of your code.`;
  const need = about.open
    ? html`This service was started with <code>--open</code>: it answers without a key, and the header may be left out.`
    : dashboard;
  return html`<section aria-labelledby="authentication">
<h2 id="authentication">Authentication</h2>
<p>Every query carries an API key in the header <code>Authorization: Bearer</code>. ${need}
This page and <a href="/openapi.json">openapi.json</a> need none either.</p>
${codeBlock('Your settings', 'bash', settings(about))}
${codeBlock('curl', 'bash', CURL)}
${codeBlock('JavaScript', 'javascript', JAVASCRIPT)}
${codeBlock('Python, with nothing installed', 'python', PYTHON)}
</section>`;
}
