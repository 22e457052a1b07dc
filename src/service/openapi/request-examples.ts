import { CANDLES } from '../../contract/candles.js';
import type { DATASETS } from '../../contract/dataset.js';
import { LEADERBOARD } from '../../contract/leaderboard.js';
import { LIFETIME } from '../../contract/lifetime.js';
import { MARKETS } from '../../contract/markets.js';
import { PNL } from '../../contract/pnl.js';
import { POSITIONS } from '../../contract/positions.js';
import { TRADES } from '../../contract/trades.js';
import examples from './examples.json' with { type: 'json' };

/** A query of a dataset and its answer, both as they are sent. All names and numbers are invented. */
interface Example {
  request: {
    agent_id: number;
    params: Readonly<Record<string, string>>;
    pagination: { limit: number; offset: number };
    formatter_config: { format_type: string };
  };
  answer: {
    timestamp: string;
    params: Readonly<Record<string, string>>;
    pagination: { limit: number; offset: number; has_more: boolean };
    completeness?: Readonly<Record<string, object>>;
    data: { results: readonly object[] };
  };
}

/** A wallet, a market and a token with fills in the loaded data, for queries that find something. */
export interface ExampleData {
  wallet: string;
  market: { slug: string; closed: boolean };
  /** Undefined if an earlier release ingested the data. */
  token?: string | undefined;
}

type Known = (typeof DATASETS)[number];

/** The example of a dataset. */
export function exampleOf({ id, parameters }: Known): Example {
  const { params, results } = examples[id];
  const { name = '' } = parameters.find(({ kind }) => kind === 'wallet') ?? {};
  const wallet = (params as Readonly<Record<string, string>>)[name];
  const page = { limit: 50, offset: 0 };
  return {
    request: { agent_id: id, params, pagination: page, formatter_config: { format_type: 'raw' } },
    answer: {
      timestamp: '2026-02-01T08:30:00Z',
      params,
      pagination: { ...page, has_more: false },
      ...(wallet !== undefined ? { completeness: { [wallet]: examples.completeness } } : {}),
      data: { results },
    },
  };
}

/**
 * A query of a dataset that finds something.
 *
 * @param data A wallet and a market in the loaded data; undefined gives the query of {@link exampleOf}.
 */
export function exampleRequest(dataset: Known, data: ExampleData | undefined): Example['request'] {
  const { request } = exampleOf(dataset);
  return data === undefined ? request : { ...request, params: paramsOf(dataset, data) ?? request.params };
}

function paramsOf({ id }: Known, { wallet, market, token }: ExampleData): Example['request']['params'] | undefined {
  const closed = market.closed ? 'True' : 'False';
  switch (id) {
    case PNL.id:
      return { wallet, granularity: '1w' };
    case LIFETIME.id:
      return { wallet_address: wallet };
    case LEADERBOARD.id:
      return { min_trades: '20' };
    case POSITIONS.id:
      return { wallet };
    case TRADES.id:
      return { proxy_wallet: wallet };
    case CANDLES.id:
      return token === undefined ? undefined : { token_id: token, interval: '1d' };
    case MARKETS.id:
      return { closed, market_slug: market.slug };
    default:
      return { closed };
  }
}
