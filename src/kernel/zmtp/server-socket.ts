import type { Server } from 'node:net';
import type { SocketType } from './handshake.js';
import { listenAt, type Place } from './listen-at.js';
import { Peer, type PeerListener } from './peer.js';

/** What the listening sockets of ZeroMQ have in common: their connections. */
export abstract class ServerSocket implements PeerListener {
  readonly #type: SocketType;
  readonly #log: (problem: string) => void;
  readonly #peers = new Set<Peer>();
  readonly #told = new Set<string>();
  #server: Server | undefined;

  /**
   * @param log Gets why a connection was refused or lost, each reason once, in words that repeat nothing of what the peer
   *   sent.
   */
  constructor(type: SocketType, log: (problem: string) => void) {
    this.#type = type;
    this.#log = log;
  }

  /** @throws If it cannot listen there. */
  async listen(place: Place): Promise<void> {
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
