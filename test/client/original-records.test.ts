import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/client/connect.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { completenessOf, faultyRecords } from '../../src/frame/tabular/completeness.js';
import { topN } from '../../src/frame/verbs/sort-by.js';
import { isAbsent } from '../support/is-absent.js';
import { faultServer, sendWith } from './fault-server.js';

// The client reads the records of the original service, which lack our further columns and have some of their own.

async function clientOf(body: string) {
  const { url } = await faultServer((_, response) => sendWith(response, 200, {}, body));
  return connect({ baseUrl: url, progress: false });
}

const envelope = (record: object) =>
  JSON.stringify({
    timestamp: '2026-04-24T03:10:00Z',
    params: {},
    pagination: { limit: 200, offset: 0, has_more: false },
    data: { results: [record] },
  });

const WALLET = `0x${'1'.repeat(40)}`;
const MARKET = `0x${'2'.repeat(64)}`;
const TOKEN = '3'.repeat(77);
const TRADE = {
  id: '1',
  condition_id: MARKET,
  price: 0.4,
  side: 'BUY',
  size: 100,
  timestamp: '2026-04-24T03:06:40Z',
  transaction_hash: `0x${'a'.repeat(64)}`,
  slug: 'will-x-happen',
  outcome: 'Yes',
  proxy_wallet: WALLET,
};
const CANDLE = {
  candle_time: '2026-04-24T03:00:00Z',
  open: '0.40',
  high: '0.42',
  low: '0.39',
  close: '0.41',
  mean: '0.405',
  volume: '1200.5',
  trade_count: 14,
  outcome: 'Yes',
  condition_id: MARKET,
  token_id: TOKEN,
  ask_open: '0.41',
  bid_close: '0.40',
};
const PLACE = {
  rank: 1,
  address: WALLET,
  total_pnl: 120.25,
  roi: 0.3,
  win_rate: 0.62,
  sharpe_ratio: null,
  total_volume: 5000.5,
  markets_traded: 12,
  total_trades: 60,
};

it('reads a trade without our columns, which are missing', async () => {
  const client = await clientOf(envelope(TRADE));
  const { timestamp: _, ...rest } = TRADE;
  const ours = { token_id: null, usd: Number.NaN, event_slug: null, category: null };
  expect(recordsOf(await client.trades({ wallet: WALLET }).frame())).toMatchObject([{ ...rest, ...ours }]);
  await client.close();
});

it('reads a candle with bids and asks', async () => {
  const client = await clientOf(envelope(CANDLE));
  const numbers = { open: 0.4, high: 0.42, low: 0.39, close: 0.41, mean: 0.405, volume: 1200.5, trade_count: 14 };
  expect(recordsOf(await client.candles({ tokenId: TOKEN }).frame())).toMatchObject([{ ...numbers, token_id: TOKEN }]);
  await client.close();
});

it('reads a place in the leaderboard', async () => {
  const client = await clientOf(envelope(PLACE));
  expect(recordsOf(await client.leaderboard().frame())).toEqual([{ ...PLACE, sharpe_ratio: Number.NaN }]);
  await client.close();
});

it('reads positions in two outcomes of one label', async () => {
  const amounts = { shares: '0', cost: '0', realized: '1', invested: '2', unrealized: '0' };
  const record = (outcome_index: number) => ({
    ...{
      proxy_wallet: WALLET,
      condition_id: MARKET,
      outcome: 'Draw',
      outcome_index,
      token_id: `${7 + outcome_index}`,
      ...amounts,
    },
    ...{ opened: '2026-01-01T00:00:00Z', last_traded: '2026-01-02T00:00:00Z', status: 'closed' },
  });
  const body = JSON.parse(envelope(record(0)));
  body.data.results.push(record(1));
  const client = await clientOf(JSON.stringify(body));
  const rows = recordsOf(await client.positions({ wallet: WALLET }).frame());
  expect(rows.map(({ outcome_index }) => outcome_index)).toEqual([0, 1]);
  await client.close();
});

it('keeps how complete the wallets of a leaderboard are that named none, and those of a frame that kept some rows', async () => {
  const other = `0x${'4'.repeat(40)}`;
  const record = (wallet: string) => ({ [wallet]: { seen: true, untracked_shares: '12.5' } });
  const body = JSON.parse(envelope(PLACE));
  body.data.results.push({ ...PLACE, rank: 2, address: other });
  body.completeness = { ...record(WALLET), ...record(other) };
  body.window = { first: '2026-01-01', last: '2026-01-30', wallets: 2, others: 1 };
  const client = await clientOf(JSON.stringify(body));
  const frame = await client.leaderboard().frame();
  expect(completenessOf(frame).map(({ wallet }) => wallet)).toEqual([WALLET, other]);
  expect(faultyRecords(frame)).toHaveLength(2);
  expect(faultyRecords(topN(frame, 1, 'rank'))).toMatchObject([{ wallet: other }]);
  await client.close();
});

describe.each([
  ['556-trades', 'trades'],
  ['568-candlesticks', 'candles'],
  ['579-pnl-leaderboard', 'leaderboard'],
] as const)('the published shape of %s', (file, name) => {
  const path = `../shared/data/shapes/heisenberg-${file}.json`;
  it.skipIf(isAbsent(path, 'published shapes'))('is read', async () => {
    const body = await readFile(path, 'utf8');
    const client = await clientOf(body);
    const queries = {
      trades: () => client.trades(),
      candles: () => client.candles({ tokenId: TOKEN }),
      leaderboard: () => client.leaderboard(),
    };
    const sent = JSON.parse(body) as { data: { results: readonly unknown[] } };
    expect((await queries[name]().frame()).shape[0]).toBe(sent.data.results.length);
    await client.close();
  });
});
