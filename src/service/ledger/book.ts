import { DAY_SECONDS } from '../../contract/time.js';
import { type DayRow, KIND, type LedgerEvent, type LedgerMarket } from './event.js';
import { convert, migrate } from './exchange.js';
import {
  emptied,
  emptyPosition,
  exact,
  gain,
  noteCost,
  type Position,
  put,
  share,
  type Taken,
  take,
  touch,
  worth,
} from './position.js';
import { redeem } from './redeem.js';

/** A wallet's state in one market: two positions, whether it is settled, and the row of its last day. */
export interface Holding {
  market: number;
  known: LedgerMarket | undefined;
  readonly sides: readonly [Position, Position];
  /** Whether its shares were paid. Those that are still held are worth what they were paid, and that is their cost. */
  settled: boolean;
  row: DayRow | undefined;
  /** The row of the last redemption if it paid less than the winning shares that were held. */
  short: DayRow | undefined;
}

/**
 * One wallet's ledger over markets that exclude each other (or over a single one): average cost, integer money.
 * Events must come in order of time and kind. Settlements happen between them automatically.
 *
 * Its objects are used again after {@link Book.clear}, since making new ones costs more than counting an event.
 */
export class Book {
  readonly markets: readonly LedgerMarket[];
  /** A list, not a map: there are few holdings, mostly one. */
  readonly #holdings: Holding[] = [];
  #held = 0;
  readonly #rows: DayRow[] = [];
  #used = 0;
  #conversion: LedgerEvent[] = [];
  /** A time before which no unsettled holding closes. */
  #nextClose = Number.POSITIVE_INFINITY;

  constructor(markets: readonly LedgerMarket[]) {
    this.markets = markets;
  }

  /** Counts one event. The caller may reuse the object. */
  add(event: LedgerEvent): void {
    const pending = this.#conversion[0];
    if (pending && (event.kind !== KIND.conversion || event.tx !== pending.tx || event.time !== pending.time)) {
      this.#convert();
    }
    if (this.#nextClose < event.time) this.#settleBefore(event.time);
    if (event.kind === KIND.conversion) this.#conversion.push({ ...event });
    else this.#apply(event);
  }

  /**
   * Settles what is left and gives the rows, by market and day. They are valid until {@link Book.clear}. All amounts
   * are exact, except NaN and those beyond the integers that doubles hold exactly.
   */
  finish(): DayRow[] {
    if (this.#conversion.length > 0) this.#convert();
    this.#settleBefore(Number.POSITIVE_INFINITY);
    const rows = this.#rows.slice(0, this.#used);
    // Rows of a single market are in order already.
    return this.#held === 1 ? rows : rows.sort((a, b) => a.market - b.market || a.day - b.day);
  }

  /** What the wallet holds or held in each market, once all is settled; valid until {@link Book.clear}. */
  holdings(): readonly Holding[] {
    return this.#holdings.slice(0, this.#held);
  }

  /** Forgets all that was counted, so that events of another wallet or of other markets can follow. */
  clear(): void {
    this.#held = this.#used = 0;
    this.#nextClose = Number.POSITIVE_INFINITY;
  }

  holding(market: number): Holding {
    for (let i = 0; i < this.#held; i++) {
      const holding = this.#holdings[i];
      if (holding?.market === market) return holding;
    }
    const holding = this.#freshHolding(market, this.markets[market]);
    const closeTime = holding.known?.closeTime;
    if (closeTime !== undefined && closeTime < this.#nextClose) this.#nextClose = closeTime;
    return holding;
  }

  /** The row to count into for a market's day. Days of a market come in order. */
  row(holding: Holding, time: number): DayRow {
    const day = Math.floor(time / DAY_SECONDS);
    let { row } = holding;
    if (row?.day !== day) row = holding.row = this.#freshRow(holding.market, day, time);
    if (time > row.last) row.last = time;
    return row;
  }

  #freshHolding(market: number, known: LedgerMarket | undefined): Holding {
    const holding = this.#holdings[this.#held++];
    if (!holding) {
      const sides = [emptyPosition(), emptyPosition()] as const;
      const made: Holding = { market, known, sides, settled: false, row: undefined, short: undefined };
      this.#holdings.push(made);
      return made;
    }
    emptied(holding.sides[0]);
    emptied(holding.sides[1]);
    holding.market = market;
    holding.known = known;
    holding.settled = false;
    holding.row = holding.short = undefined;
    return holding;
  }

  #freshRow(market: number, day: number, last: number): DayRow {
    const row = this.#rows[this.#used++];
    if (!row) {
      const counts = { invested: 0, pnl: 0, traded: 0, trades: 0, wins: 0, losses: 0 };
      const made = { market, day, ...counts, untracked: 0, over_redeemed: 0, short_paid: 0, last };
      this.#rows.push(made);
      return made;
    }
    row.market = market;
    row.day = day;
    row.invested = row.pnl = row.traded = row.untracked = row.over_redeemed = row.short_paid = 0;
    row.trades = row.wins = row.losses = 0;
    row.last = last;
    return row;
  }

  /**
   * Counts the realized profit of one closing event, which the caller adds to the position by {@link gain}. Of shares
   * that were settled before, it is only the difference to what they were worth then, and neither a win nor a loss.
   */
  realize(holding: Holding, time: number, profit: number, closes = !holding.settled): void {
    const row = this.row(holding, time);
    row.pnl = exact(row.pnl + exact(profit));
    if (!closes) return;
    if (profit > 0) row.wins++;
    else if (profit < 0) row.losses++;
  }

  /** Takes shares out at average cost or, of a settled market, at what they were worth. */
  take(holding: Holding, side: 0 | 1, shares: number): Taken {
    const position = holding.sides[side];
    if (!holding.settled) return take(position, shares);
    const taken = Math.min(shares, position.shares);
    const { cost } = position;
    position.shares -= taken;
    position.cost = worth(holding.known?.winner, side, position.shares);
    return { shares: taken, cost: cost - position.cost };
  }

  /** Settles shares that arrive after a market's close, at the time they arrive. */
  settleArrival(holding: Holding, time: number): void {
    const closeTime = holding.known?.closeTime;
    if (!holding.settled && !(closeTime !== undefined && closeTime < time)) return;
    this.row(holding, time);
    this.settle(holding, time, true);
  }

  /**
   * Realizes what each share is worth: 1 or 0, or 0.5 on a tie. The shares stay: they may be redeemed, or sold to
   * somebody who redeems them, and that must not look like shares that were never seen.
   *
   * @param arrives Whether it is past the close, so that only what has arrived since can be worth another amount.
   */
  settle(holding: Holding, time: number, arrives = false): void {
    const winner = holding.known?.winner;
    if (winner === undefined) return;
    holding.settled = true;
    for (const side of [0, 1] as const) {
      const position = holding.sides[side];
      if (position.shares === 0) continue;
      const value = worth(winner, side, position.shares);
      const profit = value - position.cost;
      // Of shares that arrive late, the cost is that of what was paid before, too.
      if (!arrives || position.lastShares === 0) noteCost(position);
      if (arrives && profit === 0) continue;
      position.cost = value;
      gain(position, profit);
      this.realize(holding, time, profit, true);
    }
  }

  #apply(event: LedgerEvent): void {
    const holding = this.holding(event.market);
    if (event.kind === KIND.redeem) redeem(this, holding, event);
    else if (event.kind === KIND.split) this.#split(holding, event);
    else if (event.kind === KIND.merge) this.#merge(holding, event);
    else if (event.kind === KIND.migration) migrate(this, holding, event);
    else this.#fill(holding, event);
    if (event.kind < KIND.migration) this.settleArrival(holding, event.time);
  }

  #fill(holding: Holding, event: LedgerEvent): void {
    const row = this.row(holding, event.time);
    row.trades++;
    row.traded += event.usd;
    const side = event.side === 0 ? 0 : 1;
    const position = holding.sides[side];
    touch(position, event.time);
    if (event.kind === KIND.buy) {
      put(position, event.shares, event.usd);
      position.invested += event.usd;
      row.invested += event.usd;
      return;
    }
    const taken = this.take(holding, side, event.shares);
    row.untracked += event.shares - taken.shares;
    if (taken.shares === 0) return;
    const profit = share(event.usd, taken.shares, event.shares) - taken.cost;
    gain(position, profit);
    this.realize(holding, event.time, profit);
  }

  /** Buys both sides at 0.50 each; an odd micro-dollar goes to the second side. */
  #split(holding: Holding, event: LedgerEvent): void {
    const half = Math.floor(event.shares / 2);
    holding.sides.forEach((position, side) => {
      const cost = side === 0 ? half : event.shares - half;
      touch(position, event.time);
      put(position, event.shares, cost);
      position.invested += cost;
    });
    this.row(holding, event.time).invested += event.shares;
  }

  /** Sells both sides at 0.50 each, as one closing event; what the rounding leaves goes to the second side. */
  #merge(holding: Holding, event: LedgerEvent): void {
    for (const position of holding.sides) touch(position, event.time);
    const [a, b] = [this.take(holding, 0, event.shares), this.take(holding, 1, event.shares)];
    this.row(holding, event.time).untracked += event.shares - a.shares + (event.shares - b.shares);
    const shares = exact(a.shares + b.shares);
    if (shares === 0) return;
    const [proceeds, first] = [Math.floor(shares / 2), Math.floor(a.shares / 2)];
    gain(holding.sides[0], first - a.cost);
    gain(holding.sides[1], proceeds - first - b.cost);
    this.realize(holding, event.time, proceeds - exact(a.cost + b.cost));
  }

  #convert(): void {
    const batch = this.#conversion;
    this.#conversion = [];
    if (batch.length > 0) convert(this, batch);
  }

  #settleBefore(time: number): void {
    this.#nextClose = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#held; i++) {
      const holding = this.#holdings[i];
      const closeTime = holding?.known?.closeTime;
      if (!holding || holding.settled || closeTime === undefined || holding.known?.winner === undefined) continue;
      if (closeTime < time) this.settle(holding, closeTime);
      else if (closeTime < this.#nextClose) this.#nextClose = closeTime;
    }
  }
}
