import { encodeMessages } from './encode-messages.js';
import type { Frame } from './frame.js';
import type { Peer } from './peer.js';
import { ServerSocket } from './server-socket.js';

/**
 * ZeroMQ's ROUTER: takes messages from many peers, and sends each message to the peer that its first frame names.
 *
 * @example
 * const echo = new Router((frames) => echo.send(frames), console.error);
 * await echo.listen({ ip: '127.0.0.1', port: 5555 });
 */
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
    if ((peer.identity[0] ?? 0) === 0) peer.identity = this.#newIdentity();
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
