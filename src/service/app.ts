import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { QUERY_PATH } from '../contract/envelope.js';
import { listKeys, type StoredKey } from './accounts/api-keys.js';
import { KeyUses } from './accounts/key-uses.js';
import { Watched } from './accounts/known-keys.js';
import { readVersion } from './folder/version.js';
import { addressOf } from './http/hosts.js';
import { compressedResponse } from './http/negotiation.js';
import { ProblemError, problemOf, refusalOf, responseOf, struckOut } from './http/problems.js';
import type { Handling } from './http/query-endpoint.js';
import type { ServiceEnv } from './http/request-record.js';
import type { ExampleData } from './openapi/request-examples.js';
import type { Metrics } from './operation/metrics.js';
import { operationRoutes } from './operation/operation-routes.js';
import { allowanceOf, QueryRateLimit } from './operation/token-buckets.js';
import type { Queries } from './query/queries.js';
import { answerBody, queryRoute } from './query/query-route.js';
import { readRequest } from './query/read-request.js';
import type { Settings } from './settings/settings.js';
import type { ServedData } from './store/served-data.js';
import { openDashboard } from './web/dashboard.js';
import type { DashboardOptions, QueryHandler } from './web/desk.js';
import { docsRoutes } from './web/docs-routes.js';
import type { WorkerPeers } from './workers/worker-peers.js';

interface AppOptions extends Pick<DashboardOptions, 'folder' | 'baseUrl' | 'showLink' | 'onError'> {
  stores: ServedData;
  queries: Queries;
  settings: Settings;
  metrics: Metrics;
  isStopping: () => boolean;
  /** The queries a minute that a key may make; 0 for any number. */
  ratePerMinute: number;
  peers?: WorkerPeers | undefined;
}

interface App extends Readonly<Handling['app']> {
  /** Settles once all that it records is on disk and all mails are sent. Mails are given up after `timeMs`. */
  close(timeMs: number): Promise<void>;
}

/** Makes the service: the query endpoint, the documentation, the dashboard and the operator's routes. */
export function createApp(options: AppOptions): App {
  const { folder, stores, queries, settings, metrics, isStopping, peers, showLink, onError } = options;
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
  const { baseUrl, bodySeconds, maxBodyBytes, metricsToken, open, trustProxy } = settings;
  const readMetrics = () => metrics.read(peers);
  app.route('/', operationRoutes({ readMetrics, metricsToken, isStopping, dataState: () => stores.state() }));
  const example = exampleData(folder, stores);
  const address = (headers: Headers) => addressOf(headers, { baseUrl, trustProxy, own: options.baseUrl });
  app.route('/', docsRoutes({ addressOf: address, open, maxBodyBytes, example }));
  const keysChanged = () => {
    keys.forget();
    peers?.keysChanged();
  };
  const pages = openDashboard({
    folder,
    baseUrl: options.baseUrl,
    mail: mailOf(settings),
    showLink,
    bodySeconds,
    open,
    query: triedQuery(queries, rateLimits),
    example,
    keysChanged,
    buckets: peers?.buckets.bind(peers),
    clientOf: trustProxy ? forwardedFor : undefined,
    onError,
  });
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

function mailOf({ smtpUrl, mailFrom }: Settings): DashboardOptions['mail'] {
  return smtpUrl === undefined || mailFrom === undefined ? undefined : { url: smtpUrl, from: mailFrom };
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
