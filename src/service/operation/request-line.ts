import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Seen } from './seen.js';

/** What is logged and counted of a request that has ended: no key, no filter's value, no body. */
export interface RequestLine {
  readonly id: string;
  readonly method: string;
  readonly route: string;
  /** Undefined where the request was no query, or none that could be read. */
  readonly dataset?: number | undefined;
  /** As it was sent; 499 where the client left before. */
  readonly status: number;
  /** From its headers to the last byte of its answer, in milliseconds. */
  readonly ms: number;
  /** Bytes that were sent, headers included. */
  readonly bytes: number;
  /** Id of the key; undefined where none was known. */
  readonly key?: string | undefined;
}

/** The status that is noted of a request whose client left before its answer. */
export const CLIENT_LEFT = 499;

/** How many bytes a connection had carried when the last answer began that had to wait for those before it. */
const begun = new WeakMap<Socket, number>();

/** Tells of a request once its answer is sent, or its connection lost. */
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

/** The line of a request that has ended just now. */
export function requestLine({ id, method, route, dataset, startedMs, keyId }: Seen, status: number, bytes: number) {
  const ms = Math.round((performance.now() - startedMs) * 100) / 100;
  return { id, method, route, dataset, status, ms, bytes, key: keyId } satisfies RequestLine;
}

/** Where an answer ended, in bytes of its connection: one that waited for it has begun before its end is told. */
function endOf(socket: Socket, before: number): number {
  const next = begun.get(socket);
  return next !== undefined && next > before ? next : socket.bytesWritten;
}
