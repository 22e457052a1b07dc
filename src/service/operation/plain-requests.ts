import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Refusal } from '../problems.js';
import type { QueryAnswer, QueryRoute, Waiting } from '../query-route.js';
import type { Connections } from './connections.js';
import { type PlainHead, readPlainHead } from './plain-head.js';
import { CLIENT_LEFT, type RequestLine, requestLine } from './request-line.js';
import { type Seen, seenOf } from './seen.js';
import type { Settings } from './settings/settings.js';
import { writeTogether } from './write-together.js';

/** Who answers plain requests, and who is told of them. */
export interface PlainHandling {
  readonly query: QueryRoute;
  readonly refusal: (error: unknown, seen: Seen) => Refusal;
  readonly settings: Settings;
  readonly connections: Connections;
  readonly onEnd: (line: RequestLine) => void;
  /** Ends a connection that no request has come on, by the code of Node's error. */
  readonly refuse: (code: string, socket: Socket) => void;
}

/**
 * Answers plain queries of a server past node:http, which costs more than most of them. A connection is node:http's from
 * the first thing on that is no such query, or is none within {@link WHOLE_MS}, and then stays so: here is nothing that
 * could be refused, guessed at or waited for.
 */
export function takePlainRequests(server: Server, handling: PlainHandling): void {
  const [take] = server.listeners('connection') as [(this: Server, socket: Socket) => void];
  server.off('connection', take);
  const handOver = (socket: Socket) => take.call(server, socket);
  server.on('connection', (socket: Socket) => new PlainConnection(socket, handling, handOver));
}

/** How long a plain query may take to come as a whole: its head and its body are often sent one after the other. */
const WHOLE_MS = 50;

/** Answers up to so many bytes are copied sooner than sent as a piece of their own. */
const MOST_JOINED_BYTES = 4096;

/** A query that is being answered. */
interface Answering {
  readonly seen: Seen;
  status: number;
  /** Of its answer. */
  bytes: number;
}

/** An answer as it is written. */
type Written = Omit<QueryAnswer, 'status'> & { readonly status: number };

/** A connection on which nothing but plain queries has come so far. They are answered one after another. */
class PlainConnection {
  readonly #socket: Socket;
  readonly #handling: PlainHandling;
  readonly #handOver: (socket: Socket) => void;
  /** What has come and is not answered yet. */
  #bytes: Buffer | undefined;
  /** The query whose body is still on its way, and the clock that runs meanwhile. */
  #coming: { readonly seen: Seen; readonly late: NodeJS.Timeout } | undefined;
  #answering: Answering | undefined;
  /** Told when the client is lost while its query runs. */
  #onGone: (() => void) | undefined;
  /** Whether no query has come yet. */
  #isFresh = true;
  /** Whether the client has said that nothing more will come. */
  #hasEnded = false;
  #isOurs = true;
  #limitSeconds = 0;

  constructor(socket: Socket, handling: PlainHandling, handOver: (socket: Socket) => void) {
    this.#socket = socket;
    this.#handling = handling;
    this.#handOver = handOver;
    this.#limit(handling.settings.headerSeconds);
    socket.on('timeout', this.#onTimeout).on('data', this.#onData).on('end', this.#onEnd);
    socket.on('error', ignored).on('close', this.#onClose);
  }

  readonly #onData = (piece: Buffer): void => {
    this.#bytes = this.#bytes ? Buffer.concat([this.#bytes, piece]) : piece;
    // Otherwise it would be gathered without end.
    if (this.#answering) this.#socket.pause();
    else this.#next();
  };

  /** Nothing more will come. Answers that are made are still read, while a query that runs is nobody's any more. */
  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (!this.#answering) this.#endUp();
    else if (this.#answering.bytes === 0) this.#socket.destroy();
  };

  readonly #onTimeout = (): void => {
    if (this.#isFresh) this.#handling.refuse('ERR_HTTP_REQUEST_TIMEOUT', this.#socket);
    else this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    const coming = this.#come();
    if (coming) this.#handling.onEnd(requestLine(coming, CLIENT_LEFT, 0));
    this.#onGone?.();
    this.#finish(CLIENT_LEFT);
  };

  /** Closes the connection once nothing has moved on it for so long. */
  #limit(seconds: number): void {
    if (seconds !== this.#limitSeconds) this.#socket.setTimeout(seconds * 1000);
    this.#limitSeconds = seconds;
  }

  /** Begins to answer what has come, or leaves the connection to node:http. */
  #next(): void {
    const bytes = this.#bytes;
    if (!bytes) return;
    const { settings, connections } = this.#handling;
    const head = readPlainHead(bytes.toString('latin1', 0, settings.maxHeaderBytes));
    if (!head || head.bodyLength > settings.maxBodyBytes || connections.isLast) {
      this.#giveUp();
      return;
    }
    const end = head.length + head.bodyLength;
    if (bytes.length < end) {
      this.#coming ??= { seen: seenOfHead(head), late: setTimeout(() => this.#giveUp(), WHOLE_MS) };
      return;
    }
    this.#bytes = bytes.length > end ? bytes.subarray(end) : undefined;
    this.#answer(this.#come() ?? seenOfHead(head), head.headers, bytes.subarray(head.length, end));
  }

  /** Stops the clock of a query that was on its way. */
  #come(): Seen | undefined {
    const coming = this.#coming;
    if (coming) clearTimeout(coming.late);
    this.#coming = undefined;
    return coming?.seen;
  }

  #giveUp(): void {
    const socket = this.#socket;
    this.#isOurs = false;
    this.#come();
    socket.pause().setTimeout(0).off('timeout', this.#onTimeout);
    socket.off('data', this.#onData).off('end', this.#onEnd).off('error', ignored).off('close', this.#onClose);
    if (this.#bytes) socket.unshift(this.#bytes);
    this.#handOver(socket);
    socket.resume();
  }

  #answer(seen: Seen, headers: PlainHead['headers'], body: Buffer): void {
    const { query, refusal, connections, settings } = this.#handling;
    const answering: Answering = { seen, status: CLIENT_LEFT, bytes: 0 };
    this.#answering = answering;
    this.#isFresh = false;
    connections.begin(this.#socket);
    const send = (answer: Written) => this.#send(answering, answer);
    const refuse = (error: unknown) => send(writtenOf(refusal(error, seen)));
    try {
      const ask = () => query.answer(body, headers, seen, this.#waiting);
      const admitted = query.admit(headers, seen);
      const answer = admitted ? admitted.then(ask) : ask();
      if (answer instanceof Promise) {
        this.#limit(settings.querySeconds + settings.stallSeconds);
        answer.then(send, refuse);
      } else send(answer);
    } catch (error) {
      refuse(error);
    }
  }

  readonly #waiting: Waiting = {
    isWanted: () => !this.#socket.destroyed,
    onGone: (tell) => {
      this.#onGone = tell;
    },
  };

  #send(answering: Answering, { status, headers, bytes, sent }: Written): void {
    const socket = this.#socket;
    const { connections, settings } = this.#handling;
    // Its client was lost meanwhile, and that is told already.
    if (this.#answering !== answering) {
      sent?.();
      return;
    }
    const { isLast } = connections;
    const head = headOf(status, answering.seen.told, headers, isLast ? undefined : settings.idleSeconds);
    answering.status = status;
    answering.bytes = head.length + (bytes?.length ?? 0);
    this.#onGone = undefined;
    writeTogether(() => {
      write(socket, head, bytes, () => {
        sent?.();
        this.#finish(socket.destroyed ? CLIENT_LEFT : status);
        if (isLast) socket.destroySoon();
        else this.#goOn();
      });
      if (socket.writableLength > 0) this.#limit(settings.querySeconds + settings.stallSeconds);
    });
  }

  #finish(status: number): void {
    const answering = this.#answering;
    if (!answering) return;
    const { connections, onEnd } = this.#handling;
    this.#answering = undefined;
    this.#onGone = undefined;
    connections.end(this.#socket);
    onEnd(requestLine(answering.seen, status, answering.bytes));
  }

  #goOn(): void {
    if (this.#socket.destroyed) return;
    this.#limit(this.#handling.settings.idleSeconds);
    this.#next();
    if (this.#answering || !this.#isOurs) return;
    if (this.#hasEnded) this.#endUp();
    else this.#socket.resume();
  }

  #endUp(): void {
    this.#come();
    if (this.#bytes) this.#handling.refuse('HPE_INVALID_EOF_STATE', this.#socket);
    else this.#socket.end();
  }
}

function ignored(): void {}

function seenOfHead({ path, headers }: PlainHead): Seen {
  return seenOf({ method: 'POST', url: path, headers });
}

function writtenOf({ status, headers, body }: Refusal): Written {
  const bytes = Buffer.from(body);
  return { status, headers: { ...headers, 'Content-Length': bytes.length }, bytes, sent: undefined };
}

let second = 0;
let date = '';

/** A status line and headers. @param idleSeconds How long the connection is kept; undefined where it is not. */
function headOf(
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

function write(socket: Socket, head: string, bytes: Uint8Array | undefined, written: () => void): void {
  if (!bytes || bytes.length <= MOST_JOINED_BYTES) {
    // As a text of single bytes, which is a copy, it goes out in one piece with its head.
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
