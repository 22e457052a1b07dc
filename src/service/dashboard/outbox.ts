import { setMaxListeners } from 'node:events';
import type { MailSettings } from './options.js';
import { type Mail, sendMail } from './send-mail.js';

/** Sends mails while their answers are on the way already, and knows which are still under way. */
export class Outbox {
  readonly #underWay = new Set<Promise<void>>();
  readonly #over = new AbortController();

  constructor() {
    // Each mail under way listens.
    setMaxListeners(0, this.#over.signal);
  }

  /** Begins to send a mail, one beside the other. @param onError Told why it could not be sent. */
  send(settings: MailSettings, mail: Mail, onError: (error: unknown) => void): void {
    const sent = sendMail(settings, mail, this.#over.signal)
      .catch(onError)
      .finally(() => this.#underWay.delete(sent));
    this.#underWay.add(sent);
  }

  /** Settles once no mail is under way; those that still are after some time are given up, and all that come later. */
  async close(timeMs: number): Promise<void> {
    const late = setTimeout(() => this.#over.abort(), timeMs);
    await Promise.all(this.#underWay);
    clearTimeout(late);
    this.#over.abort();
  }
}
