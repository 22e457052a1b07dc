import { putVarint, VARINT_BYTES, VarintReader, zigzag } from './varint.js';

/** What happened on one day, as exact numbers; money in micro-USD. */
export interface DayCounts {
  /** Days since 1970-01-01. */
  day: number;
  invested: number;
  pnl: number;
  trades: number;
  wins: number;
  losses: number;
}

/** The most that the absolute amounts of one list may add up to, so that all their sums are exact. */
export const MOST_MICROS = 2 ** 52 - 1;

const NUMBERS_A_DAY = 6;

/**
 * Writes a wallet's days as varints: first how many there are, then for each the number of days since the one before
 * (the first as a signed day), invested, pnl (signed), trades, wins and losses.
 */
export class DayListWriter {
  #bytes = new Uint8Array(1 << 16);
  #end = 0;
  #days = 0;
  #previous = 0;

  /** Adds a day, which must be later than the one before. */
  add(day: number, invested: number, pnl: number, trades: number, wins: number, losses: number): void {
    if (this.#end + NUMBERS_A_DAY * VARINT_BYTES > this.#bytes.length) {
      const wider = new Uint8Array(2 * this.#bytes.length);
      wider.set(this.#bytes);
      this.#bytes = wider;
    }
    const bytes = this.#bytes;
    let at = putVarint(bytes, this.#end, this.#days === 0 ? zigzag(day) : day - this.#previous);
    at = putVarint(bytes, at, invested);
    at = putVarint(bytes, at, zigzag(pnl));
    at = putVarint(bytes, at, trades);
    at = putVarint(bytes, at, wins);
    this.#end = putVarint(bytes, at, losses);
    this.#previous = day;
    this.#days++;
  }

  /** The bytes of the list; the next list starts empty. */
  take(): Uint8Array {
    const head = new Uint8Array(VARINT_BYTES);
    const headEnd = putVarint(head, 0, this.#days);
    const list = new Uint8Array(headEnd + this.#end);
    list.set(head.subarray(0, headEnd));
    list.set(this.#bytes.subarray(0, this.#end), headEnd);
    this.#end = this.#days = 0;
    return list;
  }
}

/**
 * Reads a list of days in order.
 *
 * @param each Receives every day, always in the same object; returns false to stop.
 */
export function readDays(list: Uint8Array, each: (day: DayCounts) => boolean): void {
  const reader = new VarintReader(list);
  const counts: DayCounts = { day: 0, invested: 0, pnl: 0, trades: 0, wins: 0, losses: 0 };
  for (let left = reader.next(), first = true; left > 0; left--, first = false) {
    counts.day = first ? reader.signed() : counts.day + reader.next();
    counts.invested = reader.next();
    counts.pnl = reader.signed();
    counts.trades = reader.next();
    counts.wins = reader.next();
    counts.losses = reader.next();
    if (!each(counts)) return;
  }
}
