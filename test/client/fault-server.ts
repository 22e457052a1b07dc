import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Server as NetServer, createServer as netServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Answers a request, given its parsed body. */
export type Answer = (body: Asked, response: ServerResponse, request: IncomingMessage) => void;

/** The envelope of a received request. */
export interface Asked {
  agent_id: number;
  params: Record<string, string>;
  pagination: { limit: number; offset: number };
}

/** A server that is listening. */
export interface Listening {
  url: string;
  /** Every connection that was ever opened; closed ones are `destroyed`. */
  sockets: Socket[];
}

/** Starts a real server that answers as a test says; `asked` holds the requests so far. */
export async function faultServer(answer: Answer): Promise<Listening & { asked: Asked[]; server: Server }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const body = JSON.parse(text) as Asked;
    asked.push(body);
    answer(body, response, request);
  });
  return { ...(await listen(server)), asked, server };
}

/** Starts a real server below HTTP: the test reads each request's text and writes any bytes, or does worse. */
export async function rawServer(answer: (socket: Socket, request: string) => void): Promise<Listening> {
  return listen(
    netServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (request) => answer(socket, request.toString()));
    }),
  );
}

/**
 * Starts a real HTTP proxy that reaches one server, whatever host is asked for, by forwarding or by a tunnel. `asked`
 * holds the requests, such as `POST http://service.test/query`, and `credentials` their proxy credentials.
 */
export async function proxyServer(target: string): Promise<Listening & { asked: string[]; credentials: unknown[] }> {
  const asked: string[] = [];
  const credentials: unknown[] = [];
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    credentials.push(request.headers['proxy-authorization']);
    const { pathname, search } = new URL(request.url ?? '');
    const { method, headers } = request;
    const onward = httpRequest({ hostname, port, path: pathname + search, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const end of [socket, onward]) end.on('error', () => {});
  });
  return { ...(await listen(server)), asked, credentials };
}

async function listen(server: Server | NetServer): Promise<Listening> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

/** Sends a page as the specification describes it. */
export function sendPage(response: ServerResponse, results: object[], has_more: boolean, offset = 0): void {
  const pagination = { limit: results.length || 1, offset, has_more };
  send(response, 200, JSON.stringify({ timestamp: '', params: {}, pagination, data: { results } }));
}

/** Sends an answer of any kind. */
export function send(response: ServerResponse, status: number, text: string, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type, 'x-request-id': 'r-1' }).end(text);
}

/** Sends an answer with given headers. */
export function sendWith(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array = '',
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers }).end(body);
}
