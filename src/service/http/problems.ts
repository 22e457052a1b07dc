import { OddslabError } from '../../base/errors.js';
import { type Problem, type ProblemDetail, titleOf } from '../../contract/envelope.js';

/** An error that ends a request with an RFC 9457 problem. */
export class ProblemError extends OddslabError {
  override name = 'ProblemError';
  readonly status: number;
  readonly errors: ProblemDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, extra: Partial<Pick<ProblemError, 'errors' | 'headers'>> = {}) {
    super(detail);
    this.status = status;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
  }
}

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

/** Refuses every method but GET at some paths of an app. @returns The app. */
export function readOnly<App extends { all(path: string, refuse: () => never): unknown }>(
  app: App,
  paths: readonly string[],
): App {
  for (const path of paths) {
    app.all(path, () => {
      throw new ProblemError(405, `${path} is read by GET.`, { headers: { Allow: 'GET, HEAD' } });
    });
  }
  return app;
}

/** Shorter texts are left: they would strike out half of any message, and no telling filter value is so short. */
const SHORTEST = 3;

/** A copy of an error for the log, without the texts of the request's filters in it and in its causes. */
export function struckOut(error: unknown, body: unknown): unknown {
  const words = [...wordsOf(body)].filter((word) => word.length >= SHORTEST).sort((a, b) => b.length - a.length);
  if (words.length === 0) return error;
  // Ignoring case, as ids are compared in lower case, however they were sent.
  const pattern = new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'gi');
  const strike = (text: string) => text.replace(pattern, '…');
  const copyOf = (each: unknown): unknown => {
    if (!(each instanceof Error)) return typeof each === 'string' ? strike(each) : each;
    const copy = new Error(strike(each.message), each.cause === undefined ? {} : { cause: copyOf(each.cause) });
    copy.name = each.name;
    if (each.stack !== undefined) copy.stack = strike(each.stack);
    return copy;
  };
  return copyOf(error);
}

/** The texts that the sender chose, whole and by their parts between commas, as messages may quote either. */
function wordsOf(body: unknown): Set<string> {
  const words = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) visit(each);
    else if (typeof value === 'string') for (const word of [value, ...value.split(',')]) words.add(word);
  };
  visit((body as { params?: unknown } | undefined)?.params);
  return words;
}
