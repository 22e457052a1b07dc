import type { Context } from 'hono';
import type { Problem } from '../../contract/envelope.js';
import type { Allowance, Buckets } from '../operation/token-buckets.js';

/** What the dashboard needs. */
export interface DashboardOptions {
  /** The data folder: its `keys`, `accounts` and `dashboard` folders are read and written. */
  folder: string;
  /**
   * The address under which browsers reach the service, such as `https://odds.example` or `http://127.0.0.1:8787`.
   * Links begin with it, and forms are accepted only from its origin. It is asked at each request, as a free port is
   * known late. Beyond loopback it must be `https`, or nobody can sign in.
   */
  baseUrl: () => string;
  /** The server that sends sign-in links. Without it the dashboard needs {@link DashboardOptions.showLink}. */
  mail?: MailSettings | undefined;
  /**
   * Shows a sign-in link to the operator instead of mailing it. Used only without `mail`, for a base URL on loopback.
   */
  showLink?: ((address: string, link: string) => void) | undefined;
  /** How many seconds the body of a form may take. */
  bodySeconds: number;
  /** Whether the service answers queries without a key, which the pages then say. */
  open: boolean;
  /** Answers a request of the try-it page as the endpoint would. */
  query: QueryHandler;
  /** Finds a wallet in the loaded data, to try queries with. Default: none is offered. */
  example?: (() => Promise<{ wallet: string } | undefined>) | undefined;
  /** Called after a key was made or revoked here, so that the change takes effect at once. */
  keysChanged?: (() => void) | undefined;
  /** Token buckets of one sort, shared by all processes of the service. Default: each process has its own. */
  buckets?: ((sort: string, allowance: Allowance) => Buckets) | undefined;
  /** The address of a request's client, for the rate limits. Default, also if it returns none: the connection's. */
  clientOf?: ((context: Context) => string | undefined) | undefined;
  /**
   * Called for every failure of the service, with the answer's `X-Request-Id`, or an empty text if it has none. The
   * error holds no link, key or mail address.
   */
  onError: (error: unknown, requestId: string) => void;
  /** The time in milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined;
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

/**
 * Answers a query, given its request envelope as a JSON value, and the id of the account that asks, for the rate
 * limits. Faults of the client are returned as a problem; only failures of the service are thrown.
 */
export type QueryHandler = (request: unknown, account: string) => Promise<{ answer: Answer } | { problem: Problem }>;

/** The part of the answer envelope that the try-it page shows. */
export interface Answer {
  pagination: { limit: number; offset: number; has_more: boolean };
  data: { results: readonly Readonly<Record<string, unknown>>[] };
}
