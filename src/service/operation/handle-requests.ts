import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { QUERY_PATH, SHORT_QUERY_PATH } from '../../contract/envelope.js';
import { codeOf } from '../../whole-file.js';
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

/** Who handles the requests of a server, and who is told of them. */
export interface Handling {
  readonly app: {
    /** Answers a request of any route but the query endpoint. */
    fetch(request: Request, env: Env): Promise<Response>;
    /** The query endpoint. */
    query: QueryRoute;
    /** The answer that tells of an error. */
    refusal(error: unknown, seen: Seen): Refusal;
  };
  readonly settings: Settings;
  readonly connections: Connections;
  /** Told of each request once it is answered, or its connection lost. */
  readonly onEnd: (line: RequestLine) => void;
}

/** Answers a request; undefined is one whose address is none, which refusals need not know. */
type Answer = (request: Request | undefined) => Response | Promise<Response>;

/** What any other may be: letters of a name or an IPv6 address, and a port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

const MALFORMED = 'The path or the Host header is malformed, or there are two Host headers.';

const FOREIGN_HOST =
  'A service without keys answers for names of its own machine alone, and the Host header says another: ask it by ' +
  'localhost or 127.0.0.1. Where a proxy stands before it, set the base URL to the address that clients ask by.';

/**
 * Hands a server's requests on, each with its id, and answers what is no request itself. Queries, which are most of
 * them, go past the router and its Request and Response, which cost more than a query; only their refusals do not.
 */
export function handleRequests(server: Server, { app, settings, connections, onEnd }: Handling): void {
  const query = answerQueries(app.query, settings);
  // It is called within the call that hands over a request, before anything else can come in between; the listener
  // would call it again where an answer rejects, when it may be another's.
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
        // The body is asked for by whoever reads it: not where its head is refused, nor behind an answer. Where there is
        // none, nobody does, and Node would close the connection.
        if (hasBody(incoming)) {
          incoming.once('resume', () => {
            if (!outgoing.headersSent) outgoing.writeContinue();
          });
        } else outgoing.writeContinue();
        answer();
      };
      // Behind answers that are owed, Node would write the word to go on between the head and the body of its own.
      if (outgoing.socket) begin();
      else outgoing.once('socket', begin);
    });
  });
  server.on('checkExpectation', (incoming, outgoing) => {
    take(incoming, outgoing, new ProblemError(417, 'This service meets no expectation but "Expect: 100-continue".'));
  });
  const refuse = (code: string, socket: Socket) => {
    // What it sends must not hold it open, nor what it does not take of its answers.
    const timer = setTimeout(() => socket.destroy(), server.timeout).unref();
    socket.once('close', () => clearTimeout(timer));
    connections.afterAnswers(socket, (isAnswered) => {
      const line = refuseConnection(code, socket, isAnswered);
      if (line) onEnd(line);
    });
  };
  const plain = { query: app.query, refusal: app.refusal, settings, connections, onEnd, refuse };
  takePlainRequests(server, plain);
  server.on('clientError', (error: Error, socket: Socket) => refuse(codeOf(error) ?? '', socket));
  server.on('timeout', (socket) => {
    if (connections.isWorkedFor(socket)) socket.setTimeout(server.timeout);
    else socket.destroy();
  });
  server.on('connect', (_, socket) => {
    // It is nobody's else any more, and may be lost just now; what it still brings tells of its end.
    socket.on('error', () => {}).resume();
    refuse('CONNECT', socket as Socket);
  });
}

/** How long after the start what no query needs is loaded, where nobody has needed it yet. */
const SOON_MS = 500;

/** It brings the whole of Node's `fetch` with it, which takes a tenth of a start. */
async function openListener(answer: (...of: Parameters<Answer>) => ReturnType<Answer> | undefined) {
  const { getRequestListener } = await import('@hono/node-server');
  return getRequestListener(answer, { hostname: 'localhost', errorHandler: () => answer(undefined) });
}

/** What its connection brings then may not mean what it seems to. */
const LAST = { headers: { Connection: 'close' } };

/** What is wrong with a request that Node takes. */
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

/** What is wrong with a request that does not say whom it asks; one in HTTP/1.0 need not. */
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

/** Node tells of the first alone where there are two. */
function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 'host'.length && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1;
}
