import type { Socket } from 'node:net';
import { encodeCommand, MessageReader, type MessageTaker } from './framing.js';

const HANDSHAKE_MS = 30_000;
/** A PING's body after its name: two bytes of time to live, then a context that the PONG repeats. */
const TTL_BYTES = 2;

/** Gets what a peer says. */
export interface PeerListener {
  /** The handshake is done. */
  onReady(peer: Peer): void;
  onMessage(peer: Peer, frames: Buffer[]): void;
  /** The connection was refused, for a reason that repeats nothing of what the peer sent. */
  onRefused(reason: string): void;
}

/** One connection, in ZMTP 3.0: https://rfc.zeromq.org/spec/23/. */
export class Peer implements MessageTaker {
  /** By which a peer wants to be known; empty if it does not say, and before it is ready. */
  identity: Buffer = Buffer.alloc(0);
  readonly #socket: Socket;
  readonly #listener: PeerListener;
  readonly #reader = new MessageReader(this);
  #greeting: Buffer | undefined = Buffer.alloc(0);
  #isReady = false;

  constructor(socket: Socket, type: SocketType, listener: PeerListener) {
    this.#socket = socket;
    this.#listener = listener;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    // What is under way to a peer that has gone is lost, as ZeroMQ has it; 'close' follows.
    socket.on('error', () => {});
    socket.setTimeout(HANDSHAKE_MS, () => this.#refuse('it did not introduce itself'));
    socket.write(opening(type));
  }

  /** Sends the bytes of whole messages. */
  send(bytes: Buffer): void {
    if (this.#isReady) this.#write(bytes);
  }

  /** Closes the connection; resolves once what was sent has left, or cannot. */
  async end(): Promise<void> {
    if (this.#socket.destroyed) return;
    await new Promise<void>((resolve) => {
      this.#socket.once('close', () => resolve());
      this.#socket.end(() => resolve());
    });
  }

  takeMessage(frames: Buffer[]): void {
    if (this.#isReady) this.#listener.onMessage(this, frames);
    else this.#refuse('it did not introduce itself');
  }

  takeCommand(body: Buffer): void {
    const { name, data } = readCommand(body);
    if (name === 'READY') this.#begin(data);
    else if (!this.#isReady) this.#refuse('it did not introduce itself');
    else if (name === 'PING') this.#write(encodeCommand('PONG', data.subarray(TTL_BYTES)));
  }

  #begin(ready: Buffer): void {
    if (this.#isReady || this.#socket.destroyed) return;
    this.#isReady = true;
    this.identity = identityIn(ready);
    this.#socket.setTimeout(0);
    this.#listener.onReady(this);
  }

  #read(chunk: Buffer): void {
    if (this.#socket.destroyed) return;
    const fault = this.#greeting ? this.#greet(Buffer.concat([this.#greeting, chunk])) : this.#reader.push(chunk);
    if (fault !== undefined) this.#refuse(fault);
  }

  #greet(bytes: Buffer): string | undefined {
    const isWhole = bytes.length >= GREETING_BYTES;
    this.#greeting = isWhole ? undefined : bytes;
    return greetingFault(bytes) ?? (isWhole ? this.#reader.push(bytes.subarray(GREETING_BYTES)) : undefined);
  }

  /** Writes unless the connection is ending: Node would drop it at once, with all that has not left yet. */
  #write(bytes: Buffer): void {
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  #refuse(reason: string): void {
    if (this.#socket.destroyed) return;
    this.#socket.destroy();
    this.#listener.onRefused(reason);
  }
}

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

/** What is wrong with the beginning of a peer's greeting, without repeating it; undefined while nothing is. */
function greetingFault(bytes: Buffer): string | undefined {
  const isForeign = (bytes.length > 0 && bytes[0] !== SIGNATURE[0]) || (bytes.length > 9 && bytes[9] !== SIGNATURE[9]);
  if (isForeign) return 'it does not speak ZeroMQ';
  if (bytes.length > MAJOR_AT && bytes.readUInt8(MAJOR_AT) < 3) return 'it speaks ZeroMQ of before version 4';
  if (bytes.length < MECHANISM_END) return undefined;
  const mechanism = bytes.toString('latin1', MECHANISM_AT, MECHANISM_END).replace(/\0+$/, '');
  return mechanism === 'NULL' ? undefined : 'it asks for encryption or a password';
}

/** Splits a command's body into its name and what follows. */
function readCommand(body: Buffer): { name: string; data: Buffer } {
  const end = body.length === 0 ? 1 : 1 + body.readUInt8(0);
  return { name: body.toString('latin1', 1, end), data: body.subarray(end) };
}

/** The identity that a peer's READY states; empty if it states none. */
function identityIn(ready: Buffer): Buffer {
  let at = 0;
  while (at < ready.length) {
    const nameEnd = at + 1 + ready.readUInt8(at);
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
