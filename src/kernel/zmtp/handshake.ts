import { encodeCommand } from './encode-messages.js';

/** How many bytes each side of a connection sends first. */
export const GREETING_BYTES = 64;

/** The sockets of ZeroMQ that a kernel has. */
export type SocketType = 'ROUTER' | 'PUB';

const SIGNATURE = { 0: 0xff, 9: 0x7f };
const MAJOR_AT = 10;
const MECHANISM_AT = 12;
const MECHANISM_END = 32;

/**
 * What one side sends first: a greeting of ZMTP 3.0 without encryption, then what kind of socket it is. It need not wait
 * for the other side's.
 */
export function opening(type: SocketType): Buffer {
  const greeting = Buffer.alloc(GREETING_BYTES);
  greeting[0] = SIGNATURE[0];
  greeting[9] = SIGNATURE[9];
  greeting[MAJOR_AT] = 3;
  greeting.write('NULL', MECHANISM_AT);
  return Buffer.concat([greeting, encodeCommand('READY', property('Socket-Type', type))]);
}

/**
 * What is wrong with the beginning of a peer's greeting, in words that repeat nothing of it; undefined while nothing is.
 */
export function greetingFault(bytes: Buffer): string | undefined {
  const isForeign = (bytes.length > 0 && bytes[0] !== SIGNATURE[0]) || (bytes.length > 9 && bytes[9] !== SIGNATURE[9]);
  if (isForeign) return 'it does not speak ZeroMQ';
  if (bytes.length > MAJOR_AT && (bytes[MAJOR_AT] ?? 0) < 3) return 'it speaks ZeroMQ of before version 4';
  if (bytes.length < MECHANISM_END) return undefined;
  const mechanism = bytes.toString('latin1', MECHANISM_AT, MECHANISM_END).replace(/\0+$/, '');
  return mechanism === 'NULL' ? undefined : 'it asks for encryption or a password';
}

/** Splits a command's body into its name and what follows. */
export function readCommand(body: Buffer): { name: string; data: Buffer } {
  const end = 1 + (body[0] ?? 0);
  return { name: body.toString('latin1', 1, end), data: body.subarray(end) };
}

/** The identity that a peer's READY states; empty if it states none. */
export function identityIn(ready: Buffer): Buffer {
  let at = 0;
  while (at < ready.length) {
    const nameEnd = at + 1 + (ready[at] ?? 0);
    if (nameEnd + 4 > ready.length) break;
    const end = nameEnd + 4 + ready.readUInt32BE(nameEnd);
    // A copy, which does not keep the chunk alive that it came in.
    const name = ready.toString('latin1', at + 1, nameEnd).toLowerCase();
    if (name === 'identity') return Buffer.from(ready.subarray(nameEnd + 4, end));
    at = end;
  }
  return Buffer.alloc(0);
}

function property(name: string, value: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(value.length);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), length, Buffer.from(value)]);
}
