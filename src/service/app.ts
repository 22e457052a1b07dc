import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { QUERY_PATH } from '../contract/envelope.js';
import { listKeys, type StoredKey } from './accounts/api-keys.js';
import { KeyUses } from './accounts/key-uses.js';
import { Watched } from './accounts/known-keys.js';
import { readVersion } from './folder/version.js';
import { addressOf } from './http/hosts.js';
import { compressedResponse } from './http/negotiation.js';
import { ProblemError, problemOf, type Refusal, refusalOf, responseOf, struckOut } from './http/problems.js';
import type { QueryRoute } from './http/query-endpoint.js';
import type { RequestNotes, ServiceEnv } from './http/request-record.js';
import type { ExampleData } from './openapi/request-examples.js';
import type { Metrics } from './operation/metrics.js';
import { operationRoutes } from './operation/operation-routes.js';
import type { Peers } from './operation/peers.js';
import { allowanceOf, QueryRateLimit } from './operation/token-buckets.js';
import type { Queries } from './query/queries.js';
import { answerBody, queryRoute } from './query/query-route.js';
import { readRequest } from './query/read-request.js';
import type { Settings } from './settings/settings.js';
import type { ServedData } from './store/served-data.js';
import { type Dashboard, openDashboard } from './web/dashboard.js';
import type { DashboardOptions, QueryHandler } from './web/desk.js';
import { docsRoutes } from './web/docs-routes.js';

/** What the service is made of. */
interface AppOptions {
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
interface App {
  /** Answers a request of any route but the query endpoint. */
  fetch(request: Request, env: ServiceEnv['Bindings']): Promise<Response>;
  /** The query endpoint. */
  query: QueryRoute;
  /** The answer for an error. An error of the service itself is also reported to the operator. */
  refusal(error: unknown, seen: RequestNotes): Refusal;
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
  const { baseUrl, trustProxy, open, maxBodyBytes } = settings;
  const address = (headers: Headers) => addressOf(headers, { baseUrl, trustProxy, own: options.baseUrl });
  app.route('/', docsRoutes({ addressOf: address, open, maxBodyBytes, example }));
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
function rateLimitsOf({ ratePerMinute, settings, peers }: AppOptions): QueryRateLimit | undefined {
  if (ratePerMinute === 0) return undefined;
  const rate = { perMinute: ratePerMinute, burst: settings.rateBurst };
  return new QueryRateLimit(rate, peers?.buckets('keys', allowanceOf(rate)));
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

/** Answers queries of the dashboard's try-it page as the endpoint would. Rate limits count an account like a key. */
function triedQuery(queries: Queries, rateLimits: QueryRateLimit | undefined): QueryHandler {
  return async (body, account) => {
    try {
      await rateLimits?.take(`account ${account}`);
      const request = readRequest(body);
      const { page } = await queries.run(request);
      // There is always a page, since the request names no answer that is already known.
      const { bytes } = page ? await answerBody(request, page, undefined) : { bytes: Buffer.from('null') };
      return { answer: JSON.parse(Buffer.from(bytes).toString()) };
    } catch (error) {
      if (error instanceof ProblemError) return { problem: problemOf(error, '') };
      throw error;
    }
  };
}

/**
 * Finds a wallet and a market in the served data, for example queries: the wallet with the most fills and the closed
 * market with the most volume, or an open one if none is closed.
 *
 * @param folder The data folder, whose versions name their busiest wallets.
 * @returns A function that gives the example; undefined if no data are loaded, or no wallet or market is known.
 */
function exampleData(folder: string, data: ServedData): () => Promise<ExampleData | undefined> {
  let known: { id: string; example: ExampleData | undefined } | undefined;
  return () =>
    data
      .use(async (store, id) => {
        if (known?.id === id) return known.example;
        const [name = ''] = id.split('-');
        const [wallet] = (await readVersion(folder, name)).manifest.busiest;
        const one = { limit: 1, offset: 0 };
        const [market] = [...(await store.markets({ closed: true }, one)), ...(await store.markets({}, one))];
        const example = wallet && market ? { wallet, market: { slug: market.slug, closed: market.closed } } : undefined;
        known = { id, example };
        return example;
      })
      .catch(() => undefined);
}
