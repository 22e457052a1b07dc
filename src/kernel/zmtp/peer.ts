import type { Socket } from 'node:net';
import { encodeCommand } from './encode-messages.js';
import { GREETING_BYTES, greetingFault, identityIn, opening, readCommand, type SocketType } from './handshake.js';
import { MessageReader, type MessageTaker } from './message-reader.js';

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
