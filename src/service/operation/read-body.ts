import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../problems.js';

/** What follows is not waited for, so the connection can carry no further request. */
const LAST = { headers: { Connection: 'close' } };

const LOST = 'The connection was lost within the body.';

/**
 * Reads the body of a request.
 *
 * @param limits The most bytes it may have, and the milliseconds that it may take to come.
 * @throws {ProblemError} 413 or 408 beyond these, the rest of the body unread. 400 where the client broke off.
 */
export function readBody(incoming: IncomingMessage, limits: { maxBytes: number; timeMs: number }): Promise<Buffer> {
  const { maxBytes, timeMs } = limits;
  // Its connection stays: closed on a client that still sends, it would take the answer with it.
  const tooLarge = () => new ProblemError(413, `The body has more than ${maxBytes} bytes.`);
  if (Number(incoming.headers['content-length']) > maxBytes) return Promise.reject(tooLarge());
  // Lost before it was asked for: it tells of its end to nobody any more.
  if (incoming.destroyed) return Promise.reject(new ProblemError(400, LOST, LAST));
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    let isOver = false;
    const refuse = (problem: ProblemError) => {
      end();
      incoming.off('data', onData);
      // Otherwise what is still on its way would be taken into memory.
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
    // Every request closes at last, most of them whole: to make an error of each would cost a part of a query.
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
