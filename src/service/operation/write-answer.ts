import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** Answers of up to this many bytes are copied behind their head instead of sent as a piece of their own. */
const MOST_JOINED_BYTES = 4096;

let second = 0;
let date = '';

/**
 * Makes a status line and headers.
 *
 * @param idleSeconds How long the connection is kept; undefined closes it.
 */
export function headOf(
  status: number,
  told: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string | number>>,
  idleSeconds: number | undefined,
): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) date = new Date(now * 1000).toUTCString();
  second = now;
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (const name in told) text += `${name}: ${told[name]}\r\n`;
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  const kept = idleSeconds === undefined ? 'close' : `keep-alive\r\nKeep-Alive: timeout=${Math.floor(idleSeconds)}`;
  return `${text}Date: ${date}\r\nConnection: ${kept}\r\n\r\n`;
}

/** Writes an answer to a connection. @param written Called once all of it is passed on, or the connection is lost. */
export function writeAnswer(socket: Socket, head: string, bytes: Uint8Array | undefined, written: () => void): void {
  if (!bytes || bytes.length <= MOST_JOINED_BYTES) {
    // Copied into a latin1 string, it goes out in one piece with its head.
    socket.write(bytes ? head + latin1Of(bytes) : head, 'latin1', written);
    return;
  }
  socket.cork();
  socket.write(head, 'latin1');
  socket.write(bytes, written);
  socket.uncork();
}

function latin1Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}
