import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import type { Account } from '../auth/accounts.js';
import { listKeys, type StoredKey } from '../auth/keys.js';
import { loadSecret } from '../auth/secret.js';
import { Tickets } from '../auth/tickets.js';
import type { Allowance } from '../operation/token-buckets.js';
import { isLoopbackUrl } from './base-url.js';
import { clientNetwork } from './client-network.js';
import type { DashboardOptions } from './options.js';
import { Outbox } from './outbox.js';
import { RateLimit } from './rate-limit.js';
import { Signer } from './signer.js';
import { Turns } from './turns.js';

/** Minutes for which a sign-in link can be used. */
export const LINK_MINUTES = 15;

/** Days after which a session ends. */
export const SESSION_DAYS = 7;

const MINUTE_MS = 60_000;

/** How many links may be sent to one address, and be asked for by one client. */
const LINKS_AN_ADDRESS = { burst: 5, refillMs: 12 * MINUTE_MS };
const LINKS_A_CLIENT = { burst: 20, refillMs: 3 * MINUTE_MS };

/** How often one client may press the button of a link. */
const TRIES_A_CLIENT = { burst: 30, refillMs: MINUTE_MS };

/** How many keys one account may make. Each one has every process of the service read the keys again. */
const KEYS_AN_ACCOUNT = { burst: 30, refillMs: 2 * MINUTE_MS };

/** What the pages of one dashboard share. */
export class Desk {
  readonly options: DashboardOptions;
  readonly now: () => number;
  readonly links: Tickets;
  readonly sessions: Tickets;
  readonly outbox = new Outbox();
  readonly linksOfAddress: RateLimit;
  readonly linksOfClient: RateLimit;
  readonly triesOfClient: RateLimit;
  readonly keysOfAccount: RateLimit;
  /** Makes keys one at a time for each account, so that requests at the same time cannot exceed the limit. */
  readonly keyTurns = new Turns();
  #signer: Promise<Signer> | undefined;
  #keys: readonly StoredKey[] = [];

  constructor(options: DashboardOptions) {
    const { folder, now = Date.now } = options;
    this.options = options;
    this.now = now;
    this.links = new Tickets(folder, 'links', { lifetimeMs: LINK_MINUTES * MINUTE_MS, now });
    this.sessions = new Tickets(folder, 'sessions', { lifetimeMs: SESSION_DAYS * 24 * 60 * MINUTE_MS, now });
    const limit = (sort: string, allowance: Allowance) =>
      new RateLimit(allowance, now, options.buckets?.(sort, allowance));
    this.linksOfAddress = limit('links of an address', LINKS_AN_ADDRESS);
    this.linksOfClient = limit('links of a client', LINKS_A_CLIENT);
    this.triesOfClient = limit('tries of a client', TRIES_A_CLIENT);
    this.keysOfAccount = limit('keys of an account', KEYS_AN_ACCOUNT);
  }

  /** How sign-in links get to people; undefined if the operator has not set it up. */
  get way(): 'mail' | 'terminal' | undefined {
    const isLoopback = isLoopbackUrl(this.options.baseUrl());
    if (this.options.mail) return isLoopback || this.isSecure ? 'mail' : undefined;
    return this.options.showLink && isLoopback ? 'terminal' : undefined;
  }

  /** Whether browsers reach the service by TLS, so that cookies must be sent only by TLS. */
  get isSecure(): boolean {
    return this.options.baseUrl().startsWith('https:');
  }

  /** The signer with the data folder's secret. @throws {DataError} If the secret can be neither read nor made. */
  async signer(): Promise<Signer> {
    this.#signer ??= loadSecret(this.options.folder).then((secret) => new Signer(secret));
    return this.#signer.catch((error) => {
      this.#signer = undefined;
      throw error;
    });
  }

  /** The keys of an account, oldest first. @throws {DataError} If they cannot be read. */
  async keysOf(account: Account): Promise<StoredKey[]> {
    const keys = await listKeys(this.options.folder, this.#keys);
    this.#keys = keys;
    return keys.filter(({ owner }) => owner === account.id);
  }

  /** The name under which rate limits count a request: the network of its client. */
  clientOf(context: Context): string {
    const told = [this.options.clientOf?.(context), addressOf(context)];
    return told.flatMap((address) => clientNetwork(address ?? '') ?? [])[0] ?? 'unknown';
  }
}

/** The address of a request's connection; undefined without one, as when a handler is called directly. */
function addressOf(context: Context): string | undefined {
  return context.env && 'incoming' in context.env ? getConnInfo(context).remote.address : undefined;
}
