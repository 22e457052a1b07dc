import type { ZodError } from 'zod';
import { nearest } from '../base/nearest.js';
import { type Problem, type ProblemDetail, titleOf } from '../contract/envelope.js';

/** An error that ends a request with an RFC 9457 problem. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly status: number;
  readonly errors: ProblemDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    detail: string,
    extra: { errors?: ProblemDetail[]; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.status = status;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
  }
}

/** The RFC 9457 problem for an error. */
export function problemOf({ status, message, errors }: ProblemError, requestId: string): Problem {
  return {
    type: 'about:blank',
    title: titleOf(status),
    status,
    detail: message,
    ...(errors ? { errors } : {}),
    request_id: requestId,
  };
}

/** The answer for an error. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The problem as JSON. */
  readonly body: string;
}

/** The answer for an error: its problem as `application/problem+json`, with the error's headers. */
export function refusalOf(error: ProblemError, requestId: string): Refusal {
  return {
    status: error.status,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...error.headers },
    body: JSON.stringify(problemOf(error, requestId)),
  };
}

/** A refusal as a response of the router. */
export function responseOf({ status, headers, body }: Refusal): Response {
  return new Response(body, { status, headers });
}

/** What is wrong with a request envelope, each with a JSON pointer. For an unknown field, the nearest one is named. */
export function envelopeErrors(error: ZodError): ProblemDetail[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((key) => `/${String(key)}`).join('');
    if (issue.code !== 'unrecognized_keys') return [{ pointer: path, detail: issue.message }];
    return issue.keys.map((key) => {
      const meant = nearest(key, ENVELOPE_FIELDS[path] ?? []);
      return {
        pointer: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        detail: `is no field of a request${meant ? `; did you mean "${meant}"?` : ''}`,
      };
    });
  });
}

const ENVELOPE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  '': ['agent_id', 'params', 'pagination', 'formatter_config'],
  '/pagination': ['limit', 'offset'],
  '/formatter_config': ['format_type'],
};
