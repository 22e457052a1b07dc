import { encodeMessages } from './encode-messages.js';
import type { Frame } from './frame.js';
import type { Peer } from './peer.js';
import { ServerSocket } from './server-socket.js';

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
