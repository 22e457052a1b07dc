import { DATASETS } from '../../contract/dataset.js';
import { DATA_VERSION_HEADER, QUERY_PATH, REFUSALS, type Refusal, SHORT_QUERY_PATH } from '../../contract/envelope.js';
import { exampleOf } from './request-examples.js';
import { datasetSchemas, type JsonSchema, schemaName, schemaRef, sharedSchemas } from './schemas.js';

/** An OpenAPI 3.1 document; only the parts that the project's own code reads are typed. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string };
  servers: readonly { url: string }[];
  security: readonly object[];
  paths: Readonly<Record<string, object>>;
  components: { schemas: Readonly<Record<string, JsonSchema>> } & Readonly<Record<string, object>>;
}

/**
 * Makes the description of the service's interface from the contract.
 *
 * @param version The service's version, such as `0.1.0`.
 */
export function openApiDocument(version: string): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Oddslab query service',
      version,
      summary: 'Prediction markets, and the profit and loss of the wallets that trade on them.',
      description:
        'One endpoint answers queries on every dataset; agent_id chooses the dataset. Filters travel as text; a JSON ' +
        'boolean or number of the same meaning is taken, too. A page for people is at /docs.',
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths: {
      [QUERY_PATH]: { post: operation('retrieve', 'Ask for a page of records.') },
      [SHORT_QUERY_PATH]: { post: operation('retrieveByShortPath', 'The same, by its short path.') },
    },
    components: {
      schemas: { ...sharedSchemas(), ...Object.assign({}, ...DATASETS.map(datasetSchemas)) },
      responses: responses(),
      headers: HEADERS,
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of this service. A service that was started with --open on loopback asks for none.',
        },
      },
    },
  };
}

function operation(operationId: string, summary: string): object {
  return {
    operationId,
    summary,
    parameters: [
      {
        name: 'If-None-Match',
        in: 'header',
        description: 'The ETag of an answer that you hold; where it still holds, the answer is 304 without a body.',
        schema: { type: 'string' },
      },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaRef('Request'), examples: examplesOf('request') } },
    },
    responses: queryResponses(),
  };
}

/** Refusals that a POST to a path of the document can get: not those of other methods. */
const REFUSED = REFUSALS.filter(({ status }) => status !== 405);

/** The answers to a query by status, each a reference into {@link responses}. */
function queryResponses(): Record<string, { $ref: string }> {
  const refused = REFUSED.map((each) => [`${each.status}`, responseName(each)]);
  const names = [['200', 'Answer'], ['304', 'Unchanged'], ...refused];
  return Object.fromEntries(names.map(([status, found]) => [status, { $ref: `#/components/responses/${found}` }]));
}

/** The answers of the document, by name. */
function responses(): Record<string, object> {
  return {
    Answer: {
      description: 'A page of records; an empty one where none match.',
      headers: headerRefs(ANSWER_HEADERS),
      content: { 'application/json': { schema: schemaRef('Answer'), examples: examplesOf('answer') } },
    },
    Unchanged: {
      description: 'The answer is still the one that If-None-Match names; nothing is sent.',
      headers: headerRefs(ANSWER_HEADERS),
    },
    ...Object.fromEntries(REFUSED.map((refusal) => [responseName(refusal), response(refusal)])),
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

function responseName({ title }: Refusal): string {
  return title.replace(/(?:^| )(\w)/g, (_, start: string) => start.toUpperCase());
}

function examplesOf(part: 'request' | 'answer'): object {
  return Object.fromEntries(
    DATASETS.map((dataset) => [schemaName(dataset), { summary: dataset.title, value: exampleOf(dataset)[part] }]),
  );
}

const secondsSchema: JsonSchema = { type: 'string', pattern: '^[0-9]+$', examples: ['5'] };

/** Every header that an answer may carry and a client may want to read, by name. */
export const HEADERS: Readonly<Record<string, { description: string; schema: JsonSchema }>> = {
  'X-Request-Id': {
    description: "The request's id; an operator finds it in the log.",
    schema: { type: 'string', minLength: 1 },
  },
  [DATA_VERSION_HEADER]: {
    description: 'The version of the data that the answer was made from. Pages of one version never overlap or skip.',
    schema: { type: 'string', minLength: 1 },
  },
  ETag: {
    description: 'Names this answer; it changes with the query and with the version of the data.',
    schema: { type: 'string', pattern: '^(W/)?".+"$' },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: secondsSchema },
  'RateLimit-Limit': {
    description: 'Queries that the account of the key, or a key without one, may make at once.',
    schema: secondsSchema,
  },
  'RateLimit-Remaining': { description: 'How many of them are left now.', schema: secondsSchema },
  'RateLimit-Reset': {
    description: 'Seconds until the next query can be made or, where some are left, until all can.',
    schema: secondsSchema,
  },
  'WWW-Authenticate': { description: 'How to authenticate: Bearer.', schema: { type: 'string' } },
  'Accept-Encoding': {
    description: 'How a body may be encoded, where its Content-Encoding was refused: identity, which is not at all.',
    schema: { type: 'string' },
  },
  Allow: { description: 'The methods that the path takes.', schema: { type: 'string' } },
};

/** Headers of an answer to a query; those of the rate limit come only if the service limits rates. */
const ANSWER_HEADERS: readonly string[] = [
  'X-Request-Id',
  DATA_VERSION_HEADER,
  'ETag',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

/** References to headers of the document, by name. */
function headerRefs(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
