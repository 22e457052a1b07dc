import { type Context, Hono } from 'hono';
import { QUERY_PATH } from '../contract/envelope.js';
import type { Audit } from './accounts/audit.js';
import { readAddressList, readSignUp, type SignUp } from './accounts/email-address.js';
import { KeyUses } from './accounts/key-uses.js';
import { Keyring } from './accounts/known-keys.js';
import { readVersion } from './folder/version.js';
import type { ClientReader } from './http/hosts.js';
import { addressOf, isLoopback, isLoopbackUrl } from './http/hosts.js';
import { compressedResponse } from './http/negotiation.js';
import { ProblemError, problemOf, refusalOf, responseOf, struckOut } from './http/problems.js';
import type { Handling } from './http/query-endpoint.js';
import type { ServiceEnv } from './http/request-record.js';
import type { ExampleData } from './openapi/request-examples.js';
import { Admission, REFUSALS_OF_A_NETWORK } from './operation/admission.js';
import type { Metrics } from './operation/metrics.js';
import { operationRoutes } from './operation/operation-routes.js';
import { ActionLimit, allowanceOf, QueryRateLimit, QueryRateLimits } from './operation/token-buckets.js';
import type { Queries } from './query/queries.js';
import { answerBody, queryRoute } from './query/query-route.js';
import { readRequest } from './query/read-request.js';
import type { Settings } from './settings/settings.js';
import type { ServedData } from './store/served-data.js';
import { openDashboard } from './web/dashboard.js';
import type { DashboardOptions, QueryHandler } from './web/desk.js';
import { docsRoutes } from './web/docs-routes.js';
import type { SheetAnswer, SheetMaker } from './web/sheets.js';
import type { WorkerPeers } from './workers/worker-peers.js';

/** The queries a minute that an account or a key may make by default, if the service listens beyond loopback. */
const RATE_PER_MINUTE = 1200;

interface AppOptions extends Pick<DashboardOptions, 'folder' | 'baseUrl' | 'showLink' | 'onError'> {
  stores: ServedData;
  queries: Queries;
  settings: Settings;
  clients: ClientReader;
  audit: Audit;
  metrics: Metrics;
  isStopping: () => boolean;
  peers?: WorkerPeers | undefined;
  /** Makes the wallets' pages of the dashboard. */
  sheets?: SheetMaker | undefined;
}

interface App extends Readonly<Handling['app']> {
  /** Settles once all that it records is on disk and all mails are sent. Mails are given up after `timeMs`. */
  close(timeMs: number): Promise<void>;
}

/** Makes the service: the query endpoint, the documentation, the dashboard and the operator's routes. */
export function createApp(options: AppOptions): App {
  const { folder, stores, queries, settings, clients, metrics, isStopping, peers, showLink, onError } = options;
  const app = new Hono<ServiceEnv>();
  const keyUses = new KeyUses(folder);
  const ofNetworks = peers?.buckets('refusals of a network', REFUSALS_OF_A_NETWORK);
  const refusals = new ActionLimit(REFUSALS_OF_A_NETWORK, ofNetworks);
  const admission = new Admission({ keys: new Keyring(folder), keyUses, refusals });
  const rateLimits = rateLimitsOf(options);
  peers?.join({ metrics: () => metrics.snapshot() });
  const query = queryRoute({ settings, queries, admission, rateLimits });
  const { baseUrl, bodySeconds, maxBodyBytes, metricsToken, open, operators } = settings;
  const readMetrics = () => metrics.read(peers);
  const othersLack = () => peers?.isLacking === true;
  app.route('/', operationRoutes({ readMetrics, metricsToken, admission, isStopping, othersLack, data: stores }));
  const example = exampleData(folder, stores);
  const address = ({ req, env }: Context<ServiceEnv>) => {
    const isProxy = clients.isProxy(env.incoming.socket.remoteAddress);
    return addressOf(req.raw.headers, { baseUrl, isProxy, own: options.baseUrl });
  };
  app.route('/', docsRoutes({ addressOf: address, open, maxBodyBytes, example }));
  const pages = openDashboard({
    folder,
    baseUrl: options.baseUrl,
    mail: mailOf(settings),
    showLink,
    bodySeconds,
    open,
    query: triedQuery(queries, rateLimits),
    sheets: options.sheets && {
      maker: options.sheets,
      ask: textQuery(queries, rateLimits),
      version: () => stores.use(async (_store, id) => id),
    },
    example,
    buckets: peers?.buckets.bind(peers),
    signUp: signUpOf(settings),
    operators: operators === undefined ? undefined : readAddressList(operators),
    audit: options.audit,
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
      options.sheets?.close();
      await pages.close(timeMs);
      await keyUses.settled();
    },
    async fetch(request, env) {
      const response = await app.fetch(request, env);
      return settings.compress ? compressedResponse(response, env) : response;
    },
  };
}

/** How many times as much as an account all that come from one network may ask together, if it is not set. */
const ACCOUNTS_A_NETWORK = 5;

/**
 * How many queries a minute an account or a key may make, and how many may come from a network; 0 for any number. Where
 * nobody but this machine reaches the service there is no limit unless it is set.
 */
export function ratesOf(settings: Pick<Settings, 'host' | 'baseUrl' | 'ratePerMinute' | 'networkRatePerMinute'>) {
  const { ratePerMinute = isForItself(settings) ? 0 : RATE_PER_MINUTE } = settings;
  const { networkRatePerMinute = ACCOUNTS_A_NETWORK * ratePerMinute } = settings;
  return { ratePerMinute, networkRatePerMinute };
}

function rateLimitsOf({ settings, peers }: AppOptions): QueryRateLimits {
  const { ratePerMinute, networkRatePerMinute } = ratesOf(settings);
  const { rateBurst, networkRateBurst = ACCOUNTS_A_NETWORK * rateBurst } = settings;
  const limit = (sort: string, perMinute: number, burst: number) => {
    const rate = { perMinute, burst };
    return perMinute === 0 ? undefined : new QueryRateLimit(rate, peers?.buckets(sort, allowanceOf(rate)));
  };
  const ofHolders = limit('keys', ratePerMinute, rateBurst);
  return new QueryRateLimits(ofHolders, limit('networks', networkRatePerMinute, networkRateBurst));
}

function mailOf({ smtpUrl, mailFrom }: Settings): DashboardOptions['mail'] {
  return smtpUrl === undefined || mailFrom === undefined ? undefined : { url: smtpUrl, from: mailFrom };
}

/** Who may make an account: if it is not set, anybody where nobody but this machine reaches the service, else nobody. */
export function signUpOf(settings: Pick<Settings, 'signUp' | 'host' | 'baseUrl'>): SignUp {
  const { signUp } = settings;
  if (signUp !== undefined) return readSignUp(signUp) ?? 'closed';
  return isForItself(settings) ? 'open' : 'closed';
}

/** Whether nobody but this machine reaches the service: it listens on loopback, and no proxy gives it another address. */
function isForItself({ host, baseUrl }: Pick<Settings, 'host' | 'baseUrl'>): boolean {
  return isLoopback(host) && (baseUrl === undefined || isLoopbackUrl(baseUrl));
}

/** Answers queries of the dashboard's try-it page as the endpoint would. */
function triedQuery(queries: Queries, rateLimits: QueryRateLimits): QueryHandler {
  const ask = textQuery(queries, rateLimits);
  return async (body, account, network) => {
    const told = await ask(body, account, network);
    return 'body' in told ? { answer: JSON.parse(told.body), version: told.version } : told;
  };
}

/** Answers queries of the dashboard's pages as the endpoint would. They count against the rates of the account and the network. */
function textQuery(queries: Queries, rateLimits: QueryRateLimits) {
  return async (
    body: unknown,
    account: string,
    network: string,
  ): Promise<Exclude<SheetAnswer, { body: string }> | { body: string; version: string }> => {
    try {
      await rateLimits.take({ owner: account }, network);
      const request = readRequest(body);
      const { page, version } = await queries.run(request);
      // There is always a page, since the request names no answer that is already known.
      const { bytes } = page ? await answerBody(request, page, undefined) : { bytes: Buffer.from('null') };
      return { body: Buffer.from(bytes).toString(), version };
    } catch (error) {
      if (error instanceof ProblemError) return { problem: problemOf(error, '') };
      throw error;
    }
  };
}

/**
 * Finds a wallet, a market and a token in the served data, for example queries: the wallet with the most fills, the
 * closed market with the most volume, or an open one if none is closed, and what the wallet traded last.
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
        const [wallet] = (await readVersion(folder, name, true)).manifest.busiest;
        const one = { limit: 1, offset: 0 };
        const [market] = [...(await store.markets({ closed: true }, one)), ...(await store.markets({}, one))];
        // Data of an earlier release have no fills.
        const [fill] = wallet ? await store.fills({ proxy_wallet: [wallet] }, one).catch(() => []) : [];
        const found = { slug: market?.slug ?? '', closed: market?.closed ?? false };
        const example = wallet && market ? { wallet, market: found, token: fill?.token } : undefined;
        known = { id, example };
        return example;
      })
      .catch(() => undefined);
}
