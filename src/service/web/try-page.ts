import { Hono } from 'hono';
import { readCompleteness } from '../../contract/completeness.js';
import { faultsOf } from '../../contract/completeness-words.js';
import { answeredDataset, DATASETS, type Dataset, findDataset } from '../../contract/dataset.js';
import type { Column } from '../../contract/definition.js';
import { MAX_LIMIT, type Problem, type ProblemDetail } from '../../contract/envelope.js';
import type { Desk, TriedAnswer } from './desk.js';
import { type Html, html } from './html-template.js';
import { layout } from './page-layout.js';
import { resultChart } from './result-chart.js';
import { csvOf, isNumber, type SentRecord, sentText, valueFormatter, withSeparators } from './result-values.js';
import { curlCommand, typescriptCode } from './snippets.js';
import { pageField, parameterField, type TryRequest, tryRequest } from './try-form.js';
import { PageError, type SignedIn, signedIn } from './visit.js';

/** The page to try a query. Its address holds the whole query, so that it can be bookmarked. */
export function tryRoutes(desk: Desk): Hono {
  const app = new Hono();
  app.get('/dashboard/try', (context) => context.redirect('/dashboard/try/markets', 303));
  app.get('/dashboard/try/:dataset', (context) =>
    signedIn(context, desk, async (visit) => {
      const dataset = findDataset(context.req.param('dataset'));
      if (!dataset) throw new PageError(404, 'There is no such dataset', 'Choose one on the page “Try a query”.');
      const form = new URL(context.req.url).searchParams;
      const request = tryRequest(dataset, form);
      const { query, baseUrl, open, example } = desk.options;
      const outcome = form.has('run')
        ? await query(request.envelope, visit.account.id, desk.clientOf(context))
        : undefined;
      const wallet = (await example?.())?.wallet;
      const page = tryPage({ visit, dataset, request, outcome, baseUrl: baseUrl(), open, wallet });
      return context.html(page, outcome && 'problem' in outcome ? 422 : 200);
    }),
  );
  app.get('/dashboard/try/:dataset/csv', (context) =>
    signedIn(context, desk, async ({ account }) => {
      const dataset = findDataset(context.req.param('dataset'));
      if (!dataset) throw new PageError(404, 'There is no such dataset', 'Choose one on the page “Try a query”.');
      const request = tryRequest(dataset, new URL(context.req.url).searchParams);
      const ask = (envelope: object) => desk.options.query(envelope, account.id, desk.clientOf(context));
      const { records, isCut } = await allRecords(request, ask);
      return context.body(csvOf(answeredDataset(dataset, request.params), records), 200, {
        'Content-Type': 'text/csv; charset=utf-8; header=present',
        'Content-Disposition': `attachment; filename="${dataset.name}${isCut ? `-first-${MOST_IN_CSV}` : ''}.csv"`,
      });
    }),
  );
  return app;
}

/** The most records of a CSV file: the client and the commands give more. */
const MOST_IN_CSV = 10_000;

/**
 * The records of all pages of an answer, up to {@link MOST_IN_CSV}.
 *
 * @throws {PageError} If a page is refused, or is of other data than the one before.
 */
async function allRecords({ envelope }: TryRequest, ask: (envelope: object) => ReturnType<Desk['options']['query']>) {
  const records: SentRecord[] = [];
  const versions = new Set<string>();
  for (let offset = 0; offset < MOST_IN_CSV; offset += MAX_LIMIT) {
    const outcome = await ask({ ...envelope, pagination: { limit: MAX_LIMIT, offset } });
    if ('problem' in outcome) throw new PageError(400, 'The query was refused', outcome.problem.detail);
    if (versions.add(outcome.version).size > 1)
      throw new PageError(503, 'The data have changed meanwhile', 'Download the file again: it would mix old and new.');
    for (const record of outcome.answer.data.results) records.push(record);
    if (!outcome.answer.pagination.has_more) return { records, isCut: false };
  }
  return { records, isCut: true };
}

interface TryPage {
  visit: SignedIn;
  dataset: Dataset;
  request: TryRequest;
  /** The result of the query; absent before the first one. */
  outcome?: { answer: TriedAnswer } | { problem: Problem } | undefined;
  baseUrl: string;
  open: boolean;
  /** A wallet in the data, to try; undefined if none is known. */
  wallet?: string | undefined;
}

/** The page to write and run a query: its form, the answer as a table, and programs that ask the same. */
function tryPage(page: TryPage): Html {
  const { visit, dataset, outcome } = page;
  const problem = outcome && 'problem' in outcome ? outcome.problem : undefined;
  return layout({
    title: `${problem ? 'Error: ' : ''}Try a query: ${dataset.name}`,
    visit,
    here: '/dashboard/try/markets',
    main: html`<h1>Try a query</h1>
<nav class="tabs" aria-label="Datasets"><ul>${DATASETS.map((entry) => datasetTab(entry, dataset))}</ul></nav>
<p class="lead">${dataset.title}, dataset ${dataset.id}.</p>
${problem && problemShown(problem, dataset)}
${queryForm(page, problem?.errors ?? [])}
${outcome && 'answer' in outcome && resultShown(page, outcome.answer)}`,
  });
}

function datasetTab(entry: Dataset, chosen: Dataset): Html {
  const isHere = entry.id === chosen.id;
  return html`<li><a href="/dashboard/try/${entry.name}"${isHere && html` aria-current="page"`}>${entry.name}</a></li>`;
}

/** A problem: its message, and its faults, each with a link to its field if there is one. */
function problemShown({ status, detail, errors = [] }: Problem, dataset: Dataset): Html {
  const names = [...dataset.parameters.map(({ name }) => `/params/${name}`), '/pagination/limit', '/pagination/offset'];
  const links = errors.map(({ pointer, detail: text }) => {
    const name = pointer.split('/').at(-1) ?? '';
    return names.includes(pointer)
      ? html`<li><a href="#${name}"><code>${name}</code></a> ${text}</li>`
      : html`<li><code>${pointer}</code> ${text}</li>`;
  });
  return html`<section class="notice bad" role="alert"><h2>The query was refused</h2>
<p>${detail} <span class="hint">Status ${status}</span></p>
${links.length > 0 && html`<ul>${links}</ul>`}</section>`;
}

function queryForm({ dataset, request, wallet }: TryPage, errors: readonly ProblemDetail[]): Html {
  const errorOf = (pointer: string) => errors.find((error) => error.pointer === pointer)?.detail;
  const { typed } = request;
  return html`<form class="card query" method="get" action="/dashboard/try/${dataset.name}#result" novalidate>
<fieldset><legend>Filters</legend><div class="grid">
${dataset.parameters.map((parameter) => {
  const example = parameter.kind === 'wallet' ? walletLink(dataset, parameter.name, wallet) : undefined;
  return parameterField(parameter, typed[parameter.name] ?? '', errorOf(`/params/${parameter.name}`), example);
})}
</div></fieldset>
<fieldset><legend>Page</legend><div class="grid">
${pageField('limit', `Records on the page: 1 to ${MAX_LIMIT}.`, typed.limit ?? '', errorOf('/pagination/limit'))}
${pageField('offset', 'Records to skip first.', typed.offset ?? '', errorOf('/pagination/offset'))}
</div></fieldset>
<p class="end"><button class="main" name="run" value="1">Run the query</button>
<a class="button quiet" href="/dashboard/try/${dataset.name}">Clear</a></p>
</form>`;
}

/** A link that fills the form with a wallet in the data and runs it, for readers without one at hand. */
function walletLink({ name }: Dataset, filter: string, wallet: string | undefined): Html | undefined {
  if (wallet === undefined) return undefined;
  const address = `/dashboard/try/${name}?${new URLSearchParams({ [filter]: wallet, run: '1' })}#result`;
  return html` None at hand? <a href="${address}">Try ${wallet.slice(0, 6)}…${wallet.slice(-4)}</a>, a busy one.`;
}

function resultShown({ dataset, request, baseUrl, open }: TryPage, answer: TriedAnswer): Html {
  const { limit, offset } = answer.pagination;
  const answered = answeredDataset(dataset, request.params);
  return html`<section aria-labelledby="result">
<h2 id="result">Result</h2>
${recordNotes(answer)}
${resultChart(answered, answer.data.results, request.params)}
${resultTable(answered, answer)}
${pager(dataset, request, answer)}
</section>
<section class="card" aria-labelledby="code"><h2 id="code">The same from a program</h2>
<p class="hint">${open ? 'This service answers without a key.' : html`Your key is left out: set it as <code>ODDSLAB_API_KEY</code>.`}</p>
<h3>Shell</h3>
<pre tabindex="0"><code>${curlCommand(baseUrl, request.envelope, open)}</code></pre>
<h3>TypeScript</h3>
<p class="hint">${TO_RUN}</p>
<pre tabindex="0"><code>${typescriptCode(baseUrl, dataset, request.params, offset + limit, open)}</code></pre>
</section>`;
}

/** A line for each wallet whose record is not complete. */
function recordNotes({ completeness }: TriedAnswer): Html[] {
  return Object.entries(readCompleteness(completeness) ?? {}).flatMap(([wallet, record]) => {
    const faults = faultsOf(record);
    return faults.length === 0 ? [] : [html`<p class="hint"><code>${wallet}</code>: ${faults.join('; ')}</p>`];
  });
}

const TO_RUN = html`Save it as <code>ask.mts</code>, or as <code>ask.ts</code> where package.json says <code>"type": "module"</code>, in
a folder in which <code>oddslab</code> is installed, and run <code>npx tsx ask.mts</code>. A cell of a notebook takes it as it is.`;

function pager(dataset: Dataset, { params, typed }: TryRequest, { pagination, data }: TriedAnswer): Html {
  const { limit, offset, has_more } = pagination;
  // As they were typed: the form shows a date as one, not as the seconds that travel.
  const filled = Object.fromEntries(Object.keys(params).map((name) => [name, typed[name] ?? '']));
  const pageAt = (start: number) => new URLSearchParams({ ...filled, limit: `${limit}`, offset: `${start}` });
  const linkTo = (start: number) => `/dashboard/try/${dataset.name}?${pageAt(start)}&run=1#result`;
  const last = offset + data.results.length;
  const none = offset > 0 ? `No record matches from ${offset + 1} on.` : 'No record matches.';
  return html`<nav class="pager" aria-label="Pages of the result">
<p>${data.results.length === 0 ? none : `Records ${offset + 1} to ${last}${has_more ? '; there are more.' : ', the last.'}`}</p>
${data.results.length > 0 && html`<a class="button" download href="/dashboard/try/${dataset.name}/csv?${String(new URLSearchParams(filled))}">Download CSV</a>`}
${offset > 0 && html`<a class="button" rel="prev" href="${linkTo(Math.max(0, offset - limit))}">Previous</a>`}
${has_more && html`<a class="button" rel="next" href="${linkTo(offset + limit)}">Next</a>`}
${(has_more || offset > 0) && html`<p class="hint">The CSV has the records of all pages, at most the first ${withSeparators(String(MOST_IN_CSV))}.</p>`}
</nav>`;
}

/**
 * Records as a table: numbers with thousands separators, midnights as days. Only the style cuts off long ids, so that
 * copies are whole. What the record is about comes first, and stays in sight; then come its numbers; ids are last.
 */
function resultTable(dataset: Dataset, { data, pagination }: TriedAnswer): Html {
  if (data.results.length === 0) return html``;
  const count = `${data.results.length} ${data.results.length === 1 ? 'record' : 'records'}`;
  const columns = inReadingOrder(dataset);
  const shows = columns.map((column) => valueFormatter(column, data.results));
  return html`<div class="scroll wide-table" role="region" aria-labelledby="records" tabindex="0"><table class="records">
<caption id="records">${count} of ${dataset.name}${pagination.offset > 0 && `, from ${pagination.offset + 1} on`}</caption>
<thead><tr>${columns.map(columnHeading)}</tr></thead>
<tbody>${data.results.map(
    (
      record,
    ) => html`<tr>${columns.map((column, at) => resultCell(column, record[column.name], shows[at] ?? sentText, at === 0))}</tr>
`,
  )}</tbody>
</table></div>`;
}

/** Sorts columns: the question, the time of a trade or else the first one, whom a place is of, numbers, others, slugs, and at last ids and wallets. */
function inReadingOrder({ columns }: Dataset): Column[] {
  const first =
    columns.find(({ name }) => name === 'question') ?? columns.find(({ name }) => name === 'timestamp') ?? columns[0];
  const rank = (column: Column) => {
    if (column === first) return 0;
    // A rank means nothing without the wallet beside it.
    if (column.name === 'address') return 0.5;
    if (/^id$|_id$|_hash$|wallet$/.test(column.name)) return 4;
    if (/_?slug$/.test(column.name)) return 3;
    return isNumber(column.dtype) ? 1 : 2;
  };
  return [...columns].sort((a, b) => rank(a) - rank(b));
}

function columnHeading({ name, unit, meaning, dtype }: Column): Html {
  return html`<th scope="col" title="${meaning}"${isNumber(dtype) && html` class="number"`}>${name}${
    unit !== undefined && html` <span class="unit">${unit}</span>`
  }</th>`;
}

function resultCell({ dtype }: Column, value: unknown, show: (value: unknown) => string, isFirst: boolean): Html {
  const text = show(value);
  const isNone = text === '';
  const shown = isNone ? html`<span class="none">–</span>` : text;
  const attributes = !isNone && cellAttributes(text, isNumber(dtype));
  return isFirst ? html`<th scope="row"${attributes}>${shown}</th>` : html`<td${attributes}>${shown}</td>`;
}

function cellAttributes(text: string, isNumeric: boolean): Html | false {
  if (isNumeric) return html` class="number${text.startsWith('-') && ' loss'}"`;
  const isId = /^(0x[0-9a-f]{8,}|\d{20,})$/.test(text);
  return text.length > 28 && html` class="long${isId && ' id'}" title="${text}"`;
}
