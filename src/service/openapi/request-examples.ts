import type { DATASETS, Dataset } from '../../contract/dataset.js';
import { LIFETIME } from '../../contract/lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from '../../contract/markets.js';
import { PNL } from '../../contract/pnl.js';

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
    data: { results: readonly object[] };
  };
}

/** A wallet and a market in the loaded data, for queries that find something. */
export interface ExampleData {
  wallet: string;
  market: { slug: string; closed: boolean };
}

const WALLET = `0x${'5'.repeat(40)}`;

const MARKET_RECORD = {
  condition_id: `0x${'4'.repeat(64)}`,
  question: 'Will Harbour City elect a new mayor in January?',
  slug: 'harbour-city-new-mayor-january',
  event_slug: 'harbour-city-mayor',
  closed: true,
  volume_total: 412_350.25,
  start_date: '2025-11-03T09:00:00Z',
  end_date: '2026-01-31T23:59:00Z',
  close_date: '2026-01-31T21:14:07Z',
  side_a_token_id: `71${'3'.repeat(75)}`,
  side_b_token_id: `28${'6'.repeat(75)}`,
  side_a_outcome: 'Yes',
  side_b_outcome: 'No',
  winning_outcome: 'Yes',
};

const PNL_RECORDS = [
  {
    date: '2025-06-02T00:00:00Z',
    proxy_wallet: WALLET,
    invested: '1520.4',
    pnl: '212.75',
    trades: 31,
    wins: 9,
    losses: 4,
    win_rate: '69.230769',
  },
  {
    date: '2025-06-09T00:00:00Z',
    proxy_wallet: WALLET,
    invested: '860',
    pnl: '-74.125',
    trades: 12,
    wins: 2,
    losses: 3,
    win_rate: '40',
  },
];

const LIFETIME_RECORD = {
  proxy_wallet: WALLET,
  total_trades: 1284,
  avg_trade_size: '48.25',
  avg_pnl_per_trade: '1.9',
  total_invested: '38000',
  total_pnl: '2439.6',
  roi_pct: '6.42',
  last_updated: '2026-01-31T21:14:07Z',
};

type Known = (typeof DATASETS)[number];

const EXAMPLES: Readonly<Record<Known['id'], Example>> = {
  [MARKETS.id]: example(MARKETS, { closed: 'True', min_volume: '100000', market_slug: 'mayor' }, [MARKET_RECORD]),
  [PNL.id]: example(
    PNL,
    { wallet: WALLET, granularity: '1w', start_time: '2025-06-01', end_time: '2025-12-31', condition_id: 'ALL' },
    PNL_RECORDS,
  ),
  [LIFETIME.id]: example(LIFETIME, { wallet_address: WALLET }, [LIFETIME_RECORD]),
  [MARKETS_BY_STATE.id]: example(MARKETS_BY_STATE, { closed: 'True' }, [MARKET_RECORD]),
};

/** The example of a dataset. */
export function exampleOf({ id }: Known): Example {
  return EXAMPLES[id];
}

/**
 * A query of a dataset that finds something.
 *
 * @param data A wallet and a market in the loaded data; undefined gives the query of {@link exampleOf}.
 */
export function exampleRequest(dataset: Known, data: ExampleData | undefined): Example['request'] {
  const { request } = exampleOf(dataset);
  return data === undefined ? request : { ...request, params: paramsOf(dataset, data) };
}

function paramsOf({ id }: Known, { wallet, market }: ExampleData): Example['request']['params'] {
  const closed = market.closed ? 'True' : 'False';
  switch (id) {
    case PNL.id:
      return { wallet, granularity: '1w' };
    case LIFETIME.id:
      return { wallet_address: wallet };
    case MARKETS.id:
      return { closed, market_slug: market.slug };
    default:
      return { closed };
  }
}

function example(
  { id }: Pick<Dataset, 'id'>,
  params: Example['request']['params'],
  results: readonly object[],
): Example {
  const page = { limit: 50, offset: 0 };
  return {
    request: { agent_id: id, params, pagination: page, formatter_config: { format_type: 'raw' } },
    answer: {
      timestamp: '2026-02-01T08:30:00Z',
      params,
      pagination: { ...page, has_more: false },
      data: { results },
    },
  };
}
