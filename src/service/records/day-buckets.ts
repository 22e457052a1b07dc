import { bucketStart, type Granularity } from '../../contract/time.js';
import { type DayCounts, readDays } from '../store/day-list.js';

/** Which days are gathered, and how. Both ends are included; an undefined end is open. */
export interface Gathering {
  from: number | undefined;
  to: number | undefined;
  granularity: Granularity;
}

/** Buckets of several wallets, by column; filled anew for each query. */
export class DayBuckets {
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
      keys[row] = (((this.days[row] ?? 0) + 2 ** 20) * 2 ** 7 + (this.wallets[row] ?? 0)) * 2 ** 23 + row;
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
    this.invested[row] = (this.invested[row] ?? 0) + invested;
    this.pnl[row] = (this.pnl[row] ?? 0) + pnl;
    this.trades[row] = (this.trades[row] ?? 0) + trades;
    this.wins[row] = (this.wins[row] ?? 0) + wins;
    this.losses[row] = (this.losses[row] ?? 0) + losses;
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

function widen<Column extends Int32Array | Float64Array>(
  column: Column,
  Wider: new (size: number) => Column,
  size: number,
): Column {
  const wider = new Wider(size);
  wider.set(column);
  return wider;
}
