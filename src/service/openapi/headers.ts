import { DATA_VERSION_HEADER } from '../../contract/envelope.js';
import type { JsonSchema } from './json-schema.js';

/** A header of an answer, as OpenAPI describes it. */
export interface Header {
  description: string;
  schema: JsonSchema;
}

const seconds: JsonSchema = { type: 'string', pattern: '^[0-9]+$', examples: ['5'] };

/** Every header that an answer may carry and a client may want to read, by name. */
export const HEADERS: Readonly<Record<string, Header>> = {
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
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: seconds },
  'RateLimit-Limit': { description: 'Queries that the key may make at once.', schema: seconds },
  'RateLimit-Remaining': { description: 'How many of them are left now.', schema: seconds },
  'RateLimit-Reset': {
    description: 'Seconds until the next query can be made or, where some are left, until all can.',
    schema: seconds,
  },
  'WWW-Authenticate': { description: 'How to authenticate: Bearer.', schema: { type: 'string' } },
  'Accept-Encoding': {
    description: 'How a body may be encoded, where its Content-Encoding was refused: identity, which is not at all.',
    schema: { type: 'string' },
  },
  Allow: { description: 'The methods that the path takes.', schema: { type: 'string' } },
};

/** Headers of an answer to a query; those of the rate limit come only if the service limits rates. */
export const ANSWER_HEADERS: readonly string[] = [
  'X-Request-Id',
  DATA_VERSION_HEADER,
  'ETag',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

/** References to headers of the document, by name. */
export function headerRefs(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
