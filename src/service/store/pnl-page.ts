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

/** Buckets of several wallets, by column; filled anew for each query. */
class DayBuckets {
  length = 0;
  /** Days since 1970-01-01 at which the buckets start. */
  days = new Int32Array(1024);
  /** The number of each bucket's wallet. */
  wallets = new Int32Array(1024);
  invested = new Float64Array(1024);
  pnl = new Float64Array(1024);
  trades = new Float64Array(1024);
  wins = new Float64Array(1024);
  losses = new Float64Array(1024);

  /** Gathers a wallet's days into buckets, in order of time, and appends these. */
  gather(wallet: number, list: Uint8Array, { from, to, granularity }: Gathering): void {
    // Without `from`, `3d` counts from the wallet's first gathered day; `all` always does.
    let first: number | undefined = granularity === '3d' ? from : undefined;
    let last: number | undefined;
    readDays(list, (counts) => {
      const { day } = counts;
      if (to !== undefined && day > to) return false;
      if (from !== undefined && day < from) return true;
      first ??= day;
      const start = granularity === '1d' ? day : bucketStart(granularity, day, first);
      if (start === last) this.#addTo(this.length - 1, counts);
      else this.#push(wallet, start, counts);
      last = start;
      return true;
    });
  }

  /** The order of the rows by day, then wallet. */
  order(): Uint32Array {
    // Day, wallet and row in one number below 2^53: for days of the years 1 to 9999, and up to 128 wallets.
    const keys = new Float64Array(this.length);
    for (let row = 0; row < this.length; row++) {
      keys[row] = (((this.days[row] as number) + 2 ** 20) * 2 ** 7 + (this.wallets[row] as number)) * 2 ** 23 + row;
    }
    return Uint32Array.from(keys.sort(), (key) => key % 2 ** 23);
  }

  #push(wallet: number, day: number, { invested, pnl, trades, wins, losses }: DayCounts): void {
    if (this.length === this.days.length) this.#grow();
    const row = this.length++;
    this.wallets[row] = wallet;
    this.days[row] = day;
    this.invested[row] = invested;
    this.pnl[row] = pnl;
    this.trades[row] = trades;
    this.wins[row] = wins;
    this.losses[row] = losses;
  }

  #addTo(row: number, { invested, pnl, trades, wins, losses }: DayCounts): void {
    this.invested[row] = (this.invested[row] as number) + invested;
    this.pnl[row] = (this.pnl[row] as number) + pnl;
    this.trades[row] = (this.trades[row] as number) + trades;
    this.wins[row] = (this.wins[row] as number) + wins;
    this.losses[row] = (this.losses[row] as number) + losses;
  }

  #grow(): void {
    const size = 2 * this.days.length;
    [this.days, this.wallets] = [widen(this.days, Int32Array, size), widen(this.wallets, Int32Array, size)];
    this.invested = widen(this.invested, Float64Array, size);
    this.pnl = widen(this.pnl, Float64Array, size);
    this.trades = widen(this.trades, Float64Array, size);
    this.wins = widen(this.wins, Float64Array, size);
    this.losses = widen(this.losses, Float64Array, size);
  }
}

/** Shared by all queries, as a page is made synchronously. */
const buckets = new DayBuckets();

/** Which days of which wallets are gathered, and how. Both ends are included; an undefined end is open. */
interface Gathering {
  wallets: readonly string[];
  from: number | undefined;
  to: number | undefined;
  /** The only market that counts; undefined for all. */
  conditionId: string | undefined;
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
  condition_id([id], gathering) {
    gathering.conditionId = id;
  },
  // Queries by these, and of several markets, are the database's; see StoreFiles.
  event_slug() {},
  category() {},
  by() {},
};

/** Gives the list of a wallet's days, all of them or those in one market: undefined if it has none, null if only the database knows. */
export type DaysOf = (wallet: string, conditionId: string | undefined) => Uint8Array | undefined | null;

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
  const all: Gathering = { wallets: [], from: undefined, to: undefined, conditionId: undefined, granularity: '1d' };
  const gathering = narrowed(GATHERING, filters, all);
  const { wallets } = gathering;
  buckets.length = 0;
  for (const [number, wallet] of wallets.entries()) {
    const days = daysOf(wallet, gathering.conditionId);
    if (days === null) return undefined;
    if (days) buckets.gather(number, days, gathering);
  }
  const order = wallets.length > 1 ? buckets.order() : undefined;
  const end = Math.min(buckets.length, offset + limit);
  const records = recordsOf(wallets, order, Math.min(offset, end), end);
  return framedPage(records.length, buckets.length > end, (frame, at) => frame.set(records, at));
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

/** Writes a range of rows, in the given order if there is one. The result is valid until the next page is made. */
function recordsOf(wallets: readonly string[], order: Uint32Array | undefined, from: number, to: number): Uint8Array {
  if (from === to) return NONE;
  const { bytes, view } = scratchFor(to - from);
  const heads = wallets.map((wallet) =>
    asciiText(`${BEFORE.date}YYYY-MM-DD${BEFORE.proxy_wallet}${wallet}${BEFORE.invested}`),
  );
  let at = 0;
  for (let i = from; i < to; i++) {
    const row = order ? (order[i] as number) : i;
    at = putBucket(view, at, itemAt(heads, buckets.wallets[row] as number), row);
  }
  bytes[0] = 0x5b;
  bytes[at++] = 0x5d;
  return bytes.subarray(0, at);
}

const NONE = Buffer.from('[]');

function putBucket(view: DataView, start: number, head: AsciiText, row: number): number {
  const [wins, losses] = [buckets.wins[row] as number, buckets.losses[row] as number];
  let at = putText(view, start, head);
  putDate(view, start + BEFORE.date.length, buckets.days[row] as number);
  at = putMicros(view, at, buckets.invested[row] as number);
  at = putText(view, at, PNL_NAME);
  at = putMicros(view, at, buckets.pnl[row] as number);
  at = putText(view, at, TRADES_NAME);
  at = putWhole(view, at, buckets.trades[row] as number);
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

function widen<Column extends Int32Array | Float64Array>(
  column: Column,
  Wider: new (size: number) => Column,
  size: number,
): Column {
  const wider = new Wider(size);
  wider.set(column);
  return wider;
}
