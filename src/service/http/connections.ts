import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

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

/**
 * How long a connection must be idle, since the service has stopped to listen, before it is closed: until then, a request
 * may be on its way.
 */
const LINGER_MS = 250;

const TICK_MS = 25;

/**
 * How long no connection must have come before a stopping service stops listening: the time in which one gets ready that
 * a client opens because its last answer has come. The system resets those that are ready but not accepted yet.
 */
const QUIET_MS = 100;

/** How long answers may be held back for that, at most. */
const MOST_HELD_MS = 2000;

/** The open connections of a server, so that it can stop without cutting off a request. */
export class Connections {
  readonly #server: Server;
  readonly #open = new Map<Socket, Connection>();
  #inFlight = 0;
  #isLast = false;
  #held: Promise<void> | undefined;
  /** When the last connection was opened, or the last answer ended, by `performance.now()`. */
  #movedMs = Number.NEGATIVE_INFINITY;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      const connection = new Connection();
      const { owed } = connection;
      this.#movedMs = connection.idleSinceMs;
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

  /** Settles once answers may be sent; undefined if they may, as always but for a moment while the service stops. */
  get held(): Promise<void> | undefined {
    return this.#held;
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
    this.#rest(connection);
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
      this.#rest(connection);
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

  /** Calls back once all answers are sent that are under way on a connection. */
  afterEarlier(socket: Socket, tell: () => void): void {
    const connection = this.#open.get(socket);
    if (connection) afterAll(connection, tell);
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
   * A client whose answer was the last on its connection opens another one. If it did so just as the service stops to
   * listen, the system would reset that. So answers are held back until every client waits for one, and are sent once
   * nobody listens: who then opens a connection is refused at once, and may try another service.
   *
   * @param timeMs Milliseconds after which all that is still under way is cut off.
   * @param othersClosed Settles once no other process listens on the same socket either.
   */
  async drain(timeMs: number, othersClosed: () => Promise<void> = async () => {}): Promise<void> {
    this.makeLast();
    const deadline = performance.now() + timeMs;
    const release = this.#hold();
    await this.#quiet(Math.min(timeMs, MOST_HELD_MS));
    // Not HTTP's own close(), which would at once close connections on which a request is just arriving.
    const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(this.#server, () => resolve()));
    // Each of them does so in the same time.
    await Promise.race([othersClosed(), sleep(deadline - performance.now(), undefined, { ref: false })]);
    release();
    const releasedMs = performance.now();
    // After what has come is read, as after a moment in which the process was held up.
    const closing = setInterval(() => setImmediate(() => this.#closeIdle(releasedMs, deadline)), TICK_MS);
    await closed;
    clearInterval(closing);
    // The server's close comes before the 'close' of its last connections, which also ends the requests lost with them.
    while (this.#open.size > 0) await nextTurn();
  }

  #hold(): () => void {
    let release = () => {};
    this.#held = new Promise((resolve) => {
      release = () => {
        this.#held = undefined;
        resolve();
      };
    });
    return release;
  }

  /** Settles right after a turn in which no connection came, once none has come for a while. */
  async #quiet(mostMs: number): Promise<void> {
    const begunMs = performance.now();
    for (let movedMs = Number.NaN; ; movedMs = this.#movedMs) {
      // One turn of the event loop accepts one connection, if one is there.
      await nextTurn();
      const nowMs = performance.now();
      if (this.#movedMs === movedMs && nowMs - movedMs >= QUIET_MS) return;
      if (nowMs - begunMs >= mostMs) return;
      if (nowMs - this.#movedMs < QUIET_MS) await sleep(1);
    }
  }

  #rest(connection: Connection): void {
    connection.idleSinceMs = performance.now();
    this.#movedMs = connection.idleSinceMs;
  }

  #closeIdle(releasedMs: number, deadline: number): void {
    const nowMs = performance.now();
    for (const [socket, { owed, isAsked, idleSinceMs }] of this.#open) {
      const isIdle = owed.size === 0 && !isAsked && nowMs - Math.max(idleSinceMs, releasedMs) >= LINGER_MS;
      if (isIdle || nowMs >= deadline) socket.destroy();
    }
  }
}

/** Ends an answer that waited for earlier ones on a lost connection: Node emits 'close' only for the first of them. */
function endWaiting(outgoing: ServerResponse): void {
  outgoing.destroy();
  outgoing.emit('close');
}

/** The listener by which node:http takes the connections of a new server: the first one. */
export function nodeListener(server: Server): (this: Server, socket: Socket) => void {
  const [own] = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  if (!own) throw new Error('This server does not listen to connections.');
  return own;
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
