import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import type { Problem } from '../../contract/envelope.js';
import type { Account, Entry, ListedAccount } from '../accounts/accounts.js';
import { listKeys, type StoredKey } from '../accounts/api-keys.js';
import type { Audit, AuditDetails, AuditEvent } from '../accounts/audit.js';
import { loadSecret, Signer } from '../accounts/cookie-signer.js';
import type { AddressList, SignUp } from '../accounts/email-address.js';
import { Tickets } from '../accounts/tickets.js';
import { clientNetwork, isLoopbackUrl } from '../http/hosts.js';
import type { RequestNotes } from '../http/request-record.js';
import { ActionLimit, type Allowance, type Buckets, TokenBuckets } from '../operation/token-buckets.js';
import { type MailSettings, Outbox } from './send-mail.js';
import type { SheetAnswer, SheetMaker } from './sheets.js';

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

/** How many tear sheets one account may have made; those that are kept do not count. */
const SHEETS_AN_ACCOUNT = { burst: 20, refillMs: 10_000 };

/** What the pages of one dashboard share. */
export class Desk {
  readonly options: DashboardOptions;
  readonly now: () => number;
  readonly links: Tickets;
  readonly sessions: Tickets;
  readonly outbox = new Outbox();
  readonly linksOfAddress: ActionLimit;
  readonly linksOfClient: ActionLimit;
  readonly triesOfClient: ActionLimit;
  readonly keysOfAccount: ActionLimit;
  readonly sheetsOfAccount: ActionLimit;
  /** Makes keys one at a time for each account, so that requests at the same time cannot exceed the limit. */
  readonly keyTurns = new Turns();
  #signer: Signer | undefined;
  #keys: readonly StoredKey[] = [];

  constructor(options: DashboardOptions) {
    const { folder, now = Date.now } = options;
    this.options = options;
    this.now = now;
    this.links = new Tickets(folder, 'links', { lifetimeMs: LINK_MINUTES * MINUTE_MS, now });
    this.sessions = new Tickets(folder, 'sessions', { lifetimeMs: SESSION_DAYS * 24 * 60 * MINUTE_MS, now });
    const limit = (sort: string, allowance: Allowance) =>
      new ActionLimit(allowance, options.buckets?.(sort, allowance) ?? new TokenBuckets(allowance, now));
    this.linksOfAddress = limit('links of an address', LINKS_AN_ADDRESS);
    this.linksOfClient = limit('links of a client', LINKS_A_CLIENT);
    this.triesOfClient = limit('tries of a client', TRIES_A_CLIENT);
    this.keysOfAccount = limit('keys of an account', KEYS_AN_ACCOUNT);
    this.sheetsOfAccount = limit('sheets of an account', SHEETS_AN_ACCOUNT);
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
    this.#signer ??= new Signer(await loadSecret(this.options.folder));
    return this.#signer;
  }

  /** The keys of an account, oldest first. @throws {DataError} If they cannot be read. */
  async keysOf(account: Account): Promise<StoredKey[]> {
    const keys = await listKeys(this.options.folder, this.#keys);
    this.#keys = keys;
    return keys.filter(({ owner }) => owner === account.id);
  }

  /** Whether the holder of an address may make an account. */
  mayJoin(email: string): boolean {
    const { signUp, operators } = this.options;
    if (signUp === 'open' || operators?.has(email)) return true;
    return signUp !== 'closed' && signUp.has(email);
  }

  /** Whether an account is an operator's. */
  isOperator({ email }: Pick<ListedAccount, 'email'>): boolean {
    return email !== undefined && this.options.operators?.has(email) === true;
  }

  /** Notes an event in the log, with the request that brought it about. */
  audit(context: Context, event: AuditEvent, details: AuditDetails): void {
    const seen = seenIn(context);
    this.options.audit(event, { ...details, id: seen?.id, client: seen?.client });
  }

  /** What the log calls the holder of an address: their account, else a keyed hash of the address. */
  async named(email: string, { account }: Entry): Promise<Pick<AuditDetails, 'account' | 'address'>> {
    if (account !== undefined) return { account };
    return { address: (await this.signer()).logCodeOf('address', email) };
  }

  /** The name under which rate limits count a request: the network of its client. */
  clientOf(context: Context): string {
    return clientNetwork(seenIn(context)?.client ?? connectionAddress(context) ?? '') ?? 'unknown';
  }
}

/** What the service knows about a request; undefined where a handler is called without it. */
function seenIn(context: Context): RequestNotes | undefined {
  return context.env && 'seen' in context.env ? (context.env.seen as RequestNotes) : undefined;
}

/** The address of a request's connection; undefined without one, as when a handler is called directly. */
function connectionAddress(context: Context): string | undefined {
  return context.env && 'incoming' in context.env ? getConnInfo(context).remote.address : undefined;
}

/** What the dashboard needs. */
export interface DashboardOptions {
  /** The data folder: its `keys`, `accounts` and `dashboard` folders are read and written. */
  folder: string;
  /**
   * The address under which browsers reach the service, such as `https://odds.example`. Links begin with it, and forms
   * are accepted only from its origin. Asked at each request, as a free port is known late. Beyond loopback it must be
   * `https`, or nobody can sign in.
   */
  baseUrl: () => string;
  mail?: MailSettings | undefined;
  /** Shows a sign-in link to the operator. Used only without `mail`, for a base URL on loopback. */
  showLink?: ((address: string, link: string) => void) | undefined;
  /** Who may make an account by signing in. */
  signUp: SignUp;
  /** The addresses whose accounts are operators. Default: none. */
  operators?: AddressList | undefined;
  /** Notes an event in the log. */
  audit: Audit;
  bodySeconds: number;
  /** Whether the service answers queries without a key, which the pages then say. */
  open: boolean;
  /** Answers a request of the try-it page as the endpoint would. */
  query: QueryHandler;
  /** Makes the wallets' pages. Default: there are none. */
  sheets?: DashboardSheets | undefined;
  /** Finds a wallet in the loaded data, to try queries with. Default: none is offered. */
  example?: (() => Promise<{ wallet: string } | undefined>) | undefined;
  /** Token buckets of one sort, shared by all processes of the service. Default: each process has its own. */
  buckets?: ((sort: string, allowance: Allowance) => Buckets) | undefined;
  /** Called for every failure of the service, with the answer's `X-Request-Id`. The error holds no secret. */
  onError: (error: unknown, requestId: string) => void;
  /** The time in milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined;
}

/** What the wallets' pages need. */
interface DashboardSheets {
  maker: SheetMaker;
  /** Answers a request of an account, from a network, as the endpoint would, as text. */
  ask: (request: unknown, account: string, network: string) => Promise<SheetAnswer>;
  /** The version of the data that is served now; undefined if none is. */
  version: () => Promise<string | undefined>;
}

/**
 * Answers a request envelope of an account, from a network, as the endpoint would. Faults of the client are returned as a problem; only
 * failures of the service are thrown.
 */
export type QueryHandler = (
  request: unknown,
  account: string,
  network: string,
) => Promise<{ answer: TriedAnswer /** Of the data. */; version: string } | { problem: Problem }>;

/** The part of the answer envelope that the try-it page shows. */
export interface TriedAnswer {
  pagination: { limit: number; offset: number; has_more: boolean };
  /** As it was sent. */
  completeness?: unknown;
  data: { results: readonly Readonly<Record<string, unknown>>[] };
}

/** Does one thing at a time for each name. */
class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs work once all earlier work of the same name has ended, whether or not it failed. */
  async take<T>(name: string, doing: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(name) ?? Promise.resolve()).then(doing, doing);
    this.#last.set(name, done);
    try {
      return await done;
    } finally {
      if (this.#last.get(name) === done) this.#last.delete(name);
    }
  }
}
