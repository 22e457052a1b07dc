import type { MarketTally } from './market-record.js';
import { Quotes } from './quotes.js';
import { exactMath, type Random } from './random.js';
import { sampleWindow, type ToldEvent, type ToldMarket } from './tell-event.js';
import type { TradingFloor } from './trading-floor.js';

/** One side of a match. It wants exposure to an outcome, by buying that outcome or selling the other one. */
interface Order {
  wallet: number;
  /** The outcome that the wallet gains exposure to. */
  wants: number;
  sells: boolean;
  size: number;
}

/** The smallest position that is worth selling, in thousandths of a share. */
const LEAST_SALE = 1_000;
const LEAST_ORDER = 5_000;

/**
 * Trades one market match by match, from its start to its end or that of the sample. Yields whenever a file must be
 * flushed before it continues.
 */
export class MarketTrading {
  private readonly quotes: Quotes;
  private readonly scale: number;
  private readonly end: number;
  private time = 0;
  private left: number;
  private volume = 0;

  constructor(
    private readonly floor: TradingFloor,
    private readonly event: ToldEvent,
    private readonly market: ToldMarket,
    private readonly random: Random,
  ) {
    this.quotes = new Quotes(event, market, floor.wallets, random);
    this.scale = Math.max(0.5, Math.min(3, Math.sqrt(market.rows / floor.meanRows)));
    this.end = Math.min(event.end, sampleWindow.end - 1);
    this.left = market.rows;
  }

  *run(): Generator<undefined, MarketTally> {
    const { trades, activity, positions } = this.floor;
    while (this.left > 0) {
      this.match();
      if (trades.full || activity.full) yield;
    }
    for (const wallet of positions.touched) {
      this.redeem(wallet);
      if (activity.full) yield;
    }
    positions.clear();
    const lastPrice = Math.floor((this.quotes.bid + this.quotes.ask) / 2);
    return { volumeMicroUsd: this.volume, lastPrice, tick: this.quotes.tick };
  }

  private match(): void {
    const makers = this.drawMakerCount();
    this.advance(makers + 1);
    const taker = this.drawTaker();
    const wantsAt = this.quotes.askOf(taker.wants);
    this.floor.trades.beginMatch(this.random);
    this.fill(taker, wantsAt);
    this.volume += taker.size * (taker.sells ? 1000 - wantsAt : wantsAt);
    const taken = [taker.wallet];
    for (let i = 1, rest = taker.size; i <= makers; i++) {
      const part = i === makers ? rest : Math.max(1, Math.floor(rest * this.random.between(0.35, 0.75)));
      const maker = this.drawMaker(taken, 1 - taker.wants, part);
      this.fill(maker, 1000 - wantsAt);
      this.floor.rebates.note(maker.wallet, maker.size * (1000 - wantsAt), this.time);
      taken.push(maker.wallet);
      rest -= part;
    }
  }

  /** Draws one to three makers, never so that a single row is left: a match has at least two. */
  private drawMakerCount(): number {
    const at = this.random.unit();
    const wanted = Math.min(at < 0.72 ? 1 : at < 0.93 ? 2 : 3, this.left - 1);
    if (this.left - 1 - wanted !== 1) return wanted;
    return wanted === 1 ? 2 : wanted - 1;
  }

  private advance(rows: number): void {
    const done = (this.market.rows - this.left + this.random.unit() * rows) / this.market.rows;
    // Trades become more frequent towards the end.
    const shaped = done * (1.45 - 0.45 * done);
    this.time = Math.max(this.time, this.event.start + Math.floor(shaped * (this.end - this.event.start)));
    this.left -= rows;
    this.quotes.move(this.time);
  }

  private drawTaker(): Order {
    const due = this.floor.debuts.due(this.floor.trades.count);
    if (due >= 0) return this.buy(due);
    for (let attempt = 0; attempt < 8; attempt++) {
      const wallet = this.random.chance(0.02)
        ? this.floor.wallets.drawMaker(this.random)
        : this.floor.wallets.drawTrader(this.random, this.event.category);
      const order = this.consider(wallet);
      if (order !== undefined) return order;
    }
    return this.buy(this.floor.wallets.drawTrader(this.random, this.event.category));
  }

  /** The order that a wallet sends when it looks at the market; none if a careful one sees too little gain. */
  private consider(wallet: number): Order | undefined {
    const kind = this.floor.wallets.kind(wallet);
    const careful = kind === 'sharp' || kind === 'maker';
    const { wants, gain } = this.quotes.look(wallet);
    for (const outcome of [0, 1]) {
      const held = this.floor.positions.sellable(wallet, outcome, this.time);
      if (held < LEAST_SALE) continue;
      const agrees = wants !== outcome && gain > 0;
      if (this.random.chance(careful ? (agrees ? 0.9 : 0.04) : agrees ? 0.5 : 0.22)) {
        return { wallet, wants: 1 - outcome, sells: true, size: this.partOf(held) };
      }
    }
    return careful && gain < 12 ? undefined : this.buy(wallet);
  }

  private buy(wallet: number): Order {
    if (this.random.chance(0.003)) this.split(wallet);
    const { wants, gain } = this.quotes.look(wallet);
    const price = this.quotes.askOf(wants);
    const conviction = this.floor.wallets.kind(wallet) === 'sharp' ? Math.max(0.4, Math.min(2.5, gain / 50)) : 1;
    const usd = (this.floor.wallets.orderUsd[wallet] ?? 50) * conviction * this.scale;
    const shares = (usd * exactMath.exp(0.7 * this.random.normal()) * 1e6) / Math.max(150, price);
    return { wallet, wants, sells: false, size: Math.max(LEAST_ORDER, this.round(shares)) };
  }

  private drawMaker(taken: number[], wants: number, size: number): Order {
    const due = this.floor.debuts.due(this.floor.trades.count);
    if (due >= 0) return { wallet: due, wants, sells: false, size };
    const wallet = this.findMaker(taken, wants);
    if (wallet < this.floor.wallets.makers) this.tend(wallet);
    const sells = this.floor.positions.sellable(wallet, 1 - wants, this.time) >= size && this.random.chance(0.85);
    return { wallet, wants, sells, size };
  }

  private findMaker(taken: number[], wants: number): number {
    const { wallets } = this.floor;
    const price = 1000 - this.quotes.askOf(1 - wants);
    for (let attempt = 0; attempt < 10; attempt++) {
      const professional = this.random.chance(0.45);
      const wallet = professional
        ? wallets.drawMaker(this.random)
        : wallets.drawTrader(this.random, this.event.category);
      if (taken.includes(wallet)) continue;
      const worth = this.quotes.worth(wallet);
      const gain = (wants === 0 ? worth : 1000 - worth) - price;
      if (gain > (wallets.kind(wallet) === 'sharp' ? 15 : 0)) return wallet;
    }
    let wallet = this.random.below(wallets.count);
    for (let tries = 1; tries < wallets.count && taken.includes(wallet); tries++) wallet = (wallet + 1) % wallets.count;
    return wallet === taken[0] ? (wallet + 1) % wallets.count : wallet;
  }

  /** Adjusts a maker's stock: splits dollars into shares to sell, and merges pairs that it holds. */
  private tend(wallet: number): void {
    const { positions, activity } = this.floor;
    const pairs = Math.min(positions.sellable(wallet, 0, this.time), positions.sellable(wallet, 1, this.time));
    if (pairs > 50_000 && this.random.chance(0.2)) {
      positions.remove(wallet, 0, pairs);
      positions.remove(wallet, 1, pairs);
      activity.write({ type: 'MERGE', wallet, time: this.time, size: pairs, usd: pairs }, this.event, this.market);
    } else if (positions.of(wallet, 0) + positions.of(wallet, 1) === 0 && this.random.chance(0.15)) {
      this.split(wallet);
    }
  }

  private split(wallet: number): void {
    const { positions, activity } = this.floor;
    const hundreds = Math.ceil(((this.floor.wallets.orderUsd[wallet] ?? 50) * this.random.between(1, 5)) / 100);
    const size = hundreds * 100_000;
    positions.add(wallet, 0, size, this.time);
    positions.add(wallet, 1, size, this.time);
    activity.write({ type: 'SPLIT', wallet, time: this.time, size, usd: size }, this.event, this.market);
  }

  private fill(order: Order, wantsAt: number): void {
    const { positions, trades, debuts } = this.floor;
    const { wallet, wants, sells, size } = order;
    if (sells) positions.remove(wallet, 1 - wants, size);
    else positions.add(wallet, wants, size, this.time);
    const outcome = sells ? 1 - wants : wants;
    const price = sells ? 1000 - wantsAt : wantsAt;
    trades.write({ wallet, sells, outcome, size, price, time: this.time }, this.event, this.market);
    debuts.note(wallet);
  }

  private redeem(wallet: number): void {
    const { positions, activity } = this.floor;
    const { resolution, winner } = this.market;
    if (resolution !== 'won' && resolution !== 'tie') return;
    const both = positions.of(wallet, 0) + positions.of(wallet, 1);
    const size = resolution === 'tie' ? both : positions.of(wallet, winner);
    const delay = this.random.unit() * this.random.unit();
    const time = this.event.closedAt + 60 + Math.floor(delay * 864_000);
    if (size === 0 || time >= sampleWindow.end || !this.random.chance(0.88)) return;
    const usd = resolution === 'tie' ? size / 2 : size;
    activity.write({ type: 'REDEEM', wallet, time, size, usd }, this.event, this.market);
  }

  private partOf(held: number): number {
    if (this.random.chance(0.55)) return held;
    return Math.max(LEAST_SALE, Math.min(held, this.round(held * this.random.between(0.2, 0.8))));
  }

  /** Rounds a size down: people mostly order whole shares or hundredths. */
  private round(size: number): number {
    const at = this.random.unit();
    const step = at < 0.45 ? 1_000 : at < 0.9 ? 10 : 1;
    return Math.floor(size / step) * step;
  }
}
