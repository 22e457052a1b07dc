import { DATASETS, type Dataset } from '../../contract/dataset.js';
import type { Dtype, Parameter, ParameterKind } from '../../contract/definition.js';
import { MAX_CONDITIONS, MAX_TEXT, MAX_WALLETS } from '../../contract/filters.js';
import { PNL, PNL_BY } from '../../contract/pnl.js';
import { GRANULARITIES } from '../../contract/time.js';
import { exampleOf, exampleRequest } from '../openapi/request-examples.js';
import { codeBlock, type DocumentedService, jsonBlock, table } from './docs-elements.js';
import { type Html, html } from './html-template.js';
import { curlCommand } from './snippets.js';

/** Each dataset: its filters, its record, and a query with its answer. */
export function datasetsSection(about: DocumentedService): Html {
  return html`<section aria-labelledby="datasets">
<h2 id="datasets">Datasets</h2>
<p>Ids and wallets are compared in any case and sent in lower case. Money is in US dollars, times are in UTC.
Null and empty text mean that a filter is left out.</p>
${DATASETS.map((each) => datasetSection(each, about))}
</section>`;
}

function datasetSection(each: (typeof DATASETS)[number], { address, open, example }: DocumentedService): Html {
  const { id, name, title, order } = each;
  const { answer } = exampleOf(each);
  const request = exampleRequest(each, example);
  const command = curlCommand(address, request, open);
  return html`<section class="dataset" aria-labelledby="${name}">
<h3 id="${name}"><span class="number">${id}</span> ${title}</h3>
<p>${about(each)}Records are ordered by ${order}.</p>
${filtersTable(each)}
${recordTable(each)}
${each.id === PNL.id && html`<p>With the filter <code>by</code>, records have these fields, too, and are ordered by ${PNL_BY.order}:</p>${recordTable({ ...PNL_BY, columns: PNL_BY.columns.slice(PNL.columns.length) }, 'by market, event or category')}`}
<details><summary>A query of dataset ${id} and its answer</summary>
${codeBlock(`A query of dataset ${id} for the shell`, 'bash', command)}
<div class="pair">${jsonBlock('A request', request)}${jsonBlock('What an answer looks like', answer)}</div>
</details>
</section>`;
}

function about({ columns, parameters }: Dataset): string {
  const twin = DATASETS.find((other) => other.columns === columns && other.parameters.length > parameters.length);
  return twin ? `The records of dataset ${twin.id}, with fewer filters. ` : '';
}

const TAKES: Readonly<Record<ParameterKind, string>> = {
  boolean: '`True` or `False`',
  amount: 'a decimal number, 0 or more',
  signedAmount: 'a decimal number with up to 6 places, which may be negative',
  count: 'a whole number, 0 or more',
  text: `text of up to ${MAX_TEXT} characters`,
  conditionId: '`0x` and 64 hexadecimal digits (62 mean the id that ends in `00`), or `ALL`',
  conditionIds: `\`0x\` and 64 hexadecimal digits (or 62); up to ${MAX_CONDITIONS} with commas between`,
  tokenId: 'a token id, as text',
  choice: 'one of its words',
  wallet: `\`0x\` and 40 hexadecimal digits; up to ${MAX_WALLETS} with commas between`,
  unixSeconds: 'Unix time in whole seconds',
  date: 'a date, `YYYY-MM-DD`',
  granularity: GRANULARITIES.map((each) => `\`${each}\``).join(', '),
};

function filtersTable({ id, parameters }: Dataset): Html {
  const rows = parameters.map((parameter: Parameter) => [
    `\`${parameter.name}\``,
    needOf(parameter),
    taken(parameter),
    parameter.meaning,
    `\`${shortened(parameter.example)}\``,
  ]);
  return table(`Filters of dataset ${id}`, ['Filter', 'Need', 'Takes', 'Meaning', 'Example'], rows);
}

function taken({ kind, choices, wildcard }: Parameter): string {
  const takes = choices ? choices.map((each) => `\`${each}\``).join(', ') : TAKES[kind];
  return wildcard === undefined ? takes : `${takes}; or \`${wildcard}\``;
}

function needOf({ required, default: byDefault }: Pick<Parameter, 'required' | 'default'>): Html | string {
  if (required) return html`<strong>required</strong>`;
  return byDefault === undefined ? 'optional' : `default \`${byDefault}\``;
}

/** Shortens a long id to its two ends, so that tables stay readable. */
function shortened(text: string): string {
  return text.length > 30 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text;
}

const HOLDS: Readonly<Record<Dtype, string>> = {
  string: 'text',
  boolean: 'true or false',
  int32: 'whole number',
  float64: 'number',
  datetime: 'time, ISO 8601',
};

function recordTable({ id, columns }: Dataset, which = ''): Html {
  const rows = columns.map(({ name, dtype, decimal, nullable, unit = '', meaning }) => {
    const holds = `${decimal ? 'decimal number as text' : HOLDS[dtype]}${nullable ? ', or null' : ''}`;
    return [`\`${name}\``, holds, unit, meaning];
  });
  return table(
    `Fields of a record of dataset ${id}${which && ` ${which}`}`,
    ['Field', 'Holds', 'Unit', 'Meaning'],
    rows,
  );
}
