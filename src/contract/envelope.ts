import refusals from './refusals.json' with { type: 'json' };

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
export const REFUSALS: readonly Refusal[] = refusals;

/** The refusal of the operator's routes; no query gets it. */
const NOT_ALLOWED = { status: 403, title: 'Not allowed' };

/** The `title` of the problem with a status; `Error` for a status that the service does not use. */
export function titleOf(status: number): string {
  return [...REFUSALS, NOT_ALLOWED].find((refusal) => refusal.status === status)?.title ?? 'Error';
}
