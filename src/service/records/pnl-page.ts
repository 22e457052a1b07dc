import type { Filters } from '../../contract/dataset.js';
import { ratioMicros } from '../../contract/decimal.js';
import type { PNL } from '../../contract/pnl.js';
import type { Page } from '../store/page.js';
import type { Slice } from '../store/store.js';
import { DayBuckets } from './day-buckets.js';
import { putAscii, putDate, putMicros, putWhole } from './json-bytes.js';

/** Used again for every query: a page is made without a pause in which another one could be. */
const buckets = new DayBuckets();

/**
 * A page of PnL records straight from lists of days to bytes, equal to what {@link pnlRecords} gives.
 *
 * @param daysOf A wallet's list of days; undefined where the wallet has none, null where its days are kept elsewhere.
 * @returns Undefined where the days of one wallet are kept elsewhere.
 */
export function pnlPage(
  daysOf: (wallet: string) => Uint8Array | undefined | null,
  filters: Filters<typeof PNL>,
  { limit, offset }: Slice,
): Page | undefined {
  const wallets = [...(filters.wallet ?? [])].sort();
  const gathering = {
    from: filters.start_time,
    to: filters.end_time,
    granularity: filters.granularity ?? '1d',
  };
  buckets.length = 0;
  for (const [number, wallet] of wallets.entries()) {
    const days = daysOf(wallet);
    if (days === null) return undefined;
    if (days) buckets.gather(number, days, gathering);
  }
  const order = wallets.length > 1 ? buckets.order() : undefined;
  const end = Math.min(buckets.length, offset + limit);
  return { results: recordsOf(wallets, order, Math.min(offset, end), end), has_more: buckets.length > end };
}

const OPEN = ',{"date":"';
const AFTER_DATE = 'T00:00:00Z","proxy_wallet":"';
const BEFORE_INVESTED = '","invested":"';

/** More than the longest record has: its fixed text, a wallet, and numbers of at most 16 digits, point and sign. */
const RECORD_BYTES = 512;

let scratch = Buffer.allocUnsafe(RECORD_BYTES * 256);

function recordsOf(wallets: readonly string[], order: Uint32Array | undefined, from: number, to: number): Buffer {
  if (from === to) return Buffer.from('[]');
  const needed = (to - from + 1) * RECORD_BYTES;
  if (scratch.length < needed) scratch = Buffer.allocUnsafe(needed);
  const bytes = scratch;
  const heads = wallets.map((wallet) => Buffer.from(`${OPEN}YYYY-MM-DD${AFTER_DATE}${wallet}${BEFORE_INVESTED}`));
  let at = 0;
  for (let i = from; i < to; i++) at = putRecord(bytes, at, heads, order ? (order[i] ?? 0) : i);
  bytes[0] = 0x5b;
  bytes[at++] = 0x5d;
  return Buffer.from(bytes.subarray(0, at));
}

function putRecord(bytes: Buffer, start: number, heads: readonly Buffer[], row: number): number {
  const head = heads[buckets.wallets[row] ?? 0];
  if (!head) return start;
  bytes.set(head, start);
  putDate(bytes, start + OPEN.length, buckets.days[row] ?? 0);
  const [wins, losses] = [buckets.wins[row] ?? 0, buckets.losses[row] ?? 0];
  let at = putMicros(bytes, start + head.length, buckets.invested[row] ?? 0);
  at = putAscii(bytes, at, '","pnl":"');
  at = putMicros(bytes, at, buckets.pnl[row] ?? 0);
  at = putAscii(bytes, at, '","trades":');
  at = putWhole(bytes, at, buckets.trades[row] ?? 0);
  at = putAscii(bytes, at, ',"wins":');
  at = putWhole(bytes, at, wins);
  at = putAscii(bytes, at, ',"losses":');
  at = putWhole(bytes, at, losses);
  at = putAscii(bytes, at, ',"win_rate":"');
  at = putMicros(bytes, at, winRate(wins, wins + losses));
  return putAscii(bytes, at, '"}');
}

/** 100 · wins / decided in micro-units, rounded half away from zero. */
function winRate(wins: number, decided: number): number {
  if (decided === 0) return 0;
  const top = 2e8 * wins + decided;
  if (top > Number.MAX_SAFE_INTEGER) return Number(ratioMicros(100n * BigInt(wins), BigInt(decided)));
  return (top - (top % (2 * decided))) / (2 * decided);
}
