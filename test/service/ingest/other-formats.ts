import { quoteText } from '../../../src/base/duckdb.js';
import { Database } from '../../../src/service/store/database.js';
import { conditionOf, type FillOf, tokenOf, txOf, walletOf } from '../../support/raw-records.js';

/** The amounts of a fill in micro-units, as on the chain. */
function amounts({ size, price }: FillOf): { shares: number; usd: number } {
  return { shares: Math.round(Number(size) * 1e6), usd: Math.round(Number(size) * Number(price) * 1e6) };
}

/** The exchange's contract, which is recorded as the taker of a fill that matched several others. */
const EXCHANGE = walletOf(0xe111);

/** The names of the Data API's first version, each with that of the second. */
const V2_NAMES: Readonly<Record<string, string>> = {
  proxyWallet: 'proxy_wallet',
  asset: 'token_id',
  conditionId: 'condition_id',
  usdcSize: 'usdc_size',
  transactionHash: 'transaction_hash',
  outcomeIndex: 'outcome_index',
};

/** A record of the Data API's first version as the second has it. */
export function dataV2(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [V2_NAMES[name] ?? name, value]));
}

/** A page of the Data API's second version. */
export function dataPage(...data: object[]): object {
  return { data, pagination: { limit: 1000, offset: 0, has_more: false, next_cursor: null } };
}

/** Events as Gamma's /events returns them, with the markets that its /markets returned. */
export function gammaEvents(
  markets: readonly Readonly<Record<string, unknown>>[],
  tags: readonly object[] = [{ id: '2', label: 'Politics', slug: 'politics' }],
): Record<string, unknown>[] {
  const bySlug = new Map<string, object[]>();
  for (const { events, ...market } of markets) {
    const [{ slug }] = events as [{ slug: string }];
    bySlug.set(slug, [...(bySlug.get(slug) ?? []), market]);
  }
  return [...bySlug].map(([slug, held], n) => ({
    id: String(n),
    title: slug,
    slug,
    active: true,
    markets: held,
    tags,
  }));
}

/** A fill as poly_data's orderFilled.csv has it. */
export function orderFilled(fill: FillOf): Record<string, unknown> {
  const { shares, usd } = amounts(fill);
  const [cash, token] = [
    ['0', usd],
    [tokenOf(fill.market, fill.side), shares],
  ] as const;
  const [gave, got] = fill.does === 'BUY' ? [cash, token] : [token, cash];
  return {
    timestamp: fill.time,
    maker: walletOf(fill.wallet),
    makerAssetId: gave[0],
    makerAmountFilled: gave[1],
    taker: EXCHANGE,
    takerAssetId: got[0],
    takerAmountFilled: got[1],
    transactionHash: txOf(fill.tx ?? fill.time),
  };
}

/** A fill as poly_data's processed/trades.csv has it. */
export function polyTrade(fill: FillOf): Record<string, unknown> {
  const { shares, usd } = amounts(fill);
  return {
    timestamp: new Date(fill.time * 1000).toISOString().slice(0, 19),
    market_id: fill.market,
    maker: walletOf(fill.wallet),
    taker: EXCHANGE,
    nonusdc_side: `token${fill.side + 1}`,
    maker_direction: fill.does,
    taker_direction: fill.does === 'BUY' ? 'SELL' : 'BUY',
    price: fill.price,
    usd_amount: usd / 1e6,
    token_amount: shares / 1e6,
    transactionHash: txOf(fill.tx ?? fill.time),
  };
}

/** A fill as the second version of poly_data has it in processed/trades.csv. */
export function polyTradeV2(fill: FillOf): Record<string, unknown> {
  const trade = polyTrade(fill);
  return { ...trade, timestamp: `${trade.timestamp}.000000`, market_id: conditionOf(fill.market) };
}

/** A fill as prediction-market-analysis has it, in the block whose number is its time. */
export function pmaTrade(fill: FillOf, logIndex: number): Record<string, unknown> {
  const order = orderFilled(fill);
  return {
    block_number: fill.time,
    transaction_hash: order.transactionHash,
    log_index: logIndex,
    order_hash: txOf(logIndex),
    maker: order.maker,
    taker: order.taker,
    maker_asset_id: order.makerAssetId,
    taker_asset_id: order.takerAssetId,
    maker_amount: order.makerAmountFilled,
    taker_amount: order.takerAmountFilled,
    fee: 0,
  };
}

/** The time of a block as prediction-market-analysis has it. */
export function pmaBlock(block: number): Record<string, unknown> {
  return { block_number: block, timestamp: new Date(block * 1000).toISOString() };
}

/** A market that Gamma returned, as prediction-market-analysis has it. */
export function pmaMarket(gamma: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    id: gamma.id,
    condition_id: gamma.conditionId,
    question: gamma.question,
    slug: gamma.slug,
    outcomes: gamma.outcomes,
    outcome_prices: gamma.outcomePrices,
    clob_token_ids: gamma.clobTokenIds,
    volume: Number(gamma.volume),
    active: true,
    closed: gamma.closed,
    end_date: gamma.endDate,
    created_at: gamma.startDate,
  };
}

/** A market that Gamma returned, as the CLOB's /markets has it. */
export function clobMarket(gamma: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [outcomes, prices, tokens] = [gamma.outcomes, gamma.outcomePrices, gamma.clobTokenIds].map((text) =>
    JSON.parse(String(text)),
  );
  return {
    enable_order_book: true,
    condition_id: gamma.conditionId,
    question: gamma.question,
    market_slug: gamma.slug,
    accepting_order_timestamp: gamma.startDate,
    end_date_iso: gamma.endDate,
    closed: gamma.closed,
    is_50_50_outcome: false,
    tokens: [0, 1].map((side) => ({
      token_id: tokens[side],
      outcome: outcomes[side],
      price: Number(prices[side]),
      winner: gamma.closed === true && prices[side] === '1',
    })),
  };
}

/** Records as CSV. */
export function csvOf(records: readonly Readonly<Record<string, unknown>>[]): string {
  const names = Object.keys(records[0] ?? {});
  const cell = (value: unknown) => {
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${[names.map(cell).join(','), ...records.map((each) => names.map((name) => cell(each[name])).join(','))].join('\n')}\n`;
}

/** Writes records as Parquet, from the JSON lines beside it. */
export async function parquetOf(jsonLines: string, parquet: string, columns = '*'): Promise<string> {
  const db = await Database.open(':memory:');
  try {
    await db.run(`COPY (SELECT ${columns} FROM read_json(${quoteText(jsonLines)}, format = 'newline_delimited'))
      TO ${quoteText(parquet)} (FORMAT parquet)`);
    return parquet;
  } finally {
    db.close();
  }
}

/** Packs bytes as zstd frames of at most `size` bytes each, stored as they are. */
export function storedZstd(bytes: Buffer, size = 100_000): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const content = bytes.subarray(at, at + size);
    const header = Buffer.alloc(12);
    header.writeUInt32LE(0xfd2fb528, 0);
    header.writeUInt8(0b1010_0000, 4);
    header.writeUInt32LE(content.length, 5);
    header.writeUIntLE((content.length << 3) | 1, 9, 3);
    frames.push(header, content);
  }
  return Buffer.concat(frames);
}
