import { randomUUID } from 'node:crypto';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { systemErrorCode } from '../../base/whole-file.js';
import { QUERY_PATH, SHORT_QUERY_PATH } from '../../contract/envelope.js';
import type { Settings } from '../settings/settings.js';
import { isOwnHost } from './hosts.js';
import { PLAIN_HOST } from './plain-messages.js';
import { takePlainRequests } from './plain-requests.js';
import { ProblemError, problemOf, responseOf } from './problems.js';
import { answerQueries, type Handling, pageOrigins } from './query-endpoint.js';
import {
  NO_ROUTE,
  notesOf,
  onceAnswered,
  type RequestLine,
  type RequestNotes,
  type ServiceEnv,
} from './request-record.js';
import { ignoreUpgrades } from './upgrades.js';

type Env = ServiceEnv['Bindings'];

/** Answers a request; it is undefined if its URL is malformed. Refusals do not look at it. */
type Answerer = (request: Request | undefined) => Response | Promise<Response>;

/** A `Host` header that is not {@link PLAIN_HOST}, but may be sound: a name or an IPv6 address, and a port. */
const SOUND_HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

const MALFORMED = 'The path or the Host header is malformed, or there are two Host headers.';

const FOREIGN_HOST =
  'A service without keys answers for names of its own machine alone, and the Host header says another: ask it by ' +
  'localhost or 127.0.0.1. Where a proxy stands before it, set the base URL to the address that clients ask by.';

/**
 * Hands a server's requests on, each with its id, and answers by itself what is not a valid request. Queries, which are
 * most requests, bypass the router and its Request and Response, which cost more than a query; only their refusals are
 * sent as a Response.
 */
export function handleRequests(server: Server, handling: Handling): void {
  const { app, settings, clients, connections, onEnd } = handling;
  const pages = pageOrigins(settings);
  const query = answerQueries(handling, pages);
  // The answer to the request that the listener is just given: the listener calls it at once, before another request
  // can come. It must not reject: the listener would then call it once more, when it may be another request's.
  let handed: Answerer | undefined;
  let loading: ReturnType<typeof openListener> | undefined;
  const load = () => {
    loading ??= openListener((request) => handed?.(request));
    return loading;
  };
  setTimeout(load, LISTENER_LOAD_MS).unref();
  const listen = async ({ incoming, outgoing, seen }: Env, answer: Answerer) => {
    for (const [name, value] of Object.entries(seen.told)) outgoing.setHeader(name, value);
    const listener = await load();
    handed = (request) => {
      const response = answer(request);
      // At once where it can be: meanwhile the body of a refused request might begin to be read.
      return response instanceof Promise || connections.held ? onceFree(response) : response;
    };
    await listener(incoming, outgoing);
  };
  const onceFree = async (response: Response | Promise<Response>) => {
    const made = await response;
    await connections.held;
    return made;
  };
  const malformed = (seen: RequestNotes) => responseOf(app.refusal(new ProblemError(400, MALFORMED), seen));
  const fetched = (request: Request, env: Env) =>
    app.fetch(request, env).catch((error) => responseOf(app.refusal(error, env.seen)));
  const take = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    refused = faultOf(incoming, settings),
    begin = (answer: () => void) => answer(),
  ) => {
    const forwarded = incoming.headers['x-forwarded-for'];
    const seen = notesOf(incoming, clients.addressOf(incoming.socket.remoteAddress, forwarded?.toString()));
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
      const isQuery = seen.route === QUERY_PATH || seen.route === SHORT_QUERY_PATH;
      if (isQuery) Object.assign(seen.told, pages?.headersFor(incoming.headers.origin));
      if (refused) return refuse(refused);
      if (isQuery) query(env).catch(refuse);
      else void listen(env, (request) => (request ? fetched(request, env) : malformed(seen)));
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
      if (line) onEnd({ ...line, client: clients.addressOf(socket.remoteAddress, undefined) });
    });
  };
  ignoreUpgrades(server, { connections, refuse, maxBodyBytes: settings.maxBodyBytes });
  if (settings.plainRequests) takePlainRequests(server, { ...handling, ...app, refuse });
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
const LISTENER_LOAD_MS = 500;

/** Opens the router's listener, which loads the whole of Node's `fetch`: a tenth of the time of a start. */
async function openListener(answer: (...of: Parameters<Answerer>) => ReturnType<Answerer> | undefined) {
  const { getRequestListener } = await import('@hono/node-server');
  return getRequestListener(answer, { hostname: 'localhost', errorHandler: () => answer(undefined) });
}

/** Closes the connection, since what follows on it might be misread. */
const CLOSE_AFTER = { headers: { Connection: 'close' } };

/** What is wrong with a request that Node has accepted. */
function faultOf(incoming: IncomingMessage, settings: Settings): ProblemError | undefined {
  const { httpVersionMajor, headers } = incoming;
  if (httpVersionMajor !== 1) return new ProblemError(505, 'This service speaks HTTP/1.1.', CLOSE_AFTER);
  const coding = headers['transfer-encoding'] ?? 'chunked';
  if (/^chunked$/i.test(coding)) return hostFault(incoming, settings);
  return new ProblemError(
    501,
    `A body may be sent chunked, and not otherwise; got Transfer-Encoding: ${coding}.`,
    CLOSE_AFTER,
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
  const isSound = PLAIN_HOST.test(host) || host === '' || (SOUND_HOST.test(host) && URL.canParse(`http://${host}`));
  // Node's `headers` show only the first of several; `headersDistinct` throws in some versions at a name like __proto__.
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  if (!isSound || hosts.length !== 1) return new ProblemError(400, MALFORMED);
  return isOwnHost(host, settings) ? undefined : new ProblemError(400, FOREIGN_HOST);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Requests that are too slow are looked for at least this often. */
const CHECK_MS = 1000;

/** Makes an HTTP server, not listening yet, that limits the time, idleness, header size and number of its clients. */
export function createServer(settings: Settings): Server {
  const headersTimeout = settings.headerSeconds * 1000;
  const server = createHttpServer({
    maxHeaderSize: settings.maxHeaderBytes,
    // A missing Host header is refused by a problem later; Node would refuse it without an explanation.
    requireHostHeader: false,
    headersTimeout,
    // Bodies of queries and forms have a limit of their own; this one is for all others.
    requestTimeout: headersTimeout + settings.bodySeconds * 1000 + CHECK_MS,
    keepAliveTimeout: settings.idleSeconds * 1000,
    connectionsCheckingInterval: Math.min(CHECK_MS, headersTimeout / 2),
    // Finds clients that are gone without closing, such as by a pulled cable, while nothing is sent.
    keepAlive: true,
    noDelay: true,
  });
  // A client that has ended its half may still read: the connection is closed once its last answer is sent.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.maxConnections = settings.maxConnections;
  server.timeout = settings.stallSeconds * 1000;
  return server;
}

const BROKEN_REQUESTS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  CONNECT: [501, 'This service is no proxy.'],
  BODY_OVERFLOW: [413, 'The body of the request is too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too large.'],
};

/**
 * Answers what cannot be handled as a request, such as headers that are too large or too slow, and ends its connection.
 * All earlier answers on it must have been sent.
 *
 * @param code The code of Node's error; `CONNECT` for a request for a tunnel.
 * @param isAnswered Whether the request in which the fault lies has its answer already.
 * @returns What is to be logged; undefined if no refusal was sent.
 */
function refuseConnection(code: string, socket: Socket, isAnswered: boolean): RequestLine | undefined {
  if (!socket.writable || isAnswered || code === 'ECONNRESET') {
    socket.destroySoon();
    return undefined;
  }
  const [status, detail] = BROKEN_REQUESTS[code] ?? [400, 'This is not a request in HTTP/1.1.'];
  const id = randomUUID();
  const body = JSON.stringify(problemOf(new ProblemError(status, detail), id));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
  ];
  const text = `${head.join('\r\n')}\r\n\r\n${body}`;
  // The client is cut off once this is sent, even if it keeps its half of the connection open.
  socket.end(text, () => socket.destroySoon());
  return { id, method: '', route: NO_ROUTE, status, ms: 0, bytes: Buffer.byteLength(text) };
}
