import type { Filters } from '../../contract/dataset.js';
import type { PNL } from '../../contract/pnl.js';
import type { Page } from '../store/page.js';
import { framedPage } from '../store/page-frames.js';
import type { Slice } from '../store/store.js';
import { DayBuckets } from './day-buckets.js';
import {
  type AsciiText,
  asciiText,
  PERCENT_MICROS,
  putDate,
  putMicros,
  putRatio,
  putText,
  putWhole,
} from './json-bytes.js';
import { scratchFor } from './scratch.js';

/** Shared by all queries, as a page is made synchronously. */
const buckets = new DayBuckets();

/**
 * Writes a page of PnL records directly from lists of days as bytes, equal to those of {@link pnlRecords}.
 *
 * @param daysOf Gives a wallet's list of days; undefined if the wallet has none, null if only the database knows.
 * @returns Undefined if only the database knows the days of one of the wallets.
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
  const records = recordsOf(wallets, order, Math.min(offset, end), end);
  return framedPage(records.length, buckets.length > end, (frame, at) => frame.set(records, at));
}

const OPEN = ',{"date":"';
const AFTER_DATE = 'T00:00:00Z","proxy_wallet":"';
const PNL_NAME = asciiText('","pnl":"');
const TRADES_NAME = asciiText('","trades":');
const WINS_NAME = asciiText(',"wins":');
const LOSSES_NAME = asciiText(',"losses":');
const RATE_NAME = asciiText(',"win_rate":"');
const END = asciiText('"}');

/** Writes a range of rows, in the given order if there is one. The result is valid until the next page is made. */
function recordsOf(wallets: readonly string[], order: Uint32Array | undefined, from: number, to: number): Uint8Array {
  if (from === to) return NONE;
  const { bytes, view } = scratchFor(to - from);
  const heads = wallets.map((wallet) => asciiText(`${OPEN}YYYY-MM-DD${AFTER_DATE}${wallet}","invested":"`));
  let at = 0;
  for (let i = from; i < to; i++) {
    const row = order ? (order[i] ?? 0) : i;
    const head = heads[buckets.wallets[row] ?? 0];
    if (head) at = putRecord(view, at, head, row);
  }
  bytes[0] = 0x5b;
  bytes[at++] = 0x5d;
  return bytes.subarray(0, at);
}

const NONE = Buffer.from('[]');

function putRecord(view: DataView, start: number, head: AsciiText, row: number): number {
  const [wins, losses] = [buckets.wins[row] ?? 0, buckets.losses[row] ?? 0];
  let at = putText(view, start, head);
  putDate(view, start + OPEN.length, buckets.days[row] ?? 0);
  at = putMicros(view, at, buckets.invested[row] ?? 0);
  at = putText(view, at, PNL_NAME);
  at = putMicros(view, at, buckets.pnl[row] ?? 0);
  at = putText(view, at, TRADES_NAME);
  at = putWhole(view, at, buckets.trades[row] ?? 0);
  if (wins >= FEW || losses >= FEW) return putDecided(view, at, wins, losses);
  return putText(view, at, decided[wins * FEW + losses] ?? prepareDecided(wins, losses));
}

/** Most days have fewer wins, and fewer losses, than this. */
const FEW = 64;

/** The ends of records by wins and losses, each prepared when it is first needed. */
const decided: (AsciiText | undefined)[] = new Array(FEW * FEW);

/** More bytes than such an end has. */
const DECIDED_BYTES = 128;

function prepareDecided(wins: number, losses: number): AsciiText {
  const bytes = Buffer.alloc(DECIDED_BYTES);
  const end = putDecided(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, wins, losses);
  const text = asciiText(bytes.toString('latin1', 0, end));
  decided[wins * FEW + losses] = text;
  return text;
}

/** Writes the end of a record: wins, losses, and the wins as a percentage of both. */
function putDecided(view: DataView, start: number, wins: number, losses: number): number {
  let at = putText(view, start, WINS_NAME);
  at = putWhole(view, at, wins);
  at = putText(view, at, LOSSES_NAME);
  at = putWhole(view, at, losses);
  at = putText(view, at, RATE_NAME);
  at = putRatio(view, at, wins, wins + losses, PERCENT_MICROS);
  return putText(view, at, END);
}
