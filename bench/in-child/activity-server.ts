import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// A public source without limits: one wallet's activity in pages of 1,000 rows, as the Data API v2 gives them, and the
// markets of it, as Gamma does. The bodies are made before the first request. The argument is the number of pages.
const PAGES = Number(process.argv[2]);
const ROWS = 1000;
const MARKETS = 50;
const WALLET = `0x${'7'.repeat(40)}`;
const BEGUN = 1_750_000_000;

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');
const conditionOf = (market: number) => `0x${hex(market + 1, 64)}`;
const tokenOf = (market: number, side: number) => `${'4'.repeat(70)}${String(market * 2 + side).padStart(7, '0')}`;

function activityRow(i: number): object {
  const market = (i * 7919) % MARKETS;
  const side = i % 3 === 0 ? 1 : 0;
  const price = (1 + ((i * 104_729) % 999)) / 1000;
  const size = (1 + ((i * 7919) % 100_003)) / 100;
  return {
    proxy_wallet: WALLET,
    timestamp: BEGUN + i * 20,
    condition_id: conditionOf(market),
    type: 'TRADE',
    size,
    usdc_size: Math.round(size * price * 1e6) / 1e6,
    transaction_hash: `0x${hex(i, 64)}`,
    price,
    token_id: tokenOf(market, side),
    side: i % 4 === 3 ? 'SELL' : 'BUY',
    outcome_index: side,
    title: `Will it happen in district ${market}?`,
    slug: `will-it-happen-in-district-${market}`,
    icon: 'https://pictures.example/district.png',
    event_slug: `district-${market}`,
    outcome: side === 0 ? 'Yes' : 'No',
    name: 'nobody',
    pseudonym: 'Plain-Nobody',
    bio: '',
    profile_image: '',
    profile_image_optimized: '',
  };
}

function marketRecord(market: number): object {
  return {
    id: String(market),
    question: `Will it happen in district ${market}?`,
    conditionId: conditionOf(market),
    slug: `will-it-happen-in-district-${market}`,
    startDate: '2025-06-01T00:00:00Z',
    endDate: '2026-12-01T00:00:00Z',
    outcomes: '["Yes", "No"]',
    outcomePrices: '["0.5", "0.5"]',
    clobTokenIds: JSON.stringify([tokenOf(market, 0), tokenOf(market, 1)]),
    volume: '1000',
    active: true,
    closed: false,
    negRisk: false,
    events: [{ id: String(market), slug: `district-${market}` }],
  };
}

const pages = Array.from({ length: PAGES }, (_, page) => {
  const next_cursor = page + 1 < PAGES ? String(page + 1) : null;
  const data = Array.from({ length: ROWS }, (_, i) => activityRow(page * ROWS + i));
  return Buffer.from(
    JSON.stringify({ data, pagination: { limit: ROWS, offset: 0, has_more: next_cursor !== null, next_cursor } }),
  );
});
const markets = Buffer.from(JSON.stringify({ markets: Array.from({ length: MARKETS }, (_, i) => marketRecord(i)) }));
const noMarkets = Buffer.from('{"markets":[]}');
const nothing = Buffer.from('{"data":null}');

function answer(outgoing: ServerResponse, bytes: Buffer): void {
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes);
}

const server = createServer((incoming, outgoing) => {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://source');
  if (pathname === '/v2/activity') return answer(outgoing, pages[Number(searchParams.get('cursor') ?? 0)] ?? nothing);
  if (pathname === '/markets/keyset')
    return answer(outgoing, searchParams.get('closed') === 'true' ? noMarkets : markets);
  return answer(outgoing, nothing);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
