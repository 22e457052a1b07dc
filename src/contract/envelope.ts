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
