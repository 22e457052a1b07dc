import type { Header } from '../protocol/message.js';

/** The number of sessions beyond which the oldest are forgotten. */
const MOST_SESSIONS = 1000;

/** Which sessions' clocks advance: some senders put the same date into all their messages. */
export class SenderClocks {
  /** The first date of each session; undefined once another date was seen. */
  readonly #first = new Map<string, string | undefined>();

  /** Records the date of a message. */
  note({ session, date }: Header): void {
    if (this.#first.get(session) !== date && this.#first.has(session)) this.#first.set(session, undefined);
    else this.#first.set(session, date);
    const [oldest] = this.#first.keys();
    if (this.#first.size > MOST_SESSIONS && oldest !== undefined) this.#first.delete(oldest);
  }

  /** Whether two messages of a session had different dates. */
  hasGone(session: string): boolean {
    return this.#first.has(session) && this.#first.get(session) === undefined;
  }
}
