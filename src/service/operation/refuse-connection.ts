import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ProblemError, problemOf } from '../problems.js';
import type { RequestLine } from './request-line.js';
import { NO_ROUTE } from './seen.js';

const REASONS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  CONNECT: [501, 'This service is no proxy.'],
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
export function refuseConnection(code: string, socket: Socket, isAnswered: boolean): RequestLine | undefined {
  if (!socket.writable || isAnswered || code === 'ECONNRESET') {
    socket.destroySoon();
    return undefined;
  }
  const [status, detail] = REASONS[code] ?? [400, 'This is not a request in HTTP/1.1.'];
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
