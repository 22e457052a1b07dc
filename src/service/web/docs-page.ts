import { createHash } from 'node:crypto';
import { readAsset } from '../../base/packages.js';
import { FIGURES, type Figure, type FigureKind } from '../../contract/completeness.js';
import { DATASETS } from '../../contract/dataset.js';
import { DEFAULT_LIMIT, MAX_LIMIT, QUERY_PATH, REFUSALS, SHORT_QUERY_PATH } from '../../contract/envelope.js';
import { MAX_TEXT, MAX_WALLETS } from '../../contract/filters.js';
import { PNL } from '../../contract/pnl.js';
import { HEADERS } from '../openapi/openapi-document.js';
import { exampleOf, exampleRequest } from '../openapi/request-examples.js';
import { datasetsSection } from './docs-datasets.js';
import { codeBlock, DOCS_STYLE, type DocumentedService, jsonBlock, table } from './docs-elements.js';
import { type Content, type Html, html, pageShell, trusted } from './html-template.js';

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
      body: filled(readAsset('service/web/docs.html').trimEnd(), partsOf(about)),
    }),
  );
}

/** Puts parts into the places of a template that name them, such as `{{version}}`. */
function filled(template: string, parts: Readonly<Record<string, Content>>): Html {
  return trusted(template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(html`${parts[name]}`)));
}

/** What the page says that depends on the service or the contract, by its place in the template. */
function partsOf(about: DocumentedService): Readonly<Record<string, Content>> {
  const { version, address, open, example } = about;
  return {
    version,
    address,
    path: QUERY_PATH,
    shortPath: SHORT_QUERY_PATH,
    datasetEntries: DATASETS.map(
      ({ id, name }) => html`<li><a href="#${name}"><span class="number">${id}</span> ${name}</a></li>`,
    ),
    datasetLinks: DATASETS.map(
      ({ id, name, title }, at) =>
        html`${at > 0 && ', '}<a href="#${name}"><code>${id}</code> ${title.toLowerCase()}</a>`,
    ),
    request: jsonBlock('A request', exampleRequest(PNL, example)),
    answer: jsonBlock('What an answer looks like', exampleOf(PNL).answer),
    requestTable: table('The request', ['Field', 'Takes', 'Meaning'], REQUEST_FIELDS),
    answerTable: table('The answer', ['Field', 'Holds', 'Meaning'], ANSWER_FIELDS),
    need: open ? NO_NEED : HOW_TO_GET_ONE,
    settings: codeBlock('Your settings', 'bash', settings(about)),
    curl: codeBlock('curl', 'bash', CURL),
    javascript: codeBlock('JavaScript', 'javascript', JAVASCRIPT),
    python: codeBlock('Python, with nothing installed', 'python', PYTHON),
    datasets: datasetsSection(about),
    completeness: table(
      'Figures of a record',
      ['Figure', 'Holds', 'Unit', 'Meaning'],
      [
        SEEN,
        ...Object.entries<Figure>(FIGURES).map(([name, { kind, unit = '', meaning }]) => [
          `\`${name}\``,
          FIGURE_HOLDS[kind],
          unit,
          meaning,
        ]),
      ],
    ),
    refusal: jsonBlock('A refusal', REFUSED),
    statuses: table(
      'Statuses',
      ['Status', 'When', 'What to do'],
      REFUSALS.map(({ status, when, remedy }) => [`\`${status}\``, when, remedy]),
    ),
    limits: table('Limits', ['Of what', 'How much'], limitsOf(about)),
    headers: table(
      'Headers of an answer',
      ['Header', 'Meaning'],
      Object.entries(HEADERS).map(([name, { description }]) => [`\`${name}\``, description]),
    ),
    invented: example
      ? 'Queries name a wallet and a market of the data that are loaded; answers are shown with invented names and numbers.'
      : 'All names and numbers in the examples are invented.',
  };
}

const HOW_TO_GET_ONE = html`A key is made for you when you
<a href="/">sign in to the dashboard</a>; whoever runs the service can make one with <code>oddslab keys create</code>. It is shown once:
keep it where you keep passwords, and out of your code.`;

const NO_NEED = html`This service was started with <code>--open</code>: it answers without a key, and the header may be left out.`;

const REQUEST_FIELDS = [
  ['`agent_id`', 'number, required', 'The dataset.'],
  ['`params`', 'object', 'Filters, each as text. A JSON boolean or number of the same meaning is taken, too.'],
  ['`pagination.limit`', `1 to ${MAX_LIMIT}; default ${DEFAULT_LIMIT}`, 'The most records in the page.'],
  ['`pagination.offset`', '0 or more; default 0', 'How many records come before the page.'],
  ['`formatter_config.format_type`', '`raw`', 'The one format; may be left out.'],
];

const ANSWER_FIELDS = [
  ['`timestamp`', 'ISO 8601, UTC', 'When the answer was made.'],
  ['`params`', 'object of text', 'The filters that were applied, defaults included.'],
  ['`pagination`', 'object', 'The `limit` and `offset` that were applied, and `has_more`.'],
  [
    '`window`',
    'object',
    'Of a leaderboard: `first` and `last` day that count, how many `wallets` have an event on them, and how many `others` have not.',
  ],
  [
    '`completeness`',
    'object',
    'By each wallet that the query names, or of a leaderboard that names none each wallet on the page, how complete its record is; below.',
  ],
  [
    '`unknown`',
    'list of objects',
    'Where a filter names what nothing in the data has: the `filter`, the `value`, and the `nearest` name. Absent otherwise.',
  ],
  ['`data.results`', 'list of records', 'The page. Empty where nothing matches, which is no error.'],
];

const SEEN = ['`seen`', 'true or false', '', 'Whether any record mentions the wallet.'];

const FIGURE_HOLDS: Readonly<Record<FigureKind, string>> = {
  time: 'time, ISO 8601',
  count: 'whole number',
  micros: 'decimal number as text',
  truth: 'true or false',
  parts: 'list of objects',
};

const REFUSED = {
  type: 'about:blank',
  title: 'Request not valid',
  status: 422,
  detail: 'The filters of dataset 569 are not valid.',
  errors: [{ pointer: '/params/walet', detail: 'is no filter of dataset 569; did you mean "wallet"?' }],
  request_id: 'b0c7a4de-3f0e-4f6a-9d6c-3f6f5b1c2a10',
};

/** A number of bytes in the largest unit that leaves it whole. @example bytesText(1 << 20); // '1 MiB' */
function bytesText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB'];
  let [value, unit] = [bytes, 0];
  for (; unit < units.length - 1 && value % 1024 === 0; unit++) value /= 1024;
  return `${value.toLocaleString('en-US')} ${units[unit]}`;
}

function limitsOf({ maxBodyBytes }: DocumentedService): string[][] {
  return [
    ['Records in a page', `${MAX_LIMIT}; ${DEFAULT_LIMIT} where \`limit\` is left out`],
    ['Wallets in a query', `${MAX_WALLETS}`],
    ['Text of a filter', `${MAX_TEXT} characters`],
    ['Body', `${bytesText(maxBodyBytes)}, nested up to 16 levels`],
    [
      'Queries of one account with all its keys',
      'as whoever runs the service has set; the `RateLimit` headers tell it',
    ],
  ];
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
