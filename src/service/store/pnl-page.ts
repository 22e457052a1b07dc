import { itemAt } from '../../base/item-at.js';
import { type FilterMeanings, type Filters, narrowed, type SentRecord } from '../../contract/dataset.js';
import type { PNL } from '../../contract/pnl.js';
import { bucketStart, type Granularity } from '../../contract/time.js';
import {
  type AsciiText,
  asciiText,
  PERCENT_MICROS,
  putDate,
  putMicros,
  putRatio,
  putText,
  putWhole,
  scratchFor,
} from './json-bytes.js';
import { framedPage, type RecordPage, type Slice } from './store.js';
import { type DayCounts, readDays } from './wallet-files.js';

/** What a wallet did in one bucket, which starts on `day`. */
interface Bucket extends DayCounts {
  /** The number of the wallet. */
  wallet: number;
}

/** Which days of which wallets are gathered, and how. Both ends are included; an undefined end is open. */
interface Gathering {
  wallets: readonly string[];
  from: number | undefined;
  to: number | undefined;
  granularity: Granularity;
}

const GATHERING: FilterMeanings<typeof PNL, Gathering> = {
  wallet(wallets, gathering) {
    gathering.wallets = wallets.length > 1 ? [...wallets].sort() : wallets;
  },
  granularity(granularity, gathering) {
    gathering.granularity = granularity;
  },
  start_time(day, gathering) {
    gathering.from = day;
  },
  end_time(day, gathering) {
    gathering.to = day;
  },
  // The lists of days are those in the market already.
  condition_id: () => {},
};

/** Gives the list of a wallet's days: undefined if it has none, null if only the database knows. */
export type DaysOf = (wallet: string) => Uint8Array | undefined | null;

/**
 * Writes a page of PnL records directly from lists of days as bytes, equal to those of {@link pnlRecords}.
 *
 * @returns Undefined if only the database knows the days of one of the wallets.
 */
export function pnlPage(
  daysOf: DaysOf,
  filters: Filters<typeof PNL>,
  { limit, offset }: Slice,
): RecordPage | undefined {
  const all: Gathering = { wallets: [], from: undefined, to: undefined, granularity: '1d' };
  const gathering = narrowed(GATHERING, filters, all);
  const { wallets } = gathering;
  const buckets: Bucket[] = [];
  for (const [number, wallet] of wallets.entries()) {
    const days = daysOf(wallet);
    if (days === null) return undefined;
    if (days) gather(buckets, number, days, gathering);
  }
  if (wallets.length > 1) buckets.sort((a, b) => a.day - b.day || a.wallet - b.wallet);
  const end = offset + limit;
  return framedPage(recordsOf(wallets, buckets.slice(offset, end)), buckets.length > end);
}

/** Sums a wallet's days, in order of time, by bucket. */
function gather(buckets: Bucket[], wallet: number, list: Uint8Array, { from, to, granularity }: Gathering): void {
  // Without `from`, `3d` counts from the wallet's first gathered day; `all` always does.
  let first = granularity === '3d' ? from : undefined;
  let last: Bucket | undefined;
  readDays(list, (counts) => {
    const { day, invested, pnl, trades, wins, losses } = counts;
    if (to !== undefined && day > to) return false;
    if (from !== undefined && day < from) return true;
    first ??= day;
    const start = granularity === '1d' ? day : bucketStart(granularity, day, first);
    if (last?.day === start) {
      last.invested += invested;
      last.pnl += pnl;
      last.trades += trades;
      last.wins += wins;
      last.losses += losses;
    } else {
      last = { wallet, day: start, invested, pnl, trades, wins, losses };
      buckets.push(last);
    }
    return true;
  });
}

/** What stands before each value of a record; a column of the contract without it is a type error. */
const BEFORE: Readonly<Record<keyof SentRecord<typeof PNL>, string>> = {
  date: ',{"date":"',
  proxy_wallet: 'T00:00:00Z","proxy_wallet":"',
  invested: '","invested":"',
  pnl: '","pnl":"',
  trades: '","trades":',
  wins: ',"wins":',
  losses: ',"losses":',
  win_rate: ',"win_rate":"',
};
const PNL_NAME = asciiText(BEFORE.pnl);
const TRADES_NAME = asciiText(BEFORE.trades);
const WINS_NAME = asciiText(BEFORE.wins);
const LOSSES_NAME = asciiText(BEFORE.losses);
const RATE_NAME = asciiText(BEFORE.win_rate);
const END = asciiText('"}');

/** Writes records. The result is valid until the next page is made. */
function recordsOf(wallets: readonly string[], buckets: readonly Bucket[]): Uint8Array {
  if (buckets.length === 0) return NONE;
  const { bytes, view } = scratchFor(buckets.length);
  const heads = wallets.map((wallet) =>
    asciiText(`${BEFORE.date}YYYY-MM-DD${BEFORE.proxy_wallet}${wallet}${BEFORE.invested}`),
  );
  let at = 0;
  for (const bucket of buckets) at = putBucket(view, at, itemAt(heads, bucket.wallet), bucket);
  bytes[0] = 0x5b;
  bytes[at++] = 0x5d;
  return bytes.subarray(0, at);
}

const NONE = Buffer.from('[]');

function putBucket(view: DataView, start: number, head: AsciiText, bucket: Bucket): number {
  let at = putText(view, start, head);
  putDate(view, start + BEFORE.date.length, bucket.day);
  at = putMicros(view, at, bucket.invested);
  at = putText(view, at, PNL_NAME);
  at = putMicros(view, at, bucket.pnl);
  at = putText(view, at, TRADES_NAME);
  at = putWhole(view, at, bucket.trades);
  at = putText(view, at, WINS_NAME);
  at = putWhole(view, at, bucket.wins);
  at = putText(view, at, LOSSES_NAME);
  at = putWhole(view, at, bucket.losses);
  at = putText(view, at, RATE_NAME);
  at = putRatio(view, at, bucket.wins, bucket.wins + bucket.losses, PERCENT_MICROS);
  return putText(view, at, END);
}
