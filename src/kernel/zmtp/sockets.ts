import { once } from 'node:events';
import { lstatSync, rmSync } from 'node:fs';
import { createServer, isIP, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { encodeMessages, type Frame } from './framing.js';
import { Peer, type PeerListener, type SocketType } from './peer.js';

/** What the listening sockets of ZeroMQ have in common: their connections. */
export abstract class ServerSocket implements PeerListener {
  readonly #type: SocketType;
  readonly #log: (problem: string) => void;
  readonly #peers = new Set<Peer>();
  readonly #told = new Set<string>();
  #server: Server | undefined;

  /** @param log Gets why a connection was refused or lost, each reason once, without repeating what the peer sent. */
  constructor(type: SocketType, log: (problem: string) => void) {
    this.#type = type;
    this.#log = log;
  }

  /** @throws If it cannot listen there. */
  async listen(place: ListenAddress): Promise<void> {
    this.#server = await listenAt(place, (socket) => {
      const peer = new Peer(socket, this.#type, this);
      this.#peers.add(peer);
      socket.once('close', () => {
        this.#peers.delete(peer);
        this.onGone(peer);
      });
    });
    this.#server.on('error', ({ message }) => this.#tell(`A connection was lost: ${message}`));
  }

  /** Stops listening and ends every connection; resolves once what was sent has left. */
  async close(): Promise<void> {
    this.#server?.close();
    await Promise.all([...this.#peers].map((peer) => peer.end()));
  }

  onRefused(reason: string): void {
    this.#tell(`A connection was refused: ${reason}`);
  }

  /** Says it the first time only: a client that is refused tries again several times a second. */
  #tell(problem: string): void {
    if (this.#told.has(problem)) return;
    this.#told.add(problem);
    this.#log(problem);
  }

  abstract onReady(peer: Peer): void;
  abstract onMessage(peer: Peer, frames: Buffer[]): void;
  abstract onGone(peer: Peer): void;
}

/** The longest path that every system takes for a socket, in bytes. */
const MOST_PATH_BYTES = 103;

/** ZeroMQ's ROUTER: takes messages from many peers, and sends each message to the peer that its first frame names. */
export class Router extends ServerSocket {
  readonly #take: (frames: Buffer[]) => void;
  /** The connections of each identity; the last in a list gets the answers. */
  readonly #peers = new Map<string, Peer[]>();
  #unnamed = 0;

  /** @param take Gets each message, behind a frame that names its sender. */
  constructor(take: (frames: Buffer[]) => void, log: (problem: string) => void) {
    super('ROUTER', log);
    this.#take = take;
  }

  /** Sends a message, all of it later than what was sent before. A peer that is not connected gets nothing. */
  send([to = '', ...frames]: readonly Frame[]): void {
    this.#peers
      .get(keyOf(Buffer.from(to)))
      ?.at(-1)
      ?.send(encodeMessages([frames]));
  }

  override onReady(peer: Peer): void {
    if (peer.identity.length === 0 || peer.identity[0] === 0) peer.identity = this.#newIdentity();
    this.#prefer(peer);
  }

  override onMessage(peer: Peer, frames: Buffer[]): void {
    this.#prefer(peer);
    this.#take([peer.identity, ...frames]);
  }

  override onGone(peer: Peer): void {
    const key = keyOf(peer.identity);
    const others = this.#peers.get(key)?.filter((each) => each !== peer) ?? [];
    if (others.length > 0) this.#peers.set(key, others);
    else this.#peers.delete(key);
  }

  /** Clients of one manager share an identity: whoever connected or asked last gets the answers. */
  #prefer(peer: Peer): void {
    const key = keyOf(peer.identity);
    const peers = this.#peers.get(key) ?? [];
    if (peers.at(-1) !== peer) this.#peers.set(key, [...peers.filter((each) => each !== peer), peer]);
  }

  /** Identities that begin with a zero byte are the router's own, by ZeroMQ's rules. */
  #newIdentity(): Buffer {
    const identity = Buffer.alloc(5);
    identity.writeUInt32BE(++this.#unnamed, 1);
    return identity;
  }
}

function keyOf(identity: Buffer): string {
  return identity.toString('latin1');
}

/** The first byte of what a subscriber sends; what its topics begin with follows. */
const SUBSCRIBE = 1;
const UNSUBSCRIBE = 0;

/** How long from its start a publisher keeps what it sends for those who have not subscribed yet. */
const EARLY_MS = 3000;
/** Most bytes that it keeps; of more, it keeps nothing. */
const MOST_EARLY = 16 * 1024 * 1024;

type Published = readonly [topic: string, ...Frame[]];

/**
 * ZeroMQ's PUB: sends each message to every peer that subscribed to a beginning of its first frame, the topic. Whoever
 * subscribes soon after the start also gets what was sent until then: the sockets of a front end that has restarted its
 * kernel connect anew one after another, and its first requests may come before its subscription.
 */
export class Publisher extends ServerSocket {
  /** The subscriptions of each peer. */
  readonly #topics = new Map<Peer, string[]>();
  #early: Published[] | undefined = [];
  #earlyBytes = 0;

  constructor(log: (problem: string) => void) {
    super('PUB', log);
    setTimeout(() => this.#forgetEarly(), EARLY_MS).unref();
  }

  /** Sends messages, in their order and later than what was sent before. */
  send(messages: readonly Published[]): void {
    if (messages.length === 0) return;
    const bytes = encodeMessages(messages);
    this.#keepEarly(messages, bytes.length);
    for (const [peer, topics] of this.#topics) {
      const wanted = messages.filter(([of]) => topics.some((topic) => of.startsWith(topic)));
      if (wanted.length === messages.length) peer.send(bytes);
      else if (wanted.length > 0) peer.send(encodeMessages(wanted));
    }
  }

  override onReady(peer: Peer): void {
    this.#topics.set(peer, []);
  }

  override onMessage(peer: Peer, [frame = Buffer.alloc(0)]: Buffer[]): void {
    const topics = this.#topics.get(peer) ?? [];
    const topic = frame.toString('utf8', 1);
    const at = topics.indexOf(topic);
    if (frame[0] === SUBSCRIBE) {
      const missed = this.#early?.filter(([of]) => of.startsWith(topic) && !topics.some((each) => of.startsWith(each)));
      if (missed && missed.length > 0) peer.send(encodeMessages(missed));
      topics.push(topic);
    } else if (frame[0] === UNSUBSCRIBE && at >= 0) topics.splice(at, 1);
  }

  override onGone(peer: Peer): void {
    this.#topics.delete(peer);
  }

  #keepEarly(messages: readonly Published[], bytes: number): void {
    // One by one: a burst may have more messages than a call takes arguments.
    for (const message of messages) this.#early?.push(message);
    this.#earlyBytes += bytes;
    if (this.#earlyBytes > MOST_EARLY) this.#forgetEarly();
  }

  #forgetEarly(): void {
    this.#early = undefined;
  }
}

/** Where a socket listens: at a port of an address, or at a path. */
export type ListenAddress = { ip: string; port: number } | { path: string };

/**
 * @param place.ip An address; also `*` for every address of IPv4, or the name of a network interface, as in ZeroMQ.
 * @param place.path A socket that an ended process has left there is replaced.
 * @throws If it cannot listen there.
 */
async function listenAt(place: ListenAddress, onSocket: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ noDelay: true }, onSocket);
  const options = 'path' in place ? { path: freed(place.path) } : { host: addressOf(place.ip), port: place.port };
  server.listen(options);
  // Rejects if the server reports an error instead.
  await once(server, 'listening');
  return server;
}

function addressOf(ip: string): string {
  if (ip === '*') return '0.0.0.0';
  const address = ip.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) > 0) return address;
  const addresses = networkInterfaces()[ip] ?? [];
  return (addresses.find(({ family }) => family === 'IPv4') ?? addresses[0])?.address ?? ip;
}

/** Makes room at a path where a socket was left. */
function freed(path: string): string {
  // Node would cut a longer path and listen elsewhere.
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) throw new RangeError(`its path has over ${MOST_PATH_BYTES} bytes`);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path, { force: true });
  return path;
}
