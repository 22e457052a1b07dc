import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { QUERY_PATH, SHORT_QUERY_PATH } from '../../contract/envelope.js';

/** What the service knows about a request that is under way; its handlers add what they learn. */
export interface Seen {
  readonly id: string;
  readonly method: string;
  /** One of a few routes, never the path itself, which may hold a sign-in link. */
  readonly route: string;
  /** By `performance.now()`. */
  readonly startedMs: number;
  dataset: number | undefined;
  /** Id of the key that was presented, if it is a known one. */
  keyId: string | undefined;
  /** Headers of every answer to it, also of a refusal. */
  readonly told: Record<string, string>;
  /** The value of the body's JSON: the texts of its filters are struck out of what is logged about a failure. */
  body: unknown;
}

/** The route of a request whose path leads nowhere. */
export const NO_ROUTE = 'none';

/** Routes of files that browsers load along with a page, and that are the same for everybody. */
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

/** Begins the notes on a request. An `X-Request-Id` of the sender is kept if it has a safe form. */
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

/** A path as the router reads it: the path of a full URL, dots and needless escapes resolved; '' if it is malformed. */
function normalized(path: string): string {
  try {
    // The router refuses backslashes, which URL would take for slashes.
    if (path.includes('\\')) return '';
    return decodeURI(new URL(path.startsWith('/') ? `http://localhost${path}` : path).pathname);
  } catch {
    return '';
  }
}
