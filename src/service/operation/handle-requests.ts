import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { systemErrorCode } from '../../base/whole-file.js';
import { QUERY_PATH, SHORT_QUERY_PATH } from '../../contract/envelope.js';
import { ProblemError, type Refusal, responseOf } from '../problems.js';
import { answerQueries, type QueryRoute } from '../query/query-route.js';
import type { Connections } from './connections.js';
import { isOwnHost } from './own-host.js';
import { PLAIN_HOST } from './plain-head.js';
import { takePlainRequests } from './plain-requests.js';
import { refuseConnection } from './refuse-connection.js';
import { onceAnswered, type RequestLine } from './request-line.js';
import { type Seen, seenOf } from './seen.js';
import type { ServiceEnv } from './service-env.js';
import type { Settings } from './settings/settings.js';

type Env = ServiceEnv['Bindings'];

/** What handles the requests of a server. */
export interface Handling {
  readonly app: {
    /** Answers a request of any route but the query endpoint. */
    fetch(request: Request, env: Env): Promise<Response>;
    /** The query endpoint. */
    query: QueryRoute;
    /** The answer for an error. */
    refusal(error: unknown, seen: Seen): Refusal;
  };
  readonly settings: Settings;
  readonly connections: Connections;
  /** Called for each request once it is answered, or its connection lost. */
  readonly onEnd: (line: RequestLine) => void;
}

/** Answers a request; it is undefined if its URL is malformed. Refusals do not look at it. */
type Answer = (request: Request | undefined) => Response | Promise<Response>;

/** A `Host` header that is not {@link PLAIN_HOST}, but may be sound: a name or an IPv6 address, and a port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

const MALFORMED = 'The path or the Host header is malformed, or there are two Host headers.';

const FOREIGN_HOST =
  'A service without keys answers for names of its own machine alone, and the Host header says another: ask it by ' +
  'localhost or 127.0.0.1. Where a proxy stands before it, set the base URL to the address that clients ask by.';

/**
 * Hands a server's requests on, each with its id, and answers by itself what is not a valid request. Queries, which are
 * most requests, bypass the router and its Request and Response, which cost more than a query; only their refusals are
 * sent as a Response.
 */
export function handleRequests(server: Server, { app, settings, connections, onEnd }: Handling): void {
  const query = answerQueries(app.query, settings);
  // The answer to the request that the listener is just given: the listener calls it at once, before another request
  // can come. It must not reject: the listener would then call it once more, when it may be another request's.
  let handed: Answer | undefined;
  let loading: ReturnType<typeof openListener> | undefined;
  const load = () => {
    loading ??= openListener((request) => handed?.(request));
    return loading;
  };
  setTimeout(load, SOON_MS).unref();
  const listen = async ({ incoming, outgoing, seen }: Env, answer: Answer) => {
    for (const [name, value] of Object.entries(seen.told)) outgoing.setHeader(name, value);
    const listener = await load();
    handed = answer;
    await listener(incoming, outgoing);
  };
  const malformed = (seen: Seen) => responseOf(app.refusal(new ProblemError(400, MALFORMED), seen));
  const fetched = (request: Request, env: Env) =>
    app.fetch(request, env).catch((error) => responseOf(app.refusal(error, env.seen)));
  const take = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    refused = faultOf(incoming, settings),
    begin = (answer: () => void) => answer(),
  ) => {
    const seen = seenOf(incoming);
    connections.onRequest(incoming, outgoing);
    onceAnswered({ seen, socket: incoming.socket, outgoing }, onEnd);
    const env = { incoming, outgoing, seen };
    const refuse = (error: unknown) => {
      try {
        const refusal = app.refusal(error, seen);
        void listen(env, () => responseOf(refusal));
      } catch {
        outgoing.destroy();
      }
    };
    begin(() => {
      if (refused) return refuse(refused);
      if (seen.route === QUERY_PATH || seen.route === SHORT_QUERY_PATH) {
        query(env).catch(refuse);
      } else void listen(env, (request) => (request ? fetched(request, env) : malformed(seen)));
    });
  };
  server.on('request', (incoming, outgoing) => take(incoming, outgoing));
  server.on('checkContinue', (incoming, outgoing) => {
    take(incoming, outgoing, undefined, (answer) => {
      const begin = () => {
        // The body is asked for once something reads it: not if the head is refused, nor after an answer. If there is no
        // body, nothing reads it, and Node would close the connection.
        if (hasBody(incoming)) {
          incoming.once('resume', () => {
            if (!outgoing.headersSent) outgoing.writeContinue();
          });
        } else outgoing.writeContinue();
        answer();
      };
      // Before the answers ahead of it are written, Node would write `100 Continue` into this request's own answer.
      if (outgoing.socket) begin();
      else outgoing.once('socket', begin);
    });
  });
  server.on('checkExpectation', (incoming, outgoing) => {
    take(incoming, outgoing, new ProblemError(417, 'This service meets no expectation but "Expect: 100-continue".'));
  });
  const refuse = (code: string, socket: Socket) => {
    // Neither what the client still sends nor answers that it does not read may hold the connection open.
    const timer = setTimeout(() => socket.destroy(), server.timeout).unref();
    socket.once('close', () => clearTimeout(timer));
    connections.afterAnswers(socket, (isAnswered) => {
      const line = refuseConnection(code, socket, isAnswered);
      if (line) onEnd(line);
    });
  };
  const plain = { query: app.query, refusal: app.refusal, settings, connections, onEnd, refuse };
  takePlainRequests(server, plain);
  server.on('clientError', (error: Error, socket: Socket) => refuse(systemErrorCode(error) ?? '', socket));
  server.on('timeout', (socket) => {
    if (connections.isWorkedFor(socket)) socket.setTimeout(server.timeout);
    else socket.destroy();
  });
  server.on('connect', (_, socket) => {
    // Node has let go of this socket, so errors must be caught here; it is read so that its end is noticed.
    socket.on('error', () => {}).resume();
    refuse('CONNECT', socket as Socket);
  });
}

/** How long after the start the listener is loaded, if nothing has needed it yet; queries do not. */
const SOON_MS = 500;

/** Opens the router's listener, which loads the whole of Node's `fetch`: a tenth of the time of a start. */
async function openListener(answer: (...of: Parameters<Answer>) => ReturnType<Answer> | undefined) {
  const { getRequestListener } = await import('@hono/node-server');
  return getRequestListener(answer, { hostname: 'localhost', errorHandler: () => answer(undefined) });
}

/** Closes the connection, since what follows on it might be misread. */
const LAST = { headers: { Connection: 'close' } };

/** What is wrong with a request that Node has accepted. */
function faultOf(incoming: IncomingMessage, settings: Settings): ProblemError | undefined {
  const { httpVersionMajor, headers } = incoming;
  if (httpVersionMajor !== 1) return new ProblemError(505, 'This service speaks HTTP/1.1.', LAST);
  const coding = headers['transfer-encoding'] ?? 'chunked';
  if (/^chunked$/i.test(coding)) return hostFault(incoming, settings);
  return new ProblemError(
    501,
    `A body may be sent chunked, and not otherwise; got Transfer-Encoding: ${coding}.`,
    LAST,
  );
}

/** What is wrong with a request's Host header; HTTP/1.0 does not need one. */
function hostFault(incoming: IncomingMessage, settings: Settings): ProblemError | undefined {
  const { headers, rawHeaders, httpVersionMinor } = incoming;
  const { host } = headers;
  if (host === undefined) {
    if (httpVersionMinor < 1) return undefined;
    return new ProblemError(400, 'A request in HTTP/1.1 must have a Host header.');
  }
  const isSound = PLAIN_HOST.test(host) || host === '' || (HOST.test(host) && URL.canParse(`http://${host}`));
  if (!isSound || !hasOneHost(rawHeaders)) return new ProblemError(400, MALFORMED);
  return isOwnHost(host, settings) ? undefined : new ProblemError(400, FOREIGN_HOST);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether there is exactly one Host header; Node's `headers` show only the first of several. */
function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 'host'.length && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1;
}
