import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Seen } from './seen.js';

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
}

/** The status that is logged for a request whose client left before its answer. */
export const CLIENT_LEFT = 499;

/** Of each connection, the bytes it had carried when the latest answer began that had waited for earlier ones. */
const begun = new WeakMap<Socket, number>();

/** Reports a request once its answer is sent, or its connection lost. */
export function onceAnswered(
  { seen, socket, outgoing }: { seen: Seen; socket: Socket; outgoing: ServerResponse },
  tell: (line: RequestLine) => void,
): void {
  let before: number | undefined;
  if (outgoing.socket) before = socket.bytesWritten;
  else {
    outgoing.once('socket', () => {
      before = socket.bytesWritten;
      begun.set(socket, before);
    });
  }
  outgoing.once('close', () => {
    const status = outgoing.writableFinished ? outgoing.statusCode : CLIENT_LEFT;
    tell(requestLine(seen, status, before === undefined ? 0 : endOf(socket, before) - before));
  });
}

/** The line for a request that has just ended. */
export function requestLine({ id, method, route, dataset, startedMs, keyId }: Seen, status: number, bytes: number) {
  const ms = Math.round((performance.now() - startedMs) * 100) / 100;
  return { id, method, route, dataset, status, ms, bytes, key: keyId } satisfies RequestLine;
}

/** The byte of its connection at which an answer ended. One that waited for it begins before its 'close' is emitted. */
function endOf(socket: Socket, before: number): number {
  const next = begun.get(socket);
  return next !== undefined && next > before ? next : socket.bytesWritten;
}
