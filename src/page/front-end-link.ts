import type { WebSocket } from 'ws';
import { type GapWriter, KeptMessages } from './kept-messages.js';
import { encodePacket, type Packet } from './socket-codec.js';

/** How long after a message the front end is asked whether it has come. */
const ASK_AFTER_MS = 50;
/** How often a silent connection is tried, which also keeps it open where something between forgets silent ones. */
const TRY_EVERY_MS = 30_000;
/** A connection on which nothing has answered for so long leads nowhere. The kernel lives on. */
const LOST_AFTER_MS = 300_000;

/** How long a front end may take to agree to the end of its connection. */
const CLOSING_MS = 1000;

/** What a front end's link reports. */
export interface LinkListener {
  /** Some of what was sent has left. */
  onSent(): void;
  /** The connection has ended. */
  onGone(): void;
}

/**
 * One front end of a kernel, from its first connection on. What it has not got when its connection ends is kept, and
 * sent first when it connects again. Whether messages have come is told by the pongs to pings that are sent behind them.
 */
export class FrontEndLink {
  readonly id: string;
  readonly #listener: LinkListener;
  readonly #kept = new KeptMessages();
  #socket: WebSocket | undefined;
  #isPlain = false;
  /** What was sent and is not known to have come. */
  #unconfirmed: Packet[] = [];
  /** How many messages were confirmed on this connection, and how many the ping under way stands behind. */
  #confirmed = 0;
  #asked: { count: number; sinceMs: number } | undefined;
  #asking: NodeJS.Timeout | undefined;
  #trying: NodeJS.Timeout | undefined;
  /** Whether the front end has closed its last connection itself. */
  isLeft = false;

  /** @param id By which the front end is known when it connects again. */
  constructor(id: string, listener: LinkListener) {
    this.id = id;
    this.#listener = listener;
  }

  get isConnected(): boolean {
    return this.#socket !== undefined;
  }

  /** Bytes that the front end has not read yet. */
  get unreadBytes(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  /** About how much memory that takes which is kept for its next connection. */
  get keptBytes(): number {
    return this.#kept.bytes;
  }

  /** Takes a new connection in place of the one before, and sends what the front end has not got. */
  connect(socket: WebSocket, isPlain: boolean, write: GapWriter): void {
    this.disconnect();
    this.#socket = socket;
    this.#isPlain = isPlain;
    this.isLeft = false;
    socket.on('pong', (data) => this.#confirm(Number(data.toString())));
    socket.on('error', () => {});
    socket.once('close', (code) => {
      if (this.#socket !== socket) return;
      this.isLeft = LEAVING.includes(code);
      // Who closes a connection has read what it wanted.
      if (this.isLeft) this.forget();
      this.#forgetSocket();
      this.#listener.onGone();
    });
    this.#trying = setInterval(() => this.#try(), TRY_EVERY_MS).unref();
    for (const packet of this.#kept.take(write)) this.send(packet);
  }

  /** Sends a message, or keeps it until the front end connects. */
  send(packet: Packet): void {
    const socket = this.#socket;
    if (!socket) {
      this.#kept.push(packet);
      return;
    }
    this.#unconfirmed.push(packet);
    if (socket.readyState !== OPEN) return;
    socket.send(encodePacket(packet, this.#isPlain), () => this.#listener.onSent());
    this.#asking ??= setTimeout(() => this.#ask(), ASK_AFTER_MS).unref();
  }

  /** Forgets what the front end may not have got: it concerns a kernel that is no more. */
  forget(): void {
    this.#confirmed += this.#unconfirmed.length;
    this.#unconfirmed = [];
  }

  /** Ends the connection without a word to the listener. */
  disconnect(code = 1012, reason = ''): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#forgetSocket();
    socket.close(code, reason);
    // One that does not read does not answer either.
    setTimeout(() => socket.terminate(), CLOSING_MS);
  }

  #forgetSocket(): void {
    this.#socket = undefined;
    this.#asked = undefined;
    clearTimeout(this.#asking);
    clearInterval(this.#trying);
    this.#asking = undefined;
    this.#confirmed = 0;
    for (const packet of this.#unconfirmed) this.#kept.push(packet);
    this.#unconfirmed = [];
  }

  #ask(): void {
    this.#asking = undefined;
    if (this.#asked || this.#socket?.readyState !== OPEN) return;
    this.#asked = { count: this.#confirmed + this.#unconfirmed.length, sinceMs: performance.now() };
    this.#socket.ping(String(this.#asked.count));
  }

  #confirm(count: number): void {
    if (count !== this.#asked?.count) return;
    this.#asked = undefined;
    const confirmed = Math.max(0, count - this.#confirmed);
    this.#confirmed += confirmed;
    this.#unconfirmed.splice(0, confirmed);
    if (this.#unconfirmed.length > 0) this.#asking ??= setTimeout(() => this.#ask(), ASK_AFTER_MS).unref();
  }

  #try(): void {
    if (!this.#asked) this.#ask();
    else if (performance.now() - this.#asked.sinceMs > LOST_AFTER_MS) this.#socket?.terminate();
  }
}

const OPEN = 1;
/** The codes with which a front end ends a connection on purpose: done, leaving the page, none given. */
const LEAVING: readonly number[] = [1000, 1001, 1005];
