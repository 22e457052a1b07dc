import { setMaxListeners } from 'node:events';
import { OddslabError, UsageError } from '../../base/errors.js';
import { isLoopbackUrl } from '../http/hosts.js';

/** A mail to one address. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** How long the mail server may take for each step. */
const STEP_MS = 20_000;

/**
 * Sends a mail to one address.
 *
 * @param signal Gives the mail up once aborted.
 * @throws {UsageError} If the settings are no SMTP server and sender.
 * @throws {OddslabError} If the server cannot be reached or refuses, or the mail is given up. The message repeats
 *   neither the address nor the text.
 */
export async function sendMail(settings: MailSettings, mail: Mail, signal?: AbortSignal): Promise<void> {
  const { to, subject, text } = mail;
  const server = smtpServer(settings);
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ ...server, disableFileAccess: true, disableUrlAccess: true });
  try {
    await transport.sendMail({
      from: settings.from,
      // An object is not parsed as a list: one address stays one.
      to: { name: '', address: to },
      subject,
      text,
      signal,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    });
  } catch (error) {
    // No cause is kept: the server's message often repeats the recipient.
    const reason = signal?.aborted ? 'the service stopped before the server had taken it' : reasonOf(error);
    throw new OddslabError(`A sign-in mail could not be sent by ${server.host}:${server.port}: ${reason}.`);
  } finally {
    transport.close();
  }
}

/** Nodemailer's options for a mail server. @throws {UsageError} If the settings are no SMTP server and sender. */
export function smtpServer({ url, from }: MailSettings) {
  // The URL may hold a password, so no message repeats it.
  const form = 'smtp://USER:PASSWORD@HOST:PORT, or smtps:// for TLS from the start';
  if (!URL.canParse(url)) throw new UsageError(`The mail server must be given as ${form}.`);
  const { protocol, hostname, port, username, password } = new URL(url);
  if (!['smtp:', 'smtps:'].includes(protocol) || hostname === '') {
    throw new UsageError(`The mail server must be given as ${form}; got ${protocol}//…`);
  }
  if (!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(from)) {
    throw new UsageError('The sender of mails must be one address, such as odds@example.org, and nothing else.');
  }
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // Neither a password nor a link may cross a network unencrypted.
    requireTLS: !secure && !isLoopbackUrl(`http://${hostname}`),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    // The connection is closed at once at the end, without waiting for the server.
    socketCloseTimeout: 0,
  };
}

/** The codes of an error, without its message. */
function reasonOf(error: unknown): string {
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown };
  const parts = [code, command, responseCode].filter((part) => part !== undefined && part !== null);
  return parts.length > 0 ? parts.join(' ') : 'for a reason it did not name';
}

/** Makes and sends mails in the background, without delaying answers, and knows which are under way. */
export class Outbox {
  readonly #underWay = new Set<Promise<void>>();
  readonly #over = new AbortController();

  constructor() {
    // Each mail under way adds a listener.
    setMaxListeners(0, this.#over.signal);
  }

  /**
   * Begins to make a mail and to send it, beside others.
   *
   * @param make Gives the mail; undefined if none is to be sent after all.
   * @param onError Called if it cannot be made or sent.
   */
  send(settings: MailSettings, make: () => Promise<Mail | undefined>, onError: (error: unknown) => void): void {
    const work = async () => {
      const mail = await make();
      if (mail) await sendMail(settings, mail, this.#over.signal);
    };
    const sent = work()
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

/** The server that sends sign-in links, and their sender. */
export interface MailSettings {
  /**
   * `smtps://USER:PASSWORD@HOST:PORT` for TLS from the start (default port 465), or `smtp://…` for STARTTLS (default
   * port 587), which is required beyond loopback. User and password are percent-encoded, and may be left out.
   */
  url: string;
  /** The sender's address, such as `odds@example.org`. */
  from: string;
}
