import { connect } from '../src/client/connect.js';
import { LEADERBOARD_ORDERS, PERIOD_DAYS } from '../src/contract/leaderboard.js';
import { CANDLE_INTERVALS, GRANULARITIES } from '../src/contract/time.js';

/** Names of records that a service holds, which requests ask for. */
export interface KnownNames {
  readonly wallets: readonly string[];
  /** Condition ids of markets, those with the largest volume. */
  readonly markets: readonly string[];
  /** Token ids of their first sides. */
  readonly tokens: readonly string[];
  readonly events: readonly string[];
  readonly categories: readonly string[];
}

/** The kinds of requests: two a dataset where one of them is answered otherwise. */
type RequestKind =
  | 'wallet'
  | 'paged wallet'
  | 'wallet by market'
  | 'lifetimes'
  | 'markets'
  | 'markets by state'
  | 'trades'
  | 'candles'
  | 'leaderboard'
  | 'positions'
  | 'rare'
  | 'wrong';

/** A request of the mix and its expected status. */
export interface SoakRequest {
  readonly kind: RequestKind;
  readonly body: string;
  readonly status: number;
  /** Whether the key is sent. */
  readonly hasKey: boolean;
}

const MARKETS_NAMED = 40;

/** Fills whose categories are named. */
const FILLS_READ = 1000;

/** Asks a service without keys for the names that requests then use. */
export async function knownNames(url: string, wallets: readonly string[]): Promise<KnownNames> {
  const client = connect({ baseUrl: url, progress: false });
  const markets = await listOf(client.markets({}, { maxRecords: MARKETS_NAMED }).records());
  const fills = await listOf(client.trades({}, { maxRecords: FILLS_READ }).records());
  await client.close();
  return {
    wallets,
    markets: markets.map(({ condition_id }) => condition_id),
    tokens: namesOf(markets.map(({ side_a_token_id }) => side_a_token_id)),
    events: namesOf(markets.map(({ event_slug }) => event_slug)),
    categories: namesOf(fills.map(({ category }) => category)),
  };
}

async function listOf<T>(records: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const record of records) list.push(record);
  return list;
}

function namesOf(texts: readonly (string | null)[]): string[] {
  return [...new Set(texts.filter((text) => text !== null))];
}

/** Draws requests of a kind, each with its share among all. */
const MIX: readonly (readonly [share: number, kind: RequestKind, draw: (names: KnownNames) => Asked])[] = [
  [20, 'wallet', ({ wallets }) => [569, { wallet: one(wallets), granularity: one(GRANULARITIES) }]],
  [10, 'paged wallet', ({ wallets }) => [569, { wallet: one(wallets) }, { limit: 10, offset: 10 * below(4) }]],
  [8, 'wallet by market', pnlByMarket],
  [10, 'lifetimes', ({ wallets }) => [586, { wallet_address: one(wallets) }]],
  [6, 'markets', () => [574, {}, { limit: 50, offset: 50 * below(4) }]],
  [4, 'markets by state', () => [555, { closed: one(['True', 'False']) }, { limit: 50, offset: 0 }]],
  [10, 'trades', trades],
  [6, 'candles', ({ tokens }) => [568, { token_id: one(tokens), interval: one(CANDLE_INTERVALS) }]],
  [6, 'leaderboard', leaderboard],
  [6, 'positions', positions],
  [8, 'rare', rare],
];

/** A dataset, its filters and the part of the records that is asked for. */
type Asked = readonly [
  dataset: number,
  params: Readonly<Record<string, string | undefined>>,
  pagination?: { readonly limit: number; readonly offset: number },
];

/** The share of wrong requests, beside those of the mix. */
const WRONG_SHARE = 6;

const WRONG: readonly (readonly [body: string, status: number, hasKey: boolean])[] = [
  ['{"agent_id":1}', 404, true],
  ['{"agent_id":569,"params":{"wallet":"nobody"}}', 422, true],
  ['{"agent_id":574,"params":{"closd":"True"}}', 422, true],
  ['{"agent_id":579,"params":{"sort_by":"luck"}}', 422, true],
  ['{"agent_id":574', 400, true],
  ['{"agent_id":574}', 401, false],
];

const ALL_SHARES = WRONG_SHARE + MIX.reduce((sum, [share]) => sum + share, 0);

/** Draws a random request over all datasets: one that recurs, one that hardly does, or a wrong one. */
export function drawRequest(names: KnownNames): SoakRequest {
  let at = Math.random() * ALL_SHARES;
  for (const [share, kind, draw] of MIX) {
    at -= share;
    if (at < 0) return { kind, body: bodyOf(draw(names)), status: 200, hasKey: true };
  }
  const [body, status, hasKey] = one(WRONG);
  return { kind: 'wrong', body, status, hasKey };
}

function bodyOf([agent_id, params, pagination = { limit: 200, offset: 0 }]: Asked): string {
  return JSON.stringify({ agent_id, params, pagination });
}

function pnlByMarket({ wallets, markets, categories }: KnownNames): Asked {
  const narrowed = one([{}, {}, { category: one(categories) }, { condition_id: `${one(markets)},${one(markets)}` }]);
  const by = one(['market', 'event', 'category', undefined]);
  return [569, { wallet: one(wallets), granularity: one(['1w', 'all']), by, ...narrowed }];
}

function trades({ wallets, markets, tokens, events, categories }: KnownNames): Asked {
  const narrowed = one<Asked[1]>([
    { proxy_wallet: one(wallets) },
    { proxy_wallet: `${one(wallets)},${one(wallets)}`, side: one(['BUY', 'SELL']) },
    { condition_id: one(markets) },
    { token_id: one(tokens) },
    { event_slug: one(events) },
    { category: one(categories) },
    {},
  ]);
  return [556, narrowed, { limit: 50, offset: 50 * below(3) }];
}

function leaderboard({ wallets }: KnownNames): Asked {
  const leaderboard_period = one(Object.keys(PERIOD_DAYS));
  const own = one([{}, {}, { wallet_address: one(wallets) }]);
  return [579, { leaderboard_period, sort_by: one(LEADERBOARD_ORDERS), ...own }, { limit: 20, offset: 20 * below(2) }];
}

function positions({ wallets, categories }: KnownNames): Asked {
  const narrowed = one([{}, {}, { category: one(categories) }]);
  return [9001, { wallet: one(wallets), status: one(['open', 'closed', undefined]), ...narrowed }];
}

/** A request that hardly ever recurs. */
function rare({ wallets }: KnownNames): Asked {
  const start_time = new Date(Date.UTC(2020, 0, 1) + below(2000) * 86_400_000).toISOString().slice(0, 10);
  return one<() => Asked>([
    () => [569, { wallet: one(wallets), start_time }],
    () => [574, { min_volume: String(below(100_000)) }, { limit: 20, offset: 0 }],
    () => [556, { proxy_wallet: one(wallets), start_time: String(1_577_836_800 + below(200_000_000)) }],
    () => [579, { min_volume: String(below(100_000)) }, { limit: 20, offset: 0 }],
  ])();
}

function one<T>(values: readonly T[]): T {
  const value = values[below(values.length)];
  if (values.length === 0) throw new RangeError('The sample lacks what requests are to name');
  return value as T;
}

function below(count: number): number {
  return Math.floor(Math.random() * count);
}
