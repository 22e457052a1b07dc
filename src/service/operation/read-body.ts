import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../problems.js';

/** The rest of the body is not read, so the connection can carry no further request. */
const LAST = { headers: { Connection: 'close' } };

const LOST = 'The connection was lost within the body.';

/**
 * Reads the body of a request.
 *
 * @param limits The most bytes that it may have, and the milliseconds that it may take.
 * @throws {ProblemError} 413 or 408 beyond these; the rest of the body stays unread. 400 if the client broke off.
 */
export function readBody(incoming: IncomingMessage, limits: { maxBytes: number; timeMs: number }): Promise<Buffer> {
  const { maxBytes, timeMs } = limits;
  // The connection stays open: closing it while the client still sends could lose the answer.
  const tooLarge = () => new ProblemError(413, `The body has more than ${maxBytes} bytes.`);
  if (Number(incoming.headers['content-length']) > maxBytes) return Promise.reject(tooLarge());
  // Lost before this call: its events have been emitted already.
  if (incoming.destroyed) return Promise.reject(new ProblemError(400, LOST, LAST));
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    let isOver = false;
    const refuse = (problem: ProblemError) => {
      end();
      incoming.off('data', onData);
      // Otherwise the rest would be read into memory.
      incoming.pause();
      reject(problem);
    };
    const onData = (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > maxBytes) return refuse(tooLarge());
      pieces.push(piece);
    };
    const onEnd = () => {
      if (isOver) return;
      end();
      const [first] = pieces;
      resolve(pieces.length === 1 && first ? first : Buffer.concat(pieces));
    };
    // Every request closes in the end: making an error each time would cost a part of a query.
    const onClose = () => {
      if (!isOver) refuse(new ProblemError(400, LOST, LAST));
    };
    const end = () => {
      isOver = true;
      clearTimeout(late);
    };
    const late = setTimeout(
      () => refuse(new ProblemError(408, `The body did not come within ${timeMs / 1000} s.`, LAST)),
      timeMs,
    );
    incoming.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}
