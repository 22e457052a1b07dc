import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Connections, nodeListener } from './connections.js';

/** What {@link ignoreUpgrades} needs of the server around it. */
interface UpgradeHandling {
  readonly connections: Connections;
  /** Refuses what cannot be handled on a connection, by a code, and ends the connection. */
  readonly refuse: (code: string, socket: Socket) => void;
  readonly maxBodyBytes: number;
}

/** As many names and values Node keeps of one request, at most: one that has so many may have had more. */
const MOST_KEPT = 2000;

/**
 * Has a server answer requests that ask for another protocol, such as h2c or WebSocket, as if they did not ask, which
 * HTTP allows. Node does so, too, where nothing listens to 'upgrade' or its `shouldUpgradeCallback` (from 24.9 on)
 * declines; but 20, 22, 24 and 26 all drop what follows such a request in the same segment. So the connection is taken
 * from Node here, and given back with the same request, without its question, and with all that follows.
 *
 * Up to Node 24 the body is still unread then. Node 26 reads the body before it lets go of the connection.
 *
 * @param server A new server, of which node:http still takes the connections.
 */
export function ignoreUpgrades(server: Server, { connections, refuse, maxBodyBytes }: UpgradeHandling): void {
  const own = nodeListener(server);
  server.on('upgrade', (incoming: IncomingMessage, stream: Duplex, rest: Buffer) => {
    const { socket } = incoming;
    if (incoming.rawHeaders.length >= MOST_KEPT) return refuse('HPE_HEADER_OVERFLOW', socket);
    // Node has let go of this connection, or will: errors and stalls must be caught here.
    const onTimeout = () => server.emit('timeout', socket);
    socket.on('error', ignored).on('timeout', onTimeout).setTimeout(server.timeout);
    const giveBack = (body: Buffer, following: readonly Buffer[]) => {
      connections.afterEarlier(socket, () => {
        socket.off('error', ignored).off('timeout', onTimeout);
        if (socket.destroyed || socket.writableEnded) return void socket.destroySoon();
        socket.pause().unshift(Buffer.concat([headOf(incoming, body.length), body, ...following]));
        own.call(server, socket);
        socket.resume();
      });
    };
    if (stream === socket) return giveBack(Buffer.concat(allOf(incoming)), [rest]);
    readBody(incoming, maxBodyBytes, (body) => {
      if (!body) return refuse('BODY_OVERFLOW', socket);
      const following = allOf(stream);
      letGo(socket, stream);
      giveBack(body, following);
    });
  });
}

/** Reads a body that is still coming, before what follows it. @param tell Given undefined if it is too large. */
function readBody(incoming: IncomingMessage, maxBytes: number, tell: (body: Buffer | undefined) => void): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  incoming.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= maxBytes) pieces.push(piece);
    else if (bytes - piece.length <= maxBytes) tell(undefined);
  });
  incoming.once('end', () => {
    if (bytes <= maxBytes) tell(Buffer.concat(pieces));
  });
}

/** Detaches the stream that Node puts before a connection whose request had a body. */
function letGo(socket: Socket, stream: Duplex): void {
  stream.on('error', ignored);
  socket.removeAllListeners('data').pause();
  // Otherwise the next such request would go to this stream.
  for (const key of Object.getOwnPropertySymbols(socket)) {
    if (Reflect.get(socket, key) === stream) Reflect.deleteProperty(socket, key);
  }
}

/** What is read already of a stream. */
function allOf(stream: IncomingMessage | Duplex): Buffer[] {
  const pieces: Buffer[] = [];
  for (let piece = stream.read(); piece !== null; piece = stream.read()) pieces.push(piece);
  return pieces;
}

/** Headers that ask for another protocol. */
const ASKING = new Set(['upgrade', 'http2-settings']);

/** Headers that tell how long a body is; those of one that was read are replaced. */
const LENGTHS = new Set(['content-length', 'transfer-encoding', 'trailer']);

/**
 * The head of a request as it came, but without its question for another protocol.
 *
 * @param readBytes The bytes of its body that were read, and so decoded; 0 leaves the headers of an unread one.
 */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage, readBytes: number): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const key = name.toLowerCase();
    if (ASKING.has(key) || (readBytes > 0 && LENGTHS.has(key))) continue;
    const kept =
      key === 'connection' ? value.split(',').filter((option) => !ASKING.has(option.trim().toLowerCase())) : [value];
    if (kept.length > 0) lines.push(`${name}: ${kept.join(',')}`);
  }
  if (readBytes > 0) lines.push(`Content-Length: ${readBytes}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function ignored(): void {}
