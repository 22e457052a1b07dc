import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Seen } from './seen.js';

/** What is logged and counted of a request that has ended: no key, no filter's value, no body. */
export interface RequestLine {
  readonly id: string;
  readonly method: string;
  readonly route: string;
  readonly dataset?: number;
  /** As it was sent; 499 where the client left before. */
  readonly status: number;
  /** From its headers to the last byte of its answer, in milliseconds. */
  readonly ms: number;
  /** Bytes that were sent, headers included. */
  readonly bytes: number;
  /** Id of the key. */
  readonly key?: string;
}

/** The status that is noted of a request whose client left before its answer. */
const CLIENT_LEFT = 499;

/** Tells of a request once its answer is sent, or its connection lost. */
export function onceAnswered(
  { seen, socket, outgoing }: { seen: Seen; socket: Socket; outgoing: ServerResponse },
  tell: (line: RequestLine) => void,
): void {
  const before = socket.bytesWritten;
  outgoing.once('close', () => {
    tell({
      id: seen.id,
      method: seen.method,
      route: seen.route,
      ...(seen.dataset === undefined ? {} : { dataset: seen.dataset }),
      status: outgoing.writableFinished ? outgoing.statusCode : CLIENT_LEFT,
      ms: Math.round((performance.now() - seen.startedMs) * 100) / 100,
      bytes: socket.bytesWritten - before,
      ...(seen.keyId === undefined ? {} : { key: seen.keyId }),
    });
  });
}
