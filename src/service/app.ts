import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { QUERY_PATH, SHORT_QUERY_PATH } from '../contract/envelope.js';
import { KeyUses } from './auth/key-uses.js';
import { listKeys, type StoredKey } from './auth/keys.js';
import { dashboardRoutes } from './dashboard/routes.js';
import { docsRoutes } from './openapi/routes.js';
import { compressedResponse } from './operation/compressed-response.js';
import type { Metrics } from './operation/metrics.js';
import { operationRoutes } from './operation/operation-routes.js';
import { RateLimits } from './operation/rate-limits.js';
import type { ServiceEnv } from './operation/service-env.js';
import type { Settings } from './operation/settings/settings.js';
import { struckOut } from './operation/struck-out.js';
import { ProblemError, problemResponse } from './problems.js';
import type { Queries } from './queries.js';
import { queryRoute } from './query-route.js';
import type { Stores } from './stores.js';
import { triedQuery } from './tried-query.js';
import { Watched } from './watched.js';

/** What the service runs on. */
export interface AppOptions {
  /** The data folder, whose keys are accepted. */
  folder: string;
  stores: Stores;
  queries: Queries;
  settings: Settings;
  metrics: Metrics;
  /** Whether the service was told to stop. */
  isStopping: () => boolean;
  /** Where browsers reach it. */
  baseUrl: () => string;
  /** Queries a minute that a key may make; 0 for any number. */
  ratePerMinute: number;
  /** Shows a sign-in link where no mail is set. */
  showLink?: ((address: string, link: string) => void) | undefined;
  /** Told of every error that is ours, not the client's; it holds nothing of the request's body. */
  onError: (error: unknown, requestId: string) => void;
}

/** The service as a request handler. */
export interface App {
  fetch(request: Request, env: ServiceEnv['Bindings']): Promise<Response>;
  /** Settles once everything that it noted is on disk. */
  settled(): Promise<void>;
}

/** The query endpoint on its two paths, the documentation, the dashboard, and the routes for the operator. */
export function createApp(options: AppOptions): App {
  const { folder, stores, queries, settings, metrics, isStopping, ratePerMinute } = options;
  const app = new Hono<ServiceEnv>();
  let known: readonly StoredKey[] = [];
  const keys = new Watched(join(folder, 'keys'), async () => {
    known = await listKeys(folder, known);
    return known;
  });
  const keyUses = new KeyUses(folder);
  const rateLimits =
    ratePerMinute === 0 ? undefined : new RateLimits({ perMinute: ratePerMinute, burst: settings.rateBurst });
  const query = queryRoute({ settings, queries, keys: () => keys.get(), keyUses, rateLimits });
  for (const path of [QUERY_PATH, SHORT_QUERY_PATH]) app.all(path, query);
  const { metricsToken } = settings;
  app.route('/', operationRoutes({ metrics, metricsToken, isStopping, dataState: () => stores.state() }));
  app.route('/', docsRoutes());
  app.route(
    '/',
    dashboard(options, () => keys.forget(), triedQuery(queries, rateLimits)),
  );
  app.notFound((context) =>
    problem(context, new ProblemError(404, `There is nothing here; queries go to ${QUERY_PATH}.`)),
  );
  app.onError((error, context) => {
    if (error instanceof ProblemError) return problem(context, error);
    const { id, body } = context.env.seen;
    options.onError(struckOut(error, body), id);
    return problem(context, new ProblemError(500, 'The service failed on this request; its log tells why.'));
  });
  return {
    settled: () => keyUses.settled(),
    async fetch(request, env) {
      const response = await app.fetch(request, env);
      return settings.compress ? compressedResponse(response, env) : response;
    },
  };
}

function dashboard(
  { folder, settings, baseUrl, showLink, onError }: AppOptions,
  keysChanged: () => void,
  query: ReturnType<typeof triedQuery>,
): Hono {
  const { open, smtpUrl, mailFrom, trustProxy } = settings;
  const mail = smtpUrl === undefined || mailFrom === undefined ? undefined : { url: smtpUrl, from: mailFrom };
  const clientOf = trustProxy ? forwardedFor : undefined;
  return dashboardRoutes({ folder, baseUrl, mail, showLink, open, query, keysChanged, clientOf, onError });
}

/** The address that the proxy next to the service saw: it adds the last one, what stands before may be made up. */
function forwardedFor(context: Context<ServiceEnv>): string {
  const forwarded = context.req.header('X-Forwarded-For')?.split(',').at(-1)?.trim();
  return forwarded || (context.env.incoming.socket.remoteAddress ?? 'unknown');
}

function problem(context: Context<ServiceEnv>, error: ProblemError): Response {
  return problemResponse(error, context.env.seen.id);
}
