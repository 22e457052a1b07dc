import { itemAt } from '../../base/item-at.js';
import { DAY_SECONDS } from '../../contract/time.js';
import type { Random } from './random.js';
import type { ActivityRows, TradeRows } from './sample-rows.js';
import { sampleWindow } from './tell-event.js';
import type { Wallets } from './wallets.js';

/**
 * What every wallet holds of a market's two outcomes, in thousandths of a share. One instance serves all markets in
 * turn, so that memory does not grow with their number.
 */
export class Positions {
  /** The wallets that took part in the market, in the order in which they first did. */
  readonly touched: number[] = [];
  private readonly held: Float64Array;
  private readonly grewAt: Float64Array;
  private readonly isTouched: Uint8Array;

  constructor(wallets: number) {
    this.held = new Float64Array(2 * wallets);
    this.grewAt = new Float64Array(wallets);
    this.isTouched = new Uint8Array(wallets);
  }

  /** The shares held, whether or not they can be sold yet. */
  of(wallet: number, outcome: number): number {
    return itemAt(this.held, 2 * wallet + outcome);
  }

  /**
   * The shares that may leave at a time: none in a second in which the wallet got shares. Records carry whole seconds,
   * and a reader that orders the records of a second differently must not see shares leave before they arrive.
   */
  sellable(wallet: number, outcome: number, time: number): number {
    return itemAt(this.grewAt, wallet) < time ? this.of(wallet, outcome) : 0;
  }

  /** Adds shares that arrive. */
  add(wallet: number, outcome: number, size: number, time: number): void {
    if (this.isTouched[wallet] === 0) {
      this.isTouched[wallet] = 1;
      this.touched.push(wallet);
    }
    this.grewAt[wallet] = time;
    this.held[2 * wallet + outcome] = this.of(wallet, outcome) + size;
  }

  /** Removes shares that leave; they must be sellable. */
  remove(wallet: number, outcome: number, size: number): void {
    this.held[2 * wallet + outcome] = this.of(wallet, outcome) - size;
  }

  /** Empties all positions for the next market. */
  clear(): void {
    for (const wallet of this.touched) {
      this.held.fill(0, 2 * wallet, 2 * wallet + 2);
      this.grewAt[wallet] = 0;
      this.isTouched[wallet] = 0;
    }
    this.touched.length = 0;
  }
}

/**
 * Ensures that every wallet gets a fill. Whenever the share of wallets that have traded falls behind the share of rows
 * written, a wallet that has not traded is due, so that such fills are spread over the whole sample.
 */
export class Debuts {
  private readonly seen: Uint8Array;
  private count = 0;
  private next = 0;

  constructor(
    private readonly wallets: number,
    private readonly fills: number,
  ) {
    this.seen = new Uint8Array(wallets);
  }

  /**
   * The wallet that must take the next row, or -1 if any may.
   *
   * @param row The number of rows before it.
   */
  due(row: number): number {
    if (this.count >= Math.ceil((this.wallets * (row + 1)) / this.fills)) return -1;
    while (this.seen[this.next] === 1) this.next++;
    return this.next < this.wallets ? this.next : -1;
  }

  /** Records that a wallet has a fill. */
  note(wallet: number): void {
    if (this.seen[wallet] === 1) return;
    this.seen[wallet] = 1;
    this.count++;
  }
}

const WEEK = 7 * DAY_SECONDS;
const WEEKS = Math.ceil((sampleWindow.end - sampleWindow.start) / WEEK);

/** The rebates and rewards that the market place pays its makers each week for their liquidity. */
export class Rebates {
  private readonly volume: Float64Array;

  /** @param makers The number of makers: wallets 0 to makers - 1 are paid. */
  constructor(private readonly makers: number) {
    this.volume = new Float64Array(makers * WEEKS);
  }

  /** Counts a maker's fill, in millionths of a dollar; other wallets are ignored. */
  note(wallet: number, microUsd: number, time: number): void {
    if (wallet >= this.makers) return;
    const at = wallet * WEEKS + Math.floor((time - sampleWindow.start) / WEEK);
    this.volume[at] = itemAt(this.volume, at) + microUsd;
  }

  /**
   * Writes a rebate for each maker and week with fills, and a reward for many. Yields when the file must be flushed.
   */
  *pay(rows: ActivityRows, random: Random): Generator<undefined> {
    for (const [at, microUsd] of this.volume.entries()) {
      const wallet = Math.floor(at / WEEKS);
      const time = sampleWindow.start + ((at % WEEKS) + 1) * WEEK + random.below(3_600);
      if (microUsd === 0 || time >= sampleWindow.end) continue;
      const rebate = Math.floor(microUsd / 1_000_000);
      const reward = Math.floor((rebate * random.below(60)) / 100);
      if (rebate > 0) rows.write({ type: 'MAKER_REBATE', wallet, time, size: rebate, usd: rebate });
      if (reward > 100) rows.write({ type: 'REWARD', wallet, time: time + 600, size: reward, usd: reward });
      if (rows.full) yield;
    }
  }
}

/** The state that all markets of a sample share. */
export interface TradingFloor {
  wallets: Wallets;
  positions: Positions;
  trades: TradeRows;
  activity: ActivityRows;
  debuts: Debuts;
  rebates: Rebates;
  /** The mean number of rows of a market. */
  meanRows: number;
}
