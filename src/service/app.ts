import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { QUERY_PATH } from '../contract/envelope.js';
import { addressOf } from './address-of.js';
import { KeyUses } from './auth/key-uses.js';
import { listKeys, type StoredKey } from './auth/keys.js';
import { type Dashboard, openDashboard } from './dashboard/dashboard.js';
import type { DashboardOptions } from './dashboard/options.js';
import { exampleData } from './example-data.js';
import { docsRoutes } from './openapi/routes.js';
import { compressedResponse } from './operation/compressed-response.js';
import type { Metrics } from './operation/metrics.js';
import { operationRoutes } from './operation/operation-routes.js';
import type { Peers } from './operation/peers.js';
import { allowanceOf, RateLimits } from './operation/rate-limits.js';
import type { Seen } from './operation/seen.js';
import type { ServiceEnv } from './operation/service-env.js';
import type { Settings } from './operation/settings/settings.js';
import { struckOut } from './operation/struck-out.js';
import { ProblemError, type Refusal, refusalOf, responseOf } from './problems.js';
import type { Queries } from './query/queries.js';
import { type QueryRoute, queryRoute } from './query/query-route.js';
import type { ServedData } from './served-data.js';
import { triedQuery } from './tried-query.js';
import { Watched } from './watched.js';

/** What the service is made of. */
export interface AppOptions {
  /** The data folder, whose keys are accepted. */
  folder: string;
  stores: ServedData;
  queries: Queries;
  settings: Settings;
  metrics: Metrics;
  /** Whether the service was told to stop. */
  isStopping: () => boolean;
  /** The address at which browsers reach the service. */
  baseUrl: () => string;
  /** The queries a minute that a key may make; 0 for any number. */
  ratePerMinute: number;
  /** The processes of this service, if there are several. */
  peers?: Peers | undefined;
  /** Shows a sign-in link if no mail server is set. */
  showLink?: ((address: string, link: string) => void) | undefined;
  /** Called with every error that is the service's own fault; it holds nothing of the request's body. */
  onError: (error: unknown, requestId: string) => void;
}

/** The service as a request handler. */
export interface App {
  /** Answers a request of any route but the query endpoint. */
  fetch(request: Request, env: ServiceEnv['Bindings']): Promise<Response>;
  /** The query endpoint. */
  query: QueryRoute;
  /** The answer for an error. An error of the service itself is also reported to the operator. */
  refusal(error: unknown, seen: Seen): Refusal;
  /** Settles once all that it records is on disk and all mails are sent. Mails are given up after `timeMs`. */
  close(timeMs: number): Promise<void>;
}

/** Makes the service: the query endpoint, the documentation, the dashboard and the operator's routes. */
export function createApp(options: AppOptions): App {
  const { folder, stores, queries, settings, metrics, isStopping, peers } = options;
  const app = new Hono<ServiceEnv>();
  let known: readonly StoredKey[] = [];
  const keys: Watched<readonly StoredKey[]> = new Watched(join(folder, 'keys'), async () => {
    known = await listKeys(folder, known, () => keys.forget());
    return known;
  });
  const keyUses = new KeyUses(folder);
  const rateLimits = rateLimitsOf(options);
  peers?.join({ metrics: () => metrics.snapshot(), forgetKeys: () => keys.forget() });
  const query = queryRoute({ settings, queries, keys, keyUses, rateLimits });
  const { metricsToken } = settings;
  const readMetrics = () => metrics.read(peers);
  app.route('/', operationRoutes({ readMetrics, metricsToken, isStopping, dataState: () => stores.state() }));
  const example = exampleData(folder, stores);
  const { baseUrl, trustProxy, open } = settings;
  const address = (headers: Headers) => addressOf(headers, { baseUrl, trustProxy, own: options.baseUrl });
  app.route('/', docsRoutes({ addressOf: address, open, example }));
  const keysChanged = () => {
    keys.forget();
    peers?.keysChanged();
  };
  const pages = dashboard(options, { keysChanged, query: triedQuery(queries, rateLimits), example });
  app.route('/', pages.routes);
  const refusal: App['refusal'] = (error, { id, body }) => {
    if (error instanceof ProblemError) return refusalOf(error, id);
    options.onError(struckOut(error, body), id);
    return refusalOf(new ProblemError(500, 'The service failed on this request; its log tells why.'), id);
  };
  const nothing = new ProblemError(404, `There is nothing here; queries go to ${QUERY_PATH}.`);
  app.notFound(({ env }) => responseOf(refusal(nothing, env.seen)));
  app.onError((error, { env }) => responseOf(refusal(error, env.seen)));
  return {
    query,
    refusal,
    async close(timeMs) {
      await pages.close(timeMs);
      await keyUses.settled();
    },
    async fetch(request, env) {
      const response = await app.fetch(request, env);
      return settings.compress ? compressedResponse(response, env) : response;
    },
  };
}

/** Makes the rate limits; undefined if queries are not limited. */
function rateLimitsOf({ ratePerMinute, settings, peers }: AppOptions): RateLimits | undefined {
  if (ratePerMinute === 0) return undefined;
  const rate = { perMinute: ratePerMinute, burst: settings.rateBurst };
  return new RateLimits(rate, peers?.buckets('keys', allowanceOf(rate)));
}

function dashboard(
  { folder, settings, baseUrl, showLink, onError, peers }: AppOptions,
  shared: Pick<DashboardOptions, 'keysChanged' | 'query' | 'example'>,
): Dashboard {
  const { open, smtpUrl, mailFrom, trustProxy, bodySeconds } = settings;
  const mail = smtpUrl === undefined || mailFrom === undefined ? undefined : { url: smtpUrl, from: mailFrom };
  const clientOf = trustProxy ? forwardedFor : undefined;
  const buckets = peers?.buckets.bind(peers);
  return openDashboard({ folder, baseUrl, mail, showLink, bodySeconds, open, buckets, clientOf, onError, ...shared });
}

/** The client's address as the nearest proxy saw it: the last one in the header. Those before it may be forged. */
function forwardedFor(context: Context): string | undefined {
  return context.req.header('X-Forwarded-For')?.split(',').at(-1)?.trim();
}
