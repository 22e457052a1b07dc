import type { IncomingMessage } from 'node:http';
import { jsonFault } from '../settings/strict-json.js';
import { ProblemError } from './problems.js';

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
      resolve(Buffer.concat(pieces));
    };
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

/**
 * Reads a request's body as JSON, more strictly than `JSON.parse`: what two parsers could understand differently is
 * refused. A byte order mark before the text is skipped.
 *
 * @returns The value; members called `__proto__` are plain members.
 * @throws {ProblemError} 400 if the bytes are empty, not UTF-8 or not JSON; with a pointer, if an object names a member
 *   twice, if values are nested more than 16 deep, or an object has more members or longer names than a request may.
 * @example parseJsonBody(Buffer.from('{"agent_id":574}')); // { agent_id: 574 }
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = decode(bytes);
  if (text.trim() === '') throw new ProblemError(400, 'The body is empty: send a request as a JSON object.');
  const value = parse(text);
  // After parsing, as it relies on valid JSON.
  const fault = jsonFault(text);
  if (fault) throw new ProblemError(400, 'The body is JSON that is not taken as a request.', { errors: [fault] });
  return value;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw new ProblemError(400, 'The body is not UTF-8: send JSON encoded in UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProblemError(400, `The body is not JSON: ${(cause as Error).message}.`);
  }
}
