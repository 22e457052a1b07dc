import { decimalOf, MICRO, ratioMicros } from '../../base/decimal.js';
import type { CANDLES } from '../../contract/candles.js';
import type { Filters, SentRecord } from '../../contract/dataset.js';
import type { LIFETIME } from '../../contract/lifetime.js';
import type { MARKETS } from '../../contract/markets.js';
import type { PNL } from '../../contract/pnl.js';
import { bucketStart, dateOfDay, isoOfSeconds } from '../../contract/time.js';
import type { TRADES } from '../../contract/trades.js';
import type { CandlesOf, FillRow, Lifetime, MarketRow, Slice, Store, WalletDay } from './store.js';

/** The PnL records of a page, by date, then wallet; the days of each wallet are summed by bucket. */
export async function pnlRecords(
  store: Store,
  filters: Filters<typeof PNL>,
  slice: Slice,
  signal?: AbortSignal,
): Promise<SentRecord<typeof PNL>[]> {
  const { condition_id, event_slug, category } = filters;
  const isWhole = condition_id === undefined && event_slug === undefined && category === undefined;
  if (!isWhole) return (await store.groupDays(filters, slice, signal)).map(pnlRecord);
  const days = await store.walletDays(filters, signal);
  const buckets = filters.granularity === '1d' ? days : bucketsOf(days, filters);
  buckets.sort((a, b) => a.day - b.day || (a.wallet < b.wallet ? -1 : 1));
  return buckets.slice(slice.offset, slice.offset + slice.limit).map(pnlRecord);
}

/**
 * Sums each wallet's days by bucket. Without a start time, `3d` counts from the wallet's first day; `all` always does.
 */
function bucketsOf(days: readonly WalletDay[], { granularity = '1d', start_time }: Filters<typeof PNL>): WalletDay[] {
  const buckets: WalletDay[] = [];
  let first = 0;
  let last: WalletDay | undefined;
  for (const day of days) {
    if (day.wallet !== last?.wallet) first = granularity === '3d' ? (start_time ?? day.day) : day.day;
    const start = bucketStart(granularity, day.day, first);
    if (last && last.wallet === day.wallet && last.day === start) addDay(last, day);
    else {
      last = { ...day, day: start };
      buckets.push(last);
    }
  }
  return buckets;
}

/** Adds a day's amounts to a bucket's. */
function addDay(bucket: WalletDay, day: WalletDay): void {
  bucket.invested += day.invested;
  bucket.pnl += day.pnl;
  bucket.trades += day.trades;
  bucket.wins += day.wins;
  bucket.losses += day.losses;
}

/** A bucket of a wallet as it goes on the wire. */
export function pnlRecord(bucket: WalletDay): SentRecord<typeof PNL> {
  return {
    date: `${dateOfDay(bucket.day)}T00:00:00Z`,
    proxy_wallet: bucket.wallet,
    invested: decimalOf(bucket.invested),
    pnl: decimalOf(bucket.pnl),
    trades: bucket.trades,
    wins: bucket.wins,
    losses: bucket.losses,
    win_rate: decimalOf(ratioMicros(100n * BigInt(bucket.wins), BigInt(bucket.wins + bucket.losses))),
  };
}

/** A market as it goes on the wire. */
export function marketRecord(row: MarketRow): SentRecord<typeof MARKETS> {
  return {
    condition_id: row.condition_id,
    question: row.question,
    slug: row.slug,
    event_slug: row.event_slug,
    closed: row.closed,
    volume_total: Number(row.volume) / MICRO,
    start_date: isoOrNull(row.start_ms),
    end_date: isoOrNull(row.end_ms),
    close_date: isoOrNull(row.close_ms),
    side_a_token_id: row.token_a,
    side_b_token_id: row.token_b,
    side_a_outcome: row.outcome_a,
    side_b_outcome: row.outcome_b,
    winning_outcome: row.winner === 0 ? row.outcome_a : row.winner === 1 ? row.outcome_b : null,
  };
}

/** ISO 8601, with milliseconds only if they are not zero. */
export function isoOrNull(millis: bigint | null): string | null {
  return millis === null ? null : new Date(Number(millis)).toISOString().replace('.000Z', 'Z');
}

/** A wallet's lifetime statistics as they go on the wire: numbers as decimal text with up to six places. */
export function lifetimeRecord(row: Lifetime): SentRecord<typeof LIFETIME> {
  const trades = BigInt(row.trades);
  return {
    proxy_wallet: row.wallet,
    total_trades: row.trades,
    avg_trade_size: decimalOf(ratioMicros(row.traded, trades, 1n)),
    avg_pnl_per_trade: decimalOf(ratioMicros(row.pnl, trades, 1n)),
    total_invested: decimalOf(row.invested),
    total_pnl: decimalOf(row.pnl),
    roi_pct: decimalOf(ratioMicros(100n * row.pnl, row.invested)),
    last_updated: isoOfSeconds(Number(row.last_ts)),
  };
}

/** A fill as it goes on the wire. */
export function tradeRecord(row: FillRow): SentRecord<typeof TRADES> {
  return {
    // In the order of ids, fills of one second come by wallet, then by their place.
    id: `${row.wallet}-${row.ts}-${String(row.nth).padStart(NTH_DIGITS, '0')}`,
    condition_id: row.condition_id,
    price: row.price / MICRO,
    side: row.sells ? 'SELL' : 'BUY',
    size: Number(row.shares) / MICRO,
    timestamp: isoOfSeconds(Number(row.ts)),
    transaction_hash: row.tx,
    slug: row.slug,
    outcome: row.outcome,
    proxy_wallet: row.wallet,
    token_id: row.token,
    usd: Number(row.usd) / MICRO,
    event_slug: row.event_slug,
    category: row.category,
  };
}

/** More digits than a wallet's fills of one second can fill. */
const NTH_DIGITS = 6;

/** The candles of a token as they go on the wire. */
export function candleRecords(found: CandlesOf): SentRecord<typeof CANDLES>[] {
  if (!found) return [];
  const { outcome, condition_id, token: token_id } = found.of;
  return found.candles.map(({ time, open, high, low, close, volume, gross, rest, trades }) => ({
    candle_time: isoOfSeconds(Number(time)),
    open: priceText(open),
    high: priceText(high),
    low: priceText(low),
    close: priceText(close),
    mean: decimalOf(ratioMicros(gross * BigInt(MICRO) + rest, volume, 1n)),
    volume: decimalOf(volume),
    trade_count: trades,
    outcome,
    condition_id,
    token_id,
  }));
}

function priceText(micros: number): string {
  return decimalOf(BigInt(micros));
}
