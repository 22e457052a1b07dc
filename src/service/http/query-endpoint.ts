import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Settings } from '../settings/settings.js';
import type { Connections } from './connections.js';
import type { ClientReader } from './hosts.js';
import { PageOrigins } from './page-origins.js';
import { ProblemError, type Refusal } from './problems.js';
import { readBody } from './request-body.js';
import type { RequestLine, RequestNotes, ServiceEnv } from './request-record.js';

/** Whether the client still waits. */
export interface WaitingClient {
  /** Returns false if the client has gone meanwhile. */
  readonly isWanted: () => boolean;
  /** Registers a callback that is called once the client has gone, so that its query can be ended. */
  readonly onGone: (tell: () => void) => void;
}

/** What is known about the client that asks. Default: it waits. */
export interface QueryClient extends Partial<WaitingClient> {
  /** The `If-None-Match` header: entity tags of the answers that the client has. */
  readonly known?: string | undefined;
}

/** The headers that the query endpoint looks at. */
export const QUERY_HEADERS = [
  'authorization',
  'content-type',
  'content-encoding',
  'if-none-match',
  'accept-encoding',
  'origin',
] as const;

type QueryHeaders = Pick<IncomingHttpHeaders, (typeof QUERY_HEADERS)[number]>;

export interface QueryAnswer {
  readonly status: number;
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
  admit(headers: QueryHeaders, seen: RequestNotes): Promise<void> | undefined;
  /** Answers an admitted request. @throws {ProblemError} 4xx for an invalid query, 503 if it cannot be answered now. */
  answer(
    body: Buffer,
    headers: QueryHeaders,
    seen: RequestNotes,
    waiting: WaitingClient,
  ): QueryAnswer | Promise<QueryAnswer>;
}

export interface Handling {
  readonly app: {
    /** Answers a request of any route but the query endpoint. */
    fetch(request: Request, env: ServiceEnv['Bindings']): Promise<Response>;
    readonly query: QueryRoute;
    /** The answer for an error. An error of the service itself is also reported to the operator. */
    refusal(error: unknown, seen: RequestNotes): Refusal;
  };
  readonly settings: Settings;
  readonly clients: ClientReader;
  readonly connections: Connections;
  /** Called for each request once it is answered, or its connection lost. */
  readonly onEnd: (line: RequestLine) => void;
}

/** Answers requests to the query endpoint that node:http has read. @param pages As of {@link pageOrigins}. */
export function answerQueries(
  { app, settings, connections }: Handling,
  pages: PageOrigins | undefined,
): (env: ServiceEnv['Bindings']) => Promise<void> {
  const route = app.query;
  const limits = { maxBytes: settings.maxBodyBytes, timeMs: settings.bodySeconds * 1000 };
  return async ({ incoming, outgoing, seen }) => {
    const { headers, method } = incoming;
    if (pages && method === 'OPTIONS' && headers['access-control-request-method'] !== undefined) {
      const preflight = pages.preflight(headers.origin);
      await connections.held;
      return void outgoing.writeHead(204, { ...seen.told, ...preflight }).end();
    }
    if (method !== 'POST') throw new ProblemError(405, 'Queries are sent by POST.', { headers: { Allow: 'POST' } });
    await route.admit(headers, seen);
    const body = await readBody(incoming, limits);
    const answer = await route.answer(body, headers, seen, waitingFor(outgoing));
    await connections.held;
    outgoing.writeHead(answer.status, { ...seen.told, ...answer.headers });
    if (answer.bytes) outgoing.end(answer.bytes, answer.sent);
    else outgoing.end();
  };
}

/** The origins whose pages may send queries; undefined if none may. */
export function pageOrigins({ corsOrigins }: Settings): PageOrigins | undefined {
  return corsOrigins === undefined ? undefined : new PageOrigins(corsOrigins);
}

/** Watches whether the client of a slow answer still waits for it. */
function waitingFor(outgoing: ServerResponse): WaitingClient {
  return { isWanted: () => !outgoing.destroyed, onGone: (tell) => void outgoing.once('close', tell) };
}
