import { itemAt } from '../../base/item-at.js';
import { exactMath, type Random } from './random.js';
import { PATH_STEPS, type ToldEvent, type ToldMarket } from './tell-event.js';
import type { Wallets } from './wallets.js';

/** The factor, in log-odds, by which prices under-react to the news: the favourite-longshot bias. */
const REACTION = 0.92;
/** The share of a passing disturbance that is left at the next match. */
const MEMORY = 0.9;

/**
 * A market's prices while it trades, and what each wallet believes a share to be worth. Prices are thousandths of a
 * dollar for a share of outcome 0; outcome 1 costs the rest to 1,000.
 */
export class Quotes {
  /** The price at which outcome 0 can be sold. */
  bid = 500;
  /** The price at which outcome 0 can be bought. */
  ask = 500;
  /** The smallest price step, except near 0 and 1,000, where it is 1. */
  readonly tick: number;
  private news = 0;
  private priced = 0;
  private disturbance = 0;
  private readonly halfSpread: number;
  private readonly salt: number;
  private readonly lean: number;

  constructor(
    private readonly event: ToldEvent,
    private readonly market: ToldMarket,
    private readonly wallets: Wallets,
    private readonly random: Random,
  ) {
    this.tick = random.chance(0.3) ? 1 : 10;
    this.halfSpread = random.between(8, 22);
    this.salt = random.next();
    this.lean = market.resolution === 'tie' ? 0 : market.winner === 0 ? 1 : -1;
  }

  /** Moves the prices on to a time, in Unix seconds. */
  move(time: number): void {
    const at = ((time - this.event.start) / (this.event.end - this.event.start)) * PATH_STEPS;
    const step = Math.min(PATH_STEPS - 1, Math.floor(at));
    const low = itemAt(this.market.path, step);
    this.news = low + (itemAt(this.market.path, step + 1) - low) * Math.min(1, at - step);
    this.disturbance = MEMORY * this.disturbance + 0.04 * this.random.normal();
    this.priced = REACTION * this.news + this.disturbance;
    const probability = exactMath.logistic(this.priced);
    const middle = 1000 * probability;
    const half = 0.5 + this.halfSpread * 4 * probability * (1 - probability);
    const tick = middle < 40 || middle > 960 ? 1 : this.tick;
    this.bid = Math.max(1, Math.min(998, Math.floor((middle - half) / tick) * tick));
    this.ask = Math.max(this.bid + 1, Math.min(999, Math.ceil((middle + half) / tick) * tick));
  }

  /** The price that a taker pays for a share of an outcome. */
  askOf(outcome: number): number {
    return outcome === 0 ? this.ask : 1000 - this.bid;
  }

  /**
   * What a wallet believes a share of outcome 0 to be worth. Its private signal is the same for the market's whole
   * life.
   */
  worth(wallet: number): number {
    const kind = this.wallets.kind(wallet);
    const base = kind === 'sharp' ? this.news : kind === 'poor' ? 0.75 * this.priced : this.priced;
    const edge = this.lean * itemAt(this.wallets.edge, wallet);
    return 1000 * exactMath.logistic(base + edge + itemAt(this.wallets.stray, wallet) * signal(wallet, this.salt));
  }

  /** The outcome that a wallet would rather hold, and what it believes to gain by buying a share of it. */
  look(wallet: number): { wants: number; gain: number } {
    const worth = this.worth(wallet);
    const wants = worth > (this.bid + this.ask) / 2 ? 0 : 1;
    return { wants, gain: (wants === 0 ? worth : 1000 - worth) - this.askOf(wants) };
  }
}

/** A fixed draw for a wallet and a market, nearly normal: the sum of four hashed bytes. */
function signal(wallet: number, salt: number): number {
  let hash = Math.imul(wallet + 1, 0x9e3779b1) ^ salt;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  return ((hash & 255) + ((hash >>> 8) & 255) + ((hash >>> 16) & 255) + (hash >>> 24) - 510) / 147.8;
}
