import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { cutUnlessSoon } from './cut-unless-soon.js';

interface Connection {
  /** Answers of node:http that are still owed on it, oldest first. */
  readonly owed: Set<ServerResponse>;
  /** The last request that was answered before it had come whole. */
  early: IncomingMessage | undefined;
  /** Whether a query is under way on it that is none of node:http's. */
  isAsked: boolean;
  /** Whether its client has ended its half. */
  hasEnded: boolean;
  /** Whether it has brought what cannot be understood. */
  isBroken: boolean;
  /** When its last answer ended, or it was opened; of `performance.now()`. */
  idleSinceMs: number;
}

/** How long a connection must have been idle to be closed at the stop: within it, a request may be on its way. */
const LINGER_MS = 250;

const TICK_MS = 25;

/** The open connections of a server, so that it can stop without cutting off a request. */
export class Connections {
  readonly #server: Server;
  readonly #open = new Map<Socket, Connection>();
  #inFlight = 0;
  #isLast = false;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      const connection = opened();
      const { owed } = connection;
      this.#open.set(socket, connection);
      socket.once('end', () => {
        connection.hasEnded = true;
        leaveIfSlow(socket, owed);
      });
      socket.once('close', () => {
        this.#open.delete(socket);
        for (const outgoing of owed) if (!outgoing.socket) endWaiting(outgoing);
      });
    });
  }

  get count(): number {
    return this.#open.size;
  }

  /** Requests that have come and are not answered yet. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether each answer is the last on its connection. */
  get isLast(): boolean {
    return this.#isLast;
  }

  /** Notes a request that node:http has not read, on a connection without another one. */
  begin(socket: Socket): void {
    const connection = this.#open.get(socket);
    this.#inFlight++;
    if (connection) connection.isAsked = true;
  }

  /** Notes the end of a request that was told by {@link begin}. */
  end(socket: Socket): void {
    const connection = this.#open.get(socket);
    this.#inFlight--;
    if (!connection) return;
    connection.isAsked = false;
    connection.idleSinceMs = performance.now();
  }

  /** Notes a request that has come; told again by nobody, as its answer tells when it has ended. */
  onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    const connection = this.#open.get(socket);
    this.#inFlight++;
    connection?.owed.add(outgoing);
    if (connection?.hasEnded && connection.owed.size === 1) leaveIfSlow(socket, connection.owed);
    if (this.#isLast) outgoing.shouldKeepAlive = false;
    outgoing.once('close', () => {
      this.#inFlight--;
      if (!connection) return;
      connection.owed.delete(outgoing);
      if (!incoming.complete) connection.early = incoming;
      connection.idleSinceMs = performance.now();
      if (connection.hasEnded) leaveIfSlow(socket, connection.owed);
    });
  }

  /**
   * Notes that nothing more can be understood of what comes on a connection, and waits for the answers to the requests
   * before that.
   *
   * @param tell Called then, and once for a connection: whether the request within which it broke off was answered.
   */
  afterAnswers(socket: Socket, tell: (isAnswered: boolean) => void): void {
    const connection = this.#open.get(socket);
    if (!connection) return void tell(false);
    if (connection.isBroken) return;
    connection.isBroken = true;
    afterAll(connection, tell);
  }

  /** Whether nothing can move on a connection, as the answer that it is owed is not there yet. */
  isWorkedFor(socket: Socket): boolean {
    return socket.writableLength === 0 && (this.#open.get(socket)?.owed.size ?? 0) > 0;
  }

  /** From now on each answer is the last on its connection. */
  makeLast(): void {
    this.#isLast = true;
    for (const { owed } of this.#open.values()) for (const outgoing of owed) outgoing.shouldKeepAlive = false;
  }

  /**
   * Takes no new connection, and closes each as it has nothing under way any more. Settles once all of them have closed.
   *
   * @param timeMs After it, what is still under way is cut off.
   */
  async drain(timeMs: number): Promise<void> {
    this.makeLast();
    // Right after a round of accepting: the system resets what it has connected and nobody has accepted yet.
    await setImmediate();
    // Not the close() of HTTP, which would at once close connections on which a request is just coming.
    const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(this.#server, () => resolve()));
    const deadline = performance.now() + timeMs;
    const closing = setInterval(() => this.#closeIdle(deadline), TICK_MS);
    this.#closeIdle(deadline);
    await closed;
    clearInterval(closing);
    // A server closes before its last connections tell of their end, and of the requests that are lost with them.
    while (this.#open.size > 0) await setImmediate();
  }

  #closeIdle(deadline: number): void {
    const nowMs = performance.now();
    for (const [socket, { owed, isAsked, idleSinceMs }] of this.#open) {
      if (nowMs >= deadline || (owed.size === 0 && !isAsked && nowMs - idleSinceMs >= LINGER_MS)) socket.destroy();
    }
  }
}

function opened(): Connection {
  const idleSinceMs = performance.now();
  return { owed: new Set(), early: undefined, isAsked: false, hasEnded: false, isBroken: false, idleSinceMs };
}

/** Tells of the loss of an answer that waited for those before it on its connection: Node tells of the first alone. */
function endWaiting(outgoing: ServerResponse): void {
  outgoing.destroy();
  outgoing.emit('close');
}

/** The oldest answer that is owed must begin soon, as those behind it wait for it. */
function leaveIfSlow(socket: Socket, [oldest]: Iterable<ServerResponse>): void {
  if (oldest) cutUnlessSoon(socket, () => oldest.headersSent || oldest.closed);
}

/** One that has not come whole is answered by nobody but who has begun to. */
function afterAll(connection: Connection, tell: (isAnswered: boolean) => void): void {
  for (const outgoing of connection.owed) {
    if (!outgoing.req.complete && !outgoing.headersSent) continue;
    outgoing.once('close', () => afterAll(connection, tell));
    return;
  }
  tell(connection.early?.complete === false);
}
