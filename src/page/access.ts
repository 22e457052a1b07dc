import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { UsageError } from '../base/errors.js';
import { PageRefusal } from './refusal.js';

/** The names of this machine by which a page may be asked for; any other is a name that was rebound to it. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

const READING = ['GET', 'HEAD'];

const NO_COOKIE =
  'This browser has not been let in: open the address that "oddslab lab" printed last; each one opens the page once.';

/**
 * Decides who may ask. A browser is let in by an address that holds a code. The code works once, and gives it a cookie
 * that scripts cannot read and that other sites' pages do not send. Programs send a token, if the server has one.
 */
export class Access {
  readonly #token: string | undefined;
  readonly #root: string;
  readonly #key: Buffer;
  #code = secret();

  /**
   * @param root The folder that the page shows. A browser that was let in stays so when the page of that folder is
   *   served again on the same port; what it has open would otherwise be written into another folder.
   * @param key A secret of this user, which outlasts the page.
   * @throws {UsageError} If the token is one that could be guessed or is no word of a header.
   */
  constructor(root: string, key: Buffer, token?: string) {
    if (token !== undefined && !/^[\x21-\x7e]{16,}$/.test(token)) {
      throw new UsageError('A token needs 16 or more characters, of letters, digits and signs without spaces.');
    }
    this.#root = root;
    this.#key = key;
    this.#token = token;
  }

  /** The code that lets the next browser in. */
  get code(): string {
    return this.#code;
  }

  /** Uses up a code: whether it was the present one, which another now takes the place of. */
  takeCode(given: string): boolean {
    if (!isSame(given, this.#code)) return false;
    this.#code = secret();
    return true;
  }

  /** The header that lets a browser in from now on. */
  setCookie(port: number): string {
    return `${cookieName(port)}=${this.#cookie(port)}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /**
   * Lets a request pass or refuses it.
   *
   * @param kind `upgrade` for WebSockets, which browsers open to any site and which therefore must name their page.
   * @throws {PageRefusal} 403 for another host's name, another site's page, or somebody who has not been let in.
   */
  require({ method = '', headers, socket }: IncomingMessage, kind: 'request' | 'upgrade' = 'request'): void {
    this.requireHost(headers.host);
    const { host, origin } = headers;
    if (origin !== undefined && origin !== `http://${host}`) throw foreign();
    const given = /^(?:token|bearer)\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (given !== undefined) {
      if (this.#token !== undefined && isSame(given, this.#token)) return;
      throw new PageRefusal(403, 'The token in the Authorization header is not the one of this server.');
    }
    if (!this.#hasCookie(headers.cookie, socket.localPort ?? 0)) throw new PageRefusal(403, NO_COOKIE);
    const isChange = kind === 'upgrade' || !READING.includes(method);
    const site = headers['sec-fetch-site'];
    if (isChange && origin === undefined) throw foreign();
    // Another port of this machine is the same site, whose pages send the cookie.
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreign();
  }

  /** @throws {PageRefusal} 403 if a request asks for this machine by a name that is not its own. */
  requireHost(host: string | undefined): void {
    if (host !== undefined && OWN_HOST.test(host)) return;
    throw new PageRefusal(403, 'The Host header names another machine: ask for this page by 127.0.0.1 or localhost.');
  }

  /** What the cookie of a port holds. */
  #cookie(port: number): string {
    const hmac = createHmac('sha256', this.#key).update(JSON.stringify([port, this.#root]));
    return hmac.digest('base64url').slice(0, 32);
  }

  #hasCookie(header: string | undefined, port: number): boolean {
    const cookies = (header ?? '').split(';').map((pair) => pair.trim());
    const name = `${cookieName(port)}=`;
    const own = this.#cookie(port);
    // A page of another port may have set a second cookie of that name.
    return cookies.some((pair) => pair.startsWith(name) && isSame(pair.slice(name.length), own));
  }
}

/** Cookies of one host are shared by all of its ports. */
function cookieName(port: number): string {
  return `oddslab-lab-${port}`;
}

function secret(): string {
  return randomBytes(24).toString('base64url');
}

/** Compares in a time that tells nothing of either text. */
function isSame(given: string, own: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(own));
}

function foreign(): PageRefusal {
  return new PageRefusal(403, 'The request comes from a page of another site.');
}
