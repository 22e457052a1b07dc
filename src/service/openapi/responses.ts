import { DATASETS } from '../../contract/dataset.js';
import { REFUSALS, type Refusal } from '../../contract/envelope.js';
import { schemaName } from './dataset-schemas.js';
import { exampleOf } from './examples.js';
import { ANSWER_HEADERS, headerRefs } from './headers.js';
import { schemaRef } from './json-schema.js';

/** Refusals that a POST to a path of the document cannot get: those of other methods. */
const ELSEWHERE = [405];

/** The answers to a query by status, each a reference into {@link responses}. */
export function queryResponses(): Record<string, { $ref: string }> {
  const refused = REFUSALS.filter(({ status }) => !ELSEWHERE.includes(status));
  const names = [['200', 'Answer'], ['304', 'Unchanged'], ...refused.map((each) => [String(each.status), name(each)])];
  return Object.fromEntries(names.map(([status, found]) => [status, { $ref: `#/components/responses/${found}` }]));
}

/** The answers of the document, by name. */
export function responses(): Record<string, object> {
  const refused = REFUSALS.filter(({ status }) => !ELSEWHERE.includes(status));
  return {
    Answer: {
      description: 'A page of records; an empty one where none match.',
      headers: headerRefs(ANSWER_HEADERS),
      content: { 'application/json': { schema: schemaRef('Answer'), examples: answerExamples() } },
    },
    Unchanged: {
      description: 'The answer is still the one that If-None-Match names; nothing is sent.',
      headers: headerRefs(ANSWER_HEADERS),
    },
    ...Object.fromEntries(refused.map((refusal) => [name(refusal), response(refusal)])),
  };
}

function response({ status, title, when, remedy, headers = [] }: Refusal): object {
  const example = {
    type: 'about:blank',
    title,
    status,
    detail: when,
    request_id: 'b0c7a4de-3f0e-4f6a-9d6c-3f6f5b1c2a10',
  };
  return {
    description: `${when} ${remedy}`,
    headers: headerRefs(['X-Request-Id', ...headers]),
    content: { 'application/problem+json': { schema: schemaRef('Problem'), example } },
  };
}

function name({ title }: Refusal): string {
  return title.replace(/(?:^| )(\w)/g, (_, start: string) => start.toUpperCase());
}

function answerExamples(): object {
  return Object.fromEntries(
    DATASETS.map((dataset) => [schemaName(dataset), { summary: dataset.title, value: exampleOf(dataset).answer }]),
  );
}
