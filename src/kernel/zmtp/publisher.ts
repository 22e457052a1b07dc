import { encodeMessages } from './encode-messages.js';
import type { Frame } from './frame.js';
import type { Peer } from './peer.js';
import { ServerSocket } from './server-socket.js';

/** The first byte of what a subscriber sends; what its topics begin with follows. */
const SUBSCRIBE = 1;
const UNSUBSCRIBE = 0;

/** ZeroMQ's PUB: sends each message to every peer that subscribed to a beginning of its first frame, the topic. */
export class Publisher extends ServerSocket {
  /** The subscriptions of each peer. */
  readonly #topics = new Map<Peer, string[]>();

  constructor(log: (problem: string) => void) {
    super('PUB', log);
  }

  /** Sends messages, in their order and later than what was sent before. Whoever subscribes later never gets them. */
  send(messages: readonly (readonly [topic: string, ...Frame[]])[]): void {
    if (messages.length === 0) return;
    const bytes = encodeMessages(messages);
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
    if (frame[0] === SUBSCRIBE) topics.push(topic);
    else if (frame[0] === UNSUBSCRIBE && at >= 0) topics.splice(at, 1);
  }

  override onGone(peer: Peer): void {
    this.#topics.delete(peer);
  }
}
