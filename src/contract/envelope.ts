/** Where queries are posted, below the service's base address. */
export const QUERY_PATH = '/v2/semantic/retrieve/parameterized';

/** The short path with the same handler. */
export const SHORT_QUERY_PATH = '/query';

/** Header of an answer that names the version of the data it was made from. */
export const DATA_VERSION_HEADER = 'oddslab-data-version';

/** The most records that one page may hold. */
export const MAX_LIMIT = 1000;

/** The page size where a request names none, and with which the client starts. */
export const DEFAULT_LIMIT = 200;

/** One reason why a request was refused, with a JSON pointer to the place. */
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
