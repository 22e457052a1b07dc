import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ProblemError, problemResponse } from '../problems.js';
import type { Connections } from './connections.js';
import { refuseConnection } from './refuse-connection.js';
import { onceAnswered, type RequestLine } from './request-line.js';
import { seenOf } from './seen.js';
import type { ServiceEnv } from './service-env.js';

/** Who handles the requests of a server, and who is told of them. */
export interface Handling {
  readonly fetch: (request: Request, env: ServiceEnv['Bindings']) => Promise<Response>;
  readonly connections: Connections;
  /** Told of each request once it is answered, or its connection lost. */
  readonly onEnd: (line: RequestLine) => void;
}

/** Hands a server's requests on, each with its id, and answers what is no request itself. */
export function handleRequests(server: Server, { fetch, connections, onEnd }: Handling): void {
  // Both callbacks run within the call that hands over a request, before anything else can come in between.
  let handed: ServiceEnv['Bindings'] | undefined;
  const listener = getRequestListener((request) => (handed ? fetch(request, handed) : undefined), {
    hostname: 'localhost',
    errorHandler: () =>
      problemResponse(new ProblemError(400, 'The path or the Host header is malformed.'), handed?.seen.id ?? ''),
  });
  server.on('request', (incoming, outgoing) => {
    const seen = seenOf(incoming);
    outgoing.setHeader('X-Request-Id', seen.id);
    connections.onRequest(incoming, outgoing);
    onceAnswered({ seen, socket: incoming.socket, outgoing }, onEnd);
    handed = { incoming, outgoing, seen };
    void listener(incoming, outgoing);
  });
  server.on('clientError', (error: Error, socket: Socket) => {
    const line = refuseConnection(error, socket, connections.isAnswering(socket));
    if (line) onEnd(line);
  });
}
