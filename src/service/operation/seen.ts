import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { QUERY_PATH, SHORT_QUERY_PATH } from '../../contract/envelope.js';

/** What the service knows of a request while it is under way; its handlers add what they learn. */
export interface Seen {
  readonly id: string;
  readonly method: string;
  /** One of a few routes, never the path itself, in which a sign-in link may stand. */
  readonly route: string;
  /** Of `performance.now()`. */
  readonly startedMs: number;
  dataset: number | undefined;
  /** Id of the key that was presented, if it is a known one. */
  keyId: string | undefined;
  /** Headers that every answer to it tells, a refusal too. */
  readonly told: Record<string, string>;
  /** What the request's body held, to be struck out of anything that is logged of a failure. */
  body: unknown;
}

/** What a request's route is where it leads nowhere. */
export const NO_ROUTE = 'none';

/** Routes of files that are the same for all: what comes with a page is no request of a person's own. */
export const ASSETS: ReadonlySet<string> = new Set(['/dashboard/style.css', '/dashboard/icon.svg']);

const ROUTES = new Set([
  ...ASSETS,
  QUERY_PATH,
  SHORT_QUERY_PATH,
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/',
]);

/** Begins to note a request; it keeps a request id that its sender gave, if that is of a safe form. */
export function seenOf({ method = '', url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): Seen {
  const given = headers['x-request-id'];
  const id = typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
  return {
    id,
    method,
    route: routeOf(url),
    startedMs: performance.now(),
    dataset: undefined,
    keyId: undefined,
    told: { 'X-Request-Id': id },
    body: undefined,
  };
}

function routeOf(url: string): string {
  const query = url.indexOf('?');
  const asked = query === -1 ? url : url.slice(0, query);
  if (ROUTES.has(asked)) return asked;
  const path = normalized(asked);
  if (ROUTES.has(path)) return path;
  return path.startsWith('/dashboard/') ? '/dashboard/*' : NO_ROUTE;
}

/** A path as the router reads it: of a whole address its path, dots and needless escapes resolved; '' of no address. */
function normalized(path: string): string {
  try {
    // The router refuses backslashes, which an URL would take for slashes.
    if (path.includes('\\')) return '';
    return decodeURI(new URL(path.startsWith('/') ? `http://localhost${path}` : path).pathname);
  } catch {
    return '';
  }
}
