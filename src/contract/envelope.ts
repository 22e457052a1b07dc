/** The path to which queries are posted, below the service's base address. */
export const QUERY_PATH = '/v2/semantic/retrieve/parameterized';

/** The short path with the same handler. */
export const SHORT_QUERY_PATH = '/query';

/** The header of an answer that names the version of its data. */
export const DATA_VERSION_HEADER = 'oddslab-data-version';

/** The most records that one page may hold. */
export const MAX_LIMIT = 1000;

/** The page size if a request names none, and the one with which the client starts. */
export const DEFAULT_LIMIT = 200;

/** One reason why a request was refused, with a JSON pointer to its place in the request. */
export interface ProblemDetail {
  pointer: string;
  detail: string;
}

/** The error body: RFC 9457 problem details. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: ProblemDetail[];
  request_id: string;
}

/** One status with which the service refuses a query, and what to do about it. */
export interface Refusal {
  readonly status: number;
  /** `title` of the problem. */
  readonly title: string;
  /** When the service gives this answer. */
  readonly when: string;
  /** What a client should do next. */
  readonly remedy: string;
  /** Headers that come with it, besides `X-Request-Id`. */
  readonly headers?: readonly string[];
}

/** Every status with which a query is refused, each as an RFC 9457 problem. */
export const REFUSALS: readonly Refusal[] = [
  {
    status: 400,
    title: 'Malformed request',
    when:
      'The body is not JSON in UTF-8, names a member twice, or is nested more than 16 levels deep; or the request is ' +
      'no sound HTTP, such as HTTP/1.1 without a Host header, or asks a service without keys by a name of another machine.',
    remedy: 'Mend the request; sent again as it is, it is refused again.',
  },
  {
    status: 401,
    title: 'API key missing or not valid',
    when: 'The Authorization header is missing, or holds no key of this service.',
    remedy: 'Send "Authorization: Bearer", a space and your API key; make a new key if yours was revoked.',
    headers: ['WWW-Authenticate'],
  },
  {
    status: 404,
    title: 'Not found',
    when: 'agent_id is the number of no dataset, or the path is not one of this service.',
    remedy: 'Take the number of a dataset, or the path, that the documentation names.',
  },
  {
    status: 405,
    title: 'Method not allowed',
    when: 'A query was sent by another method than POST.',
    remedy: 'Send it by POST.',
    headers: ['Allow'],
  },
  {
    status: 408,
    title: 'Request took too long',
    when: 'The request did not arrive whole in time.',
    remedy: 'Send it again, at once and whole.',
  },
  {
    status: 413,
    title: 'Request too large',
    when: 'The body is larger than the service takes; its documentation tells how much that is.',
    remedy: 'Look at what is sent: no query needs more than a few kilobytes.',
  },
  {
    status: 415,
    title: 'Content type not supported',
    when: 'The body is not sent as application/json, or is compressed.',
    remedy: 'Send "Content-Type: application/json", and the body without a Content-Encoding.',
    headers: ['Accept-Encoding'],
  },
  {
    status: 417,
    title: 'Expectation not met',
    when: 'The Expect header asks for something else than 100-continue.',
    remedy: 'Send the request without an Expect header.',
  },
  {
    status: 422,
    title: 'Request not valid',
    when: 'The envelope or a filter is not valid; errors[] names each by JSON pointer.',
    remedy: 'Mend what errors[] names.',
  },
  {
    status: 429,
    title: 'Too many requests',
    when: 'This key sent more requests than its limit allows.',
    remedy: 'Wait for as many seconds as Retry-After says.',
    headers: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  },
  {
    status: 431,
    title: 'Headers too large',
    when: 'The headers of the request are too large.',
    remedy: 'Send fewer and shorter ones.',
  },
  {
    status: 500,
    title: 'Internal error',
    when: 'The service failed on this request; the fault is its own.',
    remedy: "Tell the operator the request's id.",
  },
  {
    status: 501,
    title: 'Not supported',
    when: 'The Transfer-Encoding is another one than chunked, or a tunnel is asked for.',
    remedy: 'Send the body as it is, with its Content-Length or chunked.',
  },
  {
    status: 503,
    title: 'Not available now',
    when: 'No data are loaded yet, or the service has as much to do as it can.',
    remedy: 'Try again after as many seconds as Retry-After says.',
    headers: ['Retry-After'],
  },
  {
    status: 505,
    title: 'HTTP version not supported',
    when: 'The request is in another version of HTTP than 1.0 or 1.1.',
    remedy: 'Send it in HTTP/1.1.',
  },
];

/** The refusal of the operator's routes; no query gets it. */
const NOT_ALLOWED = { status: 403, title: 'Not allowed' };

/** The `title` of the problem with a status; `Error` for a status that the service does not use. */
export function titleOf(status: number): string {
  return [...REFUSALS, NOT_ALLOWED].find((refusal) => refusal.status === status)?.title ?? 'Error';
}
