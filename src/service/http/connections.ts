import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

class Connection {
  /** Answers of node:http that have not ended yet, oldest first. */
  readonly owed = new Set<ServerResponse>();
  /** The last request that was answered before all of it had come. */
  early: IncomingMessage | undefined;
  /** Whether a query that bypasses node:http is under way. */
  isAsked = false;
  /** Whether the client has ended its half of the connection. */
  hasEnded = false;
  /** Whether something has come that cannot be understood. */
  isBroken = false;
  /** When its last answer ended, or it was opened, by `performance.now()`. */
  idleSinceMs = performance.now();
}

/** How long a connection must be idle before a stopping service closes it: until then, a request may be on its way. */
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
      const connection = new Connection();
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

  /** The number of requests that have come and are not answered yet. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether each answer is the last on its connection. */
  get isLast(): boolean {
    return this.#isLast;
  }

  /** Notes a request that bypasses node:http, on a connection that has no other request. */
  begin(socket: Socket): void {
    const connection = this.#open.get(socket);
    this.#inFlight++;
    if (connection) connection.isAsked = true;
  }

  /** Notes the end of a request that {@link begin} has noted. */
  end(socket: Socket): void {
    const connection = this.#open.get(socket);
    this.#inFlight--;
    if (!connection) return;
    connection.isAsked = false;
    connection.idleSinceMs = performance.now();
  }

  /** Notes a request of node:http, and its end when its answer closes. */
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
   * Notes that nothing more that comes on a connection can be understood.
   *
   * @param tell Called once for each connection, after the answers before, with whether the faulty request has its own.
   */
  afterAnswers(socket: Socket, tell: (isAnswered: boolean) => void): void {
    const connection = this.#open.get(socket);
    if (!connection) return void tell(false);
    if (connection.isBroken) return;
    connection.isBroken = true;
    afterAll(connection, tell);
  }

  /** Whether nothing moves on a connection only because an answer is still being made. */
  isWorkedFor(socket: Socket): boolean {
    return socket.writableLength === 0 && (this.#open.get(socket)?.owed.size ?? 0) > 0;
  }

  /** Makes each answer from now on the last on its connection. */
  makeLast(): void {
    this.#isLast = true;
    for (const { owed } of this.#open.values()) for (const outgoing of owed) outgoing.shouldKeepAlive = false;
  }

  /**
   * Takes no new connections, and closes each one that has nothing under way. Settles once all are closed.
   *
   * @param timeMs Milliseconds after which all that is still under way is cut off.
   */
  async drain(timeMs: number): Promise<void> {
    this.makeLast();
    // Right after a round of accepting: closing resets connections that are established but not accepted yet.
    await nextTurn();
    // Not HTTP's own close(), which would at once close connections on which a request is just arriving.
    const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(this.#server, () => resolve()));
    const deadline = performance.now() + timeMs;
    // After what has come is read, as after a moment in which the process was held up.
    const closing = setInterval(() => setImmediate(() => this.#closeIdle(deadline)), TICK_MS);
    await closed;
    clearInterval(closing);
    // The server's close comes before the 'close' of its last connections, which also ends the requests lost with them.
    while (this.#open.size > 0) await nextTurn();
  }

  #closeIdle(deadline: number): void {
    const nowMs = performance.now();
    for (const [socket, { owed, isAsked, idleSinceMs }] of this.#open) {
      if (nowMs >= deadline || (owed.size === 0 && !isAsked && nowMs - idleSinceMs >= LINGER_MS)) socket.destroy();
    }
  }
}

/** Ends an answer that waited for earlier ones on a lost connection: Node emits 'close' only for the first of them. */
function endWaiting(outgoing: ServerResponse): void {
  outgoing.destroy();
  outgoing.emit('close');
}

function leaveIfSlow(socket: Socket, [oldest]: Iterable<ServerResponse>): void {
  if (oldest) cutUnlessSoon(socket, () => oldest.headersSent || oldest.closed);
}

/** Waits for all answers that can still come: one whose request has not come whole can only if it has begun. */
function afterAll(connection: Connection, tell: (isAnswered: boolean) => void): void {
  for (const outgoing of connection.owed) {
    if (!outgoing.req.complete && !outgoing.headersSent) continue;
    outgoing.once('close', () => afterAll(connection, tell));
    return;
  }
  tell(connection.early?.complete === false);
}

/** How long an answer may take once its client has ended its half of the connection: most such clients have gone. */
const LEFT_MS = 3000;

/** Cuts a connection whose client has ended its half, unless its answer begins soon: it may have gone, or listen. */
export function cutUnlessSoon(socket: Socket, hasBegun: () => boolean): void {
  const late = () => {
    if (!hasBegun()) socket.destroy();
  };
  // After other events that are due already, such as a finished read from disk.
  setTimeout(() => setImmediate(late), LEFT_MS).unref();
}
