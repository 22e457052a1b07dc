/*
 * The reader of plain requests: what it takes, and why nothing in it can be read in two ways.
 *
 * Nearly every request is a query in the same plain form. Reading those here, past node:http, gives 2.4 to 3.3 times as
 * many a second. What makes a reader of HTTP dangerous is to disagree with another one, a proxy before it or node:http
 * behind it, about where a request ends or to whom it belongs: then one client's bytes become another's request (request
 * smuggling). So this reader interprets nothing. It knows one form that every reader of HTTP/1.1 understands alike, and
 * for all else it takes no decision, not even that it is wrong: the connection goes to node:http, with every byte that
 * was not answered yet, and never comes back. Requests refused as malformed are refused by node:http alone.
 *
 * A head is plain (`plain-messages.ts`) if all of this holds:
 *
 * - it comes in one piece, no longer than the limit of headers, and ends at its first empty line;
 * - its first line is `POST`, one space, one of the two paths of queries letter by letter, one space, `HTTP/1.1`: no
 *   escape, no query, no full URL, no other version;
 * - each line ends in CR LF and is a name of letters, digits, `_` and `-`, a colon right behind it, and a value of
 *   printable ASCII. So there is no folded line, no bare CR or LF, no NUL, no tab, no space before the colon: all that
 *   readers are known to differ on;
 * - no header changes how long the message is or what the connection is for: `Transfer-Encoding`, `TE`, `Trailer`,
 *   `Expect`, `Upgrade` and others, whatever their value;
 * - no header that the service looks at comes twice, so there is no first and last one to choose between;
 * - `Content-Length` is there, one to nine digits and nothing else: no sign, no list, no hexadecimal, and no number that
 *   overflows. It alone tells where the body ends;
 * - `Host` is there, a name or IPv4 address with an optional port, and one that this service answers for;
 * - `Connection` is absent or `keep-alive`.
 *
 * The body is those bytes, uninterpreted here, and not more than the limit of bodies. What follows them is the next
 * request, and is looked at once this one's answer is written: answers cannot change places. What the query then says is
 * read and checked by the same functions, in the same order, as for a request from node:http (`QueryRoute`), with the
 * same refusals, headers and log lines.
 *
 * Time cannot make two readings either: a query whose body is late goes to node:http from its first byte on, so does all
 * that comes once the service is to stop. A client that ends its half gets the answers to what it asked before.
 *
 * Three things hold this: tests send mutated heads and bodies to both readers and compare status, body and log line
 * (`plain-mutations.test.ts`); others cut streams of plain and other requests at any places (`plain-requests.test.ts`);
 * and the setting `plainRequests` turns this reader off, where an operator prefers one reader to two.
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { cutUnlessSoon, nodeListener } from './connections.js';
import { isOwnHost } from './hosts.js';
import type { PageOrigins } from './page-origins.js';
import { type PlainHead, readPlainHead, responseHead, writeAnswer, writeTogether } from './plain-messages.js';
import type { Refusal } from './problems.js';
import { type Handling, pageOrigins, type QueryAnswer, type WaitingClient } from './query-endpoint.js';
import { CLIENT_LEFT, notesOf, type RequestNotes, requestLine } from './request-record.js';

/** What answers plain requests. */
interface PlainHandling extends Omit<Handling, 'app'>, Omit<Handling['app'], 'fetch'> {
  /** Refuses what cannot be understood on a connection, by the code of Node's error, and ends the connection. */
  readonly refuse: (code: string, socket: Socket) => void;
}

type PagedHandling = PlainHandling & { readonly pages: PageOrigins | undefined };

/**
 * Answers plain queries of a server without node:http, which costs more than most of them; anything else is left to it.
 *
 * @param server A new server of node:http, whose first listener to connections is still node:http's own.
 */
export function takePlainRequests(server: Server, handling: PlainHandling): void {
  const own = nodeListener(server);
  server.off('connection', own);
  const handOver = (socket: Socket) => own.call(server, socket);
  const pages = pageOrigins(handling.settings);
  server.on('connection', (socket: Socket) => new PlainConnection(socket, { ...handling, pages }, handOver));
}

/** How long a plain query may take to come whole: its head and its body are often sent separately. */
const WHOLE_MS = 50;

/** How much is read of further queries while one is answered; beyond that, the connection is paused. */
const MOST_WAITING_BYTES = 1 << 16;

const HEAD_END = Buffer.from('\r\n\r\n');

/** A connection is kept a little longer than its client is told, so that none sends on one that is being closed. */
const LEEWAY_SECONDS = 1;

/** A query whose body is still on its way. */
interface Coming {
  readonly head: PlainHead;
  readonly seen: RequestNotes;
  /** Gives the query up unless its body comes in time. */
  readonly late: NodeJS.Timeout;
}

/** A query that is being answered. */
interface Answering {
  readonly seen: RequestNotes;
  status: number;
  bytes: number;
}

/** A connection on which only plain queries have come so far, which are answered one after another. */
class PlainConnection {
  readonly #socket: Socket;
  readonly #handling: PagedHandling;
  readonly #handOver: (socket: Socket) => void;
  /** What has come and is not answered yet. */
  #bytes: Buffer | undefined;
  #coming: Coming | undefined;
  #answering: Answering | undefined;
  /** Called when the client is lost while its query runs. */
  #onGone: (() => void) | undefined;
  /** Whether no whole query has come yet. */
  #isFresh = true;
  /** Whether the client has ended its half of the connection. */
  #hasEnded = false;
  #isOurs = true;
  readonly #waiting: WaitingClient = {
    isWanted: () => !this.#socket.destroyed,
    onGone: (tell) => {
      this.#onGone = tell;
    },
  };

  constructor(socket: Socket, handling: PagedHandling, handOver: (socket: Socket) => void) {
    this.#socket = socket;
    this.#handling = handling;
    this.#handOver = handOver;
    this.#limit(handling.settings.headerSeconds);
    socket.on('timeout', this.#onTimeout).on('data', this.#onData).on('end', this.#onEnd);
    socket.on('error', ignored).on('close', this.#onClose);
  }

  readonly #onData = (piece: Buffer): void => {
    this.#bytes = this.#bytes ? Buffer.concat([this.#bytes, piece]) : piece;
    if (!this.#answering) this.#next();
    // Not earlier: a paused connection does not notice that its client has gone, either.
    else if (this.#bytes.length > MOST_WAITING_BYTES) this.#socket.pause();
  };

  /** The client has ended its half of the connection; it may still read what is answered soon. */
  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (this.#answering) this.#leaveIfSlow(this.#answering);
    else this.#endUp();
  };

  #leaveIfSlow(answering: Answering): void {
    cutUnlessSoon(this.#socket, () => this.#answering !== answering || answering.bytes > 0);
  }

  readonly #onTimeout = (): void => {
    if (this.#isFresh) this.#handling.refuse('ERR_HTTP_REQUEST_TIMEOUT', this.#socket);
    else this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#lose();
    this.#onGone?.();
    this.#finish(CLIENT_LEFT);
  };

  /** Sets how long the connection may stay without any transfer. */
  #limit(seconds: number): void {
    this.#socket.setTimeout(seconds * 1000);
  }

  /** Begins to answer the next query that has come, or leaves the connection to node:http. */
  #next(): void {
    const bytes = this.#bytes;
    if (!bytes) return;
    const { settings, connections } = this.#handling;
    const head = this.#coming?.head ?? this.#readHead(bytes);
    if (!head || head.bodyLength > settings.maxBodyBytes || connections.isLast) return void this.#giveUp();
    const end = head.text.length + head.bodyLength;
    if (bytes.length < end) return void this.#await(head);
    const seen = this.#come() ?? this.#notesOf(head);
    this.#bytes = bytes.length > end ? bytes.subarray(end) : undefined;
    void this.#answer(seen, head, bytes.subarray(head.text.length, end));
  }

  #readHead(bytes: Buffer): PlainHead | undefined {
    const end = bytes.indexOf(HEAD_END) + HEAD_END.length;
    if (end < HEAD_END.length || end > this.#handling.settings.maxHeaderBytes) return undefined;
    // Decoded without what follows, which would stay in memory with it.
    const head = readPlainHead(bytes.toString('latin1', 0, end));
    return head && isOwnHost(head.headers.host ?? '', this.#handling.settings) ? head : undefined;
  }

  #notesOf({ path, headers }: PlainHead): RequestNotes {
    const forwarded = headers['x-forwarded-for']?.toString();
    const client = this.#handling.clients.addressOf(this.#socket.remoteAddress, forwarded);
    return notesOf({ method: 'POST', url: path, headers }, client);
  }

  #await(head: PlainHead): void {
    if (this.#coming) return;
    // After what has come meanwhile is read, as after a moment in which the process was held up.
    const late = setTimeout(() => setImmediate(() => this.#coming === coming && this.#giveUp()), WHOLE_MS);
    const coming = { head, seen: this.#notesOf(head), late };
    this.#coming = coming;
    this.#handling.connections.begin(this.#socket);
  }

  /** Ends the wait for a query, if there is one. @returns The notes on it. */
  #come(): RequestNotes | undefined {
    const coming = this.#coming;
    if (!coming) return undefined;
    clearTimeout(coming.late);
    this.#coming = undefined;
    this.#handling.connections.end(this.#socket);
    return coming.seen;
  }

  /** Reports a query whose rest will not come. */
  #lose(): void {
    const coming = this.#come();
    if (coming) this.#handling.onEnd(requestLine(coming, CLIENT_LEFT, 0));
  }

  #giveUp(): void {
    const socket = this.#socket;
    this.#isOurs = false;
    this.#come();
    socket.pause().setTimeout(0).off('timeout', this.#onTimeout);
    socket.off('data', this.#onData).off('end', this.#onEnd).off('error', ignored).off('close', this.#onClose);
    const bytes = this.#bytes;
    // A stream that has ended takes nothing back.
    if (bytes && !this.#hasEnded) socket.unshift(bytes);
    this.#handOver(socket);
    socket.resume();
    if (!bytes || !this.#hasEnded) return;
    socket.emit('data', bytes);
    socket.emit('end');
  }

  async #answer(seen: RequestNotes, head: PlainHead, body: Buffer): Promise<void> {
    const { query, connections, settings } = this.#handling;
    const answering: Answering = { seen, status: CLIENT_LEFT, bytes: 0 };
    this.#answering = answering;
    this.#isFresh = false;
    connections.begin(this.#socket);
    this.#limit(settings.querySeconds + settings.stallSeconds);
    if (this.#hasEnded) this.#leaveIfSlow(answering);
    Object.assign(seen.told, this.#handling.pages?.headersFor(head.headers.origin));
    let answer: QueryAnswer;
    try {
      await query.admit(head.headers, seen);
      // If the client has left meanwhile, nothing is asked any more.
      if (this.#answering !== answering) return;
      answer = await query.answer(body, head.headers, seen, this.#waiting);
    } catch (error) {
      return this.#refuse(answering, error);
    }
    this.#send(answering, answer);
  }

  #refuse(answering: Answering, error: unknown): void {
    let refusal: Refusal;
    try {
      refusal = this.#handling.refusal(error, answering.seen);
    } catch {
      return void this.#socket.destroy();
    }
    const bytes = Buffer.from(refusal.body);
    const headers = { ...refusal.headers, 'Content-Length': bytes.length };
    this.#send(answering, { status: refusal.status, headers, bytes, sent: undefined });
  }

  #send(answering: Answering, { status, headers, bytes, sent }: QueryAnswer): void {
    const socket = this.#socket;
    const { connections, settings } = this.#handling;
    // The client was lost meanwhile, which was reported already.
    if (this.#answering !== answering) return void sent?.();
    if (connections.held)
      return void connections.held.then(() => this.#send(answering, { status, headers, bytes, sent }));
    const { isLast } = connections;
    const head = responseHead(status, answering.seen.told, headers, isLast ? undefined : settings.idleSeconds);
    answering.status = status;
    answering.bytes = head.length + (bytes?.length ?? 0);
    this.#onGone = undefined;
    // Further queries are read but not answered: closing a connection with unread bytes could lose the answer.
    if (isLast) socket.off('data', this.#onData).resume();
    writeTogether(() => {
      writeAnswer(socket, head, bytes, () => {
        sent?.();
        this.#finish(socket.destroyed ? CLIENT_LEFT : status);
        if (isLast) socket.destroySoon();
        else this.#goOn();
      });
      if (socket.writableLength > 0) this.#limit(settings.stallSeconds);
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
    this.#limit(this.#handling.settings.idleSeconds + LEEWAY_SECONDS);
    this.#next();
    if (this.#answering || !this.#isOurs) return;
    if (this.#hasEnded) this.#endUp();
    else this.#socket.resume();
  }

  #endUp(): void {
    this.#lose();
    if (this.#bytes) this.#handling.refuse('HPE_INVALID_EOF_STATE', this.#socket);
    else this.#socket.end();
  }
}

function ignored(): void {}
