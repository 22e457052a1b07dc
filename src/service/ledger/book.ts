import { DAY_SECONDS } from '../../contract/time.js';
import { convert } from './convert.js';
import { type DayRow, KIND, type LedgerEvent, type LedgerMarket } from './event.js';
import { type Position, share, take } from './position.js';
import { redeem } from './redeem.js';

/** The two positions of one market, and whether its close was reached. */
export interface Holding {
  market: number;
  sides: readonly [Position, Position];
  settled: boolean;
}

/**
 * One wallet's ledger over markets that exclude each other (or over a single one): average cost, integer money.
 * Events must come in the order of time and kind; settlement comes between them by itself.
 */
export class Book {
  readonly markets: readonly LedgerMarket[];
  readonly #holdings = new Map<number, Holding>();
  readonly #rows = new Map<number, DayRow>();
  #conversion: LedgerEvent[] = [];

  constructor(markets: readonly LedgerMarket[]) {
    this.markets = markets;
  }

  /** Counts one event. */
  add(event: LedgerEvent): void {
    const pending = this.#conversion[0];
    if (pending && (event.kind !== KIND.conversion || event.tx !== pending.tx || event.time !== pending.time)) {
      this.#convert();
    }
    this.#settleBefore(event.time);
    if (event.kind === KIND.conversion) this.#conversion.push(event);
    else this.#apply(event);
  }

  /** Settles what is left and gives the rows, by market and day. */
  finish(): DayRow[] {
    this.#convert();
    this.#settleBefore(Number.POSITIVE_INFINITY);
    return [...this.#rows.values()].sort((a, b) => a.market - b.market || a.day - b.day);
  }

  holding(market: number): Holding {
    let holding = this.#holdings.get(market);
    if (!holding) {
      holding = { market, sides: [emptyPosition(), emptyPosition()], settled: false };
      this.#holdings.set(market, holding);
    }
    return holding;
  }

  /** The row of a market's day, to count into. */
  row(market: number, time: number): DayRow {
    const day = Math.floor(time / DAY_SECONDS);
    const key = market * 2 ** 24 + day;
    let row = this.#rows.get(key);
    if (!row) {
      row = { market, day, invested: 0, pnl: 0, traded: 0, trades: 0, wins: 0, losses: 0, untracked: 0, last: time };
      this.#rows.set(key, row);
    }
    row.last = Math.max(row.last, time);
    return row;
  }

  /** Counts one closing event with its realized profit. */
  realize(market: number, time: number, profit: number): void {
    const row = this.row(market, time);
    row.pnl += profit;
    if (profit > 0) row.wins++;
    else if (profit < 0) row.losses++;
  }

  /** Pays shares that arrive in a market whose close was reached before, as they arrive: never before they came. */
  settleArrival(holding: Holding, time: number): void {
    const closeTime = this.markets[holding.market]?.closeTime;
    if (holding.settled || (closeTime !== undefined && closeTime < time)) this.settle(holding, time);
  }

  /** Pays remaining shares 1, 0, or 0.5 each on a tie. */
  settle(holding: Holding, time: number): void {
    const winner = this.markets[holding.market]?.winner;
    if (winner === undefined) return;
    holding.settled = true;
    holding.sides.forEach((position, side) => {
      if (position.shares === 0) return;
      const { shares, cost } = take(position, position.shares);
      const payout = winner === 2 ? share(shares, 1, 2) : winner === side ? shares : 0;
      this.realize(holding.market, time, payout - cost);
    });
  }

  #apply(event: LedgerEvent): void {
    const holding = this.holding(event.market);
    if (event.kind === KIND.redeem) redeem(this, holding, event);
    else if (event.kind === KIND.split) this.#split(holding, event);
    else if (event.kind === KIND.merge) this.#merge(holding, event);
    else this.#fill(holding, event);
    this.settleArrival(holding, event.time);
  }

  #fill(holding: Holding, event: LedgerEvent): void {
    const row = this.row(event.market, event.time);
    row.trades++;
    row.traded += event.usd;
    const position = holding.sides[event.side === 0 ? 0 : 1];
    if (event.kind === KIND.buy) {
      position.shares += event.shares;
      position.cost += event.usd;
      row.invested += event.usd;
      return;
    }
    const taken = take(position, event.shares);
    row.untracked += event.shares - taken.shares;
    if (taken.shares === 0) return;
    this.realize(event.market, event.time, share(event.usd, taken.shares, event.shares) - taken.cost);
  }

  /** Buys both sides at 0.50; of an odd micro-dollar the second side bears the half. */
  #split(holding: Holding, event: LedgerEvent): void {
    const half = Math.floor(event.shares / 2);
    holding.sides.forEach((position, side) => {
      position.shares += event.shares;
      position.cost += side === 0 ? half : event.shares - half;
    });
    this.row(event.market, event.time).invested += event.shares;
  }

  /** Sells both sides at 0.50: one closing event. */
  #merge(holding: Holding, event: LedgerEvent): void {
    const [a, b] = [take(holding.sides[0], event.shares), take(holding.sides[1], event.shares)];
    this.row(event.market, event.time).untracked += 2 * event.shares - a.shares - b.shares;
    if (a.shares + b.shares === 0) return;
    this.realize(event.market, event.time, Math.floor((a.shares + b.shares) / 2) - a.cost - b.cost);
  }

  #convert(): void {
    const batch = this.#conversion;
    this.#conversion = [];
    if (batch.length > 0) convert(this, batch);
  }

  #settleBefore(time: number): void {
    for (const holding of this.#holdings.values()) {
      const closeTime = this.markets[holding.market]?.closeTime;
      if (!holding.settled && closeTime !== undefined && closeTime < time) this.settle(holding, closeTime);
    }
  }
}

function emptyPosition(): Position {
  return { shares: 0, cost: 0 };
}
