import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { QUERY_PATH, SHORT_QUERY_PATH } from '../../contract/envelope.js';

/** What the service knows about a request that is under way; its handlers add what they learn. */
export interface RequestNotes {
  readonly id: string;
  readonly method: string;
  /** One of a few routes, never the path itself, which may hold a sign-in link. */
  readonly route: string;
  /** The client's address; undefined if its connection has none. */
  readonly client: string | undefined;
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

/**
 * Begins the notes on a request. An `X-Request-Id` of the sender is kept if it has a safe form.
 *
 * @param client The client's address.
 */
export function notesOf(
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  client: string | undefined,
): RequestNotes {
  const { method = '', url = '', headers } = request;
  const given = headers['x-request-id'];
  const id = typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
  const learned = { dataset: undefined, keyId: undefined, body: undefined };
  const told = { 'X-Request-Id': id };
  return { id, method, route: routeOf(url), client, startedMs: performance.now(), told, ...learned };
}

function routeOf(url: string): string {
  const [asked = ''] = url.split('?', 1);
  if (ROUTES.has(asked)) return asked;
  const path = normalizedPath(asked);
  if (ROUTES.has(path)) return path;
  return path.startsWith('/dashboard/') ? '/dashboard/*' : NO_ROUTE;
}

/** A path as the router reads it: the path of a full URL, dots and needless escapes resolved; '' if it is malformed. */
function normalizedPath(path: string): string {
  try {
    // The router refuses backslashes, which URL would take for slashes.
    if (path.includes('\\')) return '';
    return decodeURI(new URL(path.startsWith('/') ? `http://localhost${path}` : path).pathname);
  } catch {
    return '';
  }
}

/** What is logged and counted about a request that has ended: no key, no filter's value, no body. */
export interface RequestLine {
  readonly id: string;
  readonly method: string;
  readonly route: string;
  /** Undefined if the request was no query, or could not be read. */
  readonly dataset?: number | undefined;
  /** The status that was sent; 499 if the client left before. */
  readonly status: number;
  /** Milliseconds from its headers to the last byte of its answer. */
  readonly ms: number;
  /** Bytes that were sent, including headers. */
  readonly bytes: number;
  /** The id of the key; undefined if there was no valid key. */
  readonly key?: string | undefined;
  /** The client's address; undefined if it is not known. */
  readonly client?: string | undefined;
}

/** The status that is logged for a request whose client left before its answer. */
export const CLIENT_LEFT = 499;

/** Of each connection, the bytes it had carried when the latest answer began that had waited for earlier ones. */
const bytesBefore = new WeakMap<Socket, number>();

/** Reports a request once its answer is sent, or its connection lost. */
export function onceAnswered(
  { seen, socket, outgoing }: { seen: RequestNotes; socket: Socket; outgoing: ServerResponse },
  tell: (line: RequestLine) => void,
): void {
  let before: number | undefined;
  if (outgoing.socket) before = socket.bytesWritten;
  else {
    outgoing.once('socket', () => {
      before = socket.bytesWritten;
      bytesBefore.set(socket, before);
    });
  }
  outgoing.once('close', () => {
    const status = outgoing.writableFinished ? outgoing.statusCode : CLIENT_LEFT;
    tell(requestLine(seen, status, before === undefined ? 0 : endOfAnswer(socket, before) - before));
  });
}

/** The line for a request that has just ended. */
export function requestLine(
  { id, method, route, dataset, startedMs, keyId, client }: RequestNotes,
  status: number,
  bytes: number,
) {
  const ms = Math.round((performance.now() - startedMs) * 100) / 100;
  return { id, method, route, dataset, status, ms, bytes, key: keyId, client } satisfies RequestLine;
}

/** The byte of its connection at which an answer ended. One that waited for it begins before its 'close' is emitted. */
function endOfAnswer(socket: Socket, before: number): number {
  const next = bytesBefore.get(socket);
  return next !== undefined && next > before ? next : socket.bytesWritten;
}

/** The environment of every handler of the service. */
export interface ServiceEnv {
  Bindings: { incoming: IncomingMessage; outgoing: ServerResponse; seen: RequestNotes };
}
