import { decimalOf, ratioMicros } from '../../base/decimal.js';
import type { Filters } from '../../contract/dataset.js';
import type { PNL } from '../../contract/pnl.js';
import { bucketStart, dateOfDay } from '../../contract/time.js';
import type { Store, WalletDay } from '../store/store.js';

/** All PnL records of a query, by date, then wallet; the days of each wallet are summed by bucket. */
export async function pnlRecords(store: Store, filters: Filters<typeof PNL>, signal?: AbortSignal) {
  const range = {
    wallets: filters.wallet ?? [],
    from: filters.start_time,
    to: filters.end_time,
    conditionId: filters.condition_id === 'ALL' ? undefined : filters.condition_id,
  };
  const days = await store.walletDays(range, signal);
  const buckets = filters.granularity === '1d' ? days : gather(days, filters);
  buckets.sort((a, b) => a.day - b.day || (a.wallet < b.wallet ? -1 : 1));
  return buckets.map(pnlRecord);
}

/**
 * Sums each wallet's days by bucket. Without a start time, `3d` counts from the wallet's first day; `all` always does.
 */
function gather(days: readonly WalletDay[], { granularity = '1d', start_time }: Filters<typeof PNL>): WalletDay[] {
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

function addDay(bucket: WalletDay, day: WalletDay): void {
  bucket.invested += day.invested;
  bucket.pnl += day.pnl;
  bucket.trades += day.trades;
  bucket.wins += day.wins;
  bucket.losses += day.losses;
}

function pnlRecord(bucket: WalletDay) {
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
