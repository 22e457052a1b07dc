import { setMaxListeners } from 'node:events';
import type { MailSettings } from './options.js';
import { type Mail, sendMail } from './send-mail.js';

/** Sends mails in the background, without delaying answers, and knows which are under way. */
export class Outbox {
  readonly #underWay = new Set<Promise<void>>();
  readonly #over = new AbortController();

  constructor() {
    // Each mail under way adds a listener.
    setMaxListeners(0, this.#over.signal);
  }

  /** Begins to send a mail, beside others. @param onError Called if it cannot be sent. */
  send(settings: MailSettings, mail: Mail, onError: (error: unknown) => void): void {
    const sent = sendMail(settings, mail, this.#over.signal)
      .catch(onError)
      .finally(() => this.#underWay.delete(sent));
    this.#underWay.add(sent);
  }

  /** Settles once no mail is under way. After `timeMs`, those under way are given up; so are all later ones. */
  async close(timeMs: number): Promise<void> {
    const late = setTimeout(() => this.#over.abort(), timeMs);
    await Promise.all(this.#underWay);
    clearTimeout(late);
    this.#over.abort();
  }
}
