import type { Context } from 'hono';
import type { Problem } from '../../contract/envelope.js';
import type { Allowance, Buckets } from '../operation/token-buckets.js';

/** What the dashboard runs on. */
export interface DashboardOptions {
  /** The data folder: its `keys`, `accounts` and `dashboard` folders are read and written. */
  folder: string;
  /**
   * The address under which browsers reach the service, such as `https://odds.example` or `http://127.0.0.1:8787`: what
   * links begin with, and the one origin that forms are taken from. Asked at each request, as a free port is known late.
   * Beyond loopback it must be `https`, or nobody can sign in.
   */
  baseUrl: () => string;
  /** The server that sends sign-in links. Without it the dashboard needs {@link DashboardOptions.showLink}. */
  mail?: MailSettings | undefined;
  /** Shows a sign-in link to the operator instead of mailing it: for a base URL on loopback alone, where no mail is set. */
  showLink?: ((address: string, link: string) => void) | undefined;
  /** How many seconds a form may take to come. */
  bodySeconds: number;
  /** Whether the service answers queries without a key: then the pages say so. */
  open: boolean;
  /** Answers a request of the try-it page, as the endpoint would. */
  query: QueryHandler;
  /** A wallet of the data that are loaded, to try queries with. Default: none is offered. */
  example?: (() => Promise<{ wallet: string } | undefined>) | undefined;
  /** Called after a key was made or revoked here, so that it is in force at once. */
  keysChanged?: (() => void) | undefined;
  /** Token buckets of one sort that count for every process of the service. Default: each counts for itself. */
  buckets?: ((sort: string, allowance: Allowance) => Buckets) | undefined;
  /** The address of a request's client, for the rate limits. Default, and where it gives none: the connection's. */
  clientOf?: ((context: Context) => string | undefined) | undefined;
  /**
   * Told of every failure that is ours, with the `X-Request-Id` of the answer, or an empty text where it has none. What
   * it gets holds no link, key or mail address.
   */
  onError: (error: unknown, requestId: string) => void;
  /** The time in milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined;
}

/** The server that sends sign-in links, and in whose name. */
export interface MailSettings {
  /**
   * `smtps://USER:PASSWORD@HOST:PORT` for TLS from the start (port 465 where none is given), `smtp://…` for STARTTLS
   * (587), which is insisted on beyond loopback. User and password are percent-encoded, and may be left out.
   */
  url: string;
  /** The sender: an address, such as `odds@example.org`. */
  from: string;
}

/**
 * Answers a query: the request envelope as JSON would hold it, and the id of the account that asks, for rate limits.
 * What the client did wrong comes back as a problem; only a failure of ours is thrown.
 */
export type QueryHandler = (request: unknown, account: string) => Promise<{ answer: Answer } | { problem: Problem }>;

/** The answer envelope, as far as the try-it page shows it. */
export interface Answer {
  pagination: { limit: number; offset: number; has_more: boolean };
  data: { results: readonly Readonly<Record<string, unknown>>[] };
}
