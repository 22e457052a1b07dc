import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { DATA_VERSION_HEADER } from '../../contract/envelope.js';
import { keyOf } from '../auth/key-of.js';
import type { KeyUses } from '../auth/key-uses.js';
import type { StoredKey } from '../auth/keys.js';
import type { RateLimits } from '../operation/rate-limits.js';
import { readBody } from '../operation/read-body.js';
import type { Seen } from '../operation/seen.js';
import type { ServiceEnv } from '../operation/service-env.js';
import type { Settings } from '../operation/settings/settings.js';
import { ProblemError } from '../problems.js';
import { takeBackFrame } from '../store/page-frames.js';
import type { Watched } from '../watched.js';
import { type AnswerBody, answerBody } from './answer-body.js';
import { KnownRequests } from './known-requests.js';
import type { Asking, Queries, QueryResult } from './queries.js';
import type { QueryRequest } from './read-request.js';

/** What the query endpoint runs on. */
export interface QueryRouteOptions {
  readonly settings: Settings;
  readonly queries: Queries;
  readonly keys: Pick<Watched<readonly StoredKey[]>, 'now' | 'get'>;
  readonly keyUses: KeyUses;
  /** Undefined if queries are not limited. */
  readonly rateLimits: RateLimits | undefined;
}

/** The headers that the query endpoint looks at. */
export const QUERY_HEADERS = [
  'authorization',
  'content-type',
  'content-encoding',
  'if-none-match',
  'accept-encoding',
] as const;

/** The values of these headers in a request. */
export type QueryHeaders = Pick<IncomingHttpHeaders, (typeof QUERY_HEADERS)[number]>;

/** The headers of a request, shared by requests of one connection that have the same. */
export interface Asked {
  readonly headers: QueryHeaders;
  /** The id of the key in them, and the generation of keys that it was looked up in; undefined before. */
  owner?: { readonly id: string; readonly generation: number } | undefined;
}

/** An answer of the query endpoint. */
export interface QueryAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Undefined if the client has the answer already. */
  readonly bytes: Uint8Array | undefined;
  /** To be called once the bytes are sent and nobody reads them any more. */
  readonly sent: (() => void) | undefined;
}

/** The query endpoint, independent of how requests are read. */
export interface QueryRoute {
  /**
   * Checks the headers of a request before its body is read, and notes its key.
   *
   * @throws {ProblemError} 401, 415 or 429; if it returns a promise, that is rejected with it.
   */
  admit(asked: Asked, seen: Seen): Promise<void> | undefined;
  /**
   * Answers a request that was admitted, without a promise if there is nothing to wait for.
   *
   * @throws {ProblemError} 4xx for an invalid query, 503 if it cannot be answered now; a promise is rejected with it.
   */
  answer(body: Buffer, headers: QueryHeaders, seen: Seen, waiting: Waiting): QueryAnswer | Promise<QueryAnswer>;
}

/** Whether the client still waits. */
export type Waiting = Required<Pick<Asking, 'isWanted' | 'onGone'>>;

/** Makes the query endpoint over the served data. */
export function queryRoute({ settings, queries, keys, keyUses, rateLimits }: QueryRouteOptions): QueryRoute {
  const requests = new KnownRequests();
  // The latest keys, and how often they have changed: an owner that was looked up before a change is looked up again.
  let latest: readonly StoredKey[] | undefined;
  let generation = 0;
  const admitKey = (asked: Asked, seen: Seen, known: readonly StoredKey[]) => {
    if (known !== latest) generation++;
    latest = known;
    if (asked.owner?.generation !== generation) {
      asked.owner = { id: authorize(asked.headers.authorization, known).id, generation };
    }
    const { id } = asked.owner;
    keyUses.note(id);
    seen.keyId = id;
    return rateLimits?.take(id);
  };
  return {
    admit(asked, seen) {
      const { headers } = asked;
      const check = (told: Readonly<Record<string, string>> = {}): undefined => {
        Object.assign(seen.told, told);
        checkType(headers['content-type']);
        checkEncoding(headers['content-encoding']);
      };
      if (settings.open) return check();
      const known = keys.now();
      const told = known ? admitKey(asked, seen, known) : keys.get().then((read) => admitKey(asked, seen, read));
      return told instanceof Promise ? told.then(check) : check(told);
    },
    answer(body, headers, seen, waiting) {
      const request = requests.read(body, (read) => {
        seen.body = read;
      });
      seen.dataset = request.dataset.id;
      const known = headers['if-none-match'];
      const accepted = settings.compress ? String(headers['accept-encoding'] ?? '') || undefined : undefined;
      const answerOf = (result: QueryResult) => answerWith(result, request, accepted);
      const result = queries.runNow(request, known);
      return result ? answerOf(result) : queries.run(request, { known, ...waiting }).then(answerOf);
    },
  };
}

/** @param accepted The `Accept-Encoding` header, if answers may be compressed. */
function answerWith(
  result: QueryResult,
  request: QueryRequest,
  accepted: string | undefined,
): QueryAnswer | Promise<QueryAnswer> {
  const { version, etag, page } = result;
  if (!page) return { status: 304, headers: headersOf(version, etag), bytes: undefined, sent: undefined };
  const sent = page.frame && (() => takeBackFrame(page));
  const wrap = ({ bytes, encoding }: AnswerBody): QueryAnswer => {
    const headers = headersOf(version, etag);
    headers['Content-Type'] = 'application/json';
    if (encoding !== undefined) headers['Content-Encoding'] = encoding;
    headers['Content-Length'] = bytes.length;
    return { status: 200, headers, bytes, sent };
  };
  const made = answerBody(request, page, accepted);
  return made instanceof Promise ? made.then(wrap) : wrap(made);
}

/** The headers of every answer to a query. */
function headersOf(version: string, etag: string): Record<string, string | number> {
  return {
    ETag: etag,
    [DATA_VERSION_HEADER]: version,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding',
  };
}

/** Answers requests to the query endpoint that node:http has read. */
export function answerQueries(route: QueryRoute, settings: Settings): (env: ServiceEnv['Bindings']) => Promise<void> {
  const limits = { maxBytes: settings.maxBodyBytes, timeMs: settings.bodySeconds * 1000 };
  return async ({ incoming, outgoing, seen }) => {
    if (incoming.method !== 'POST') {
      throw new ProblemError(405, 'Queries are sent by POST.', { headers: { Allow: 'POST' } });
    }
    const { headers } = incoming;
    await route.admit({ headers }, seen);
    const body = await readBody(incoming, limits);
    const answer = await route.answer(body, headers, seen, waitingFor(outgoing));
    outgoing.writeHead(answer.status, { ...seen.told, ...answer.headers });
    if (answer.bytes) outgoing.end(answer.bytes, answer.sent);
    else outgoing.end();
  };
}

/** Watches whether the client of a slow answer still waits for it. */
function waitingFor(outgoing: ServerResponse): Waiting {
  return { isWanted: () => !outgoing.destroyed, onGone: (tell) => void outgoing.once('close', tell) };
}

/** Finds the key. Whatever is presented is hashed, so that the time taken reveals nothing about a wrong key. */
function authorize(authorization: string | undefined, keys: readonly StoredKey[]): StoredKey {
  const [, presented] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  const key = keyOf(keys, presented ?? '');
  if (key !== undefined) return key;
  const detail =
    presented === undefined ? 'Send the header "Authorization: Bearer <API key>".' : 'This API key is not valid.';
  throw new ProblemError(401, detail, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

function checkType(type = ''): void {
  if (/^application\/json\s*(;|$)/i.test(type)) return;
  throw new ProblemError(415, `The body must be application/json; got ${type || 'no Content-Type'}.`);
}

function checkEncoding(encoding = ''): void {
  if (/^\s*(identity\s*)?$/i.test(encoding)) return;
  throw new ProblemError(415, `The body must be sent as it is, without a Content-Encoding; got ${encoding}.`, {
    headers: { 'Accept-Encoding': 'identity' },
  });
}
