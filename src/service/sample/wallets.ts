import { exactMath, Random, WeightedDraw } from './random.js';
import { CATEGORY_COUNT } from './stories.js';

/** The kind of a wallet: makers quote both sides, sharps know more than the price, poor traders overrate longshots. */
type WalletKind = 'maker' | 'sharp' | 'poor' | 'average';

const STREAM = 1;
const MAKER_SHARE = 0.04;
const SHARP_SHARE = 0.08;
const POOR_SHARE = 0.16;

/**
 * The wallets of a sample, by index. Makers come first, then sharps, then poor, then average wallets.
 *
 * @param seed The sample's seed.
 * @param count The number of wallets, at least 2; at least one is a maker.
 * @example new Wallets(1, 500).kind(0); // 'maker'
 */
export class Wallets {
  readonly makers: number;
  /** `0x` and 40 hexadecimal digits: 42 bytes a wallet. */
  private readonly addresses: Buffer;
  /** Skill: how far, in log-odds, a wallet's private estimate leans to the outcome that will win. */
  readonly edge: Float64Array;
  /** The standard deviation, in log-odds, of a wallet's estimate. */
  readonly stray: Float64Array;
  /** A typical order in dollars. */
  readonly orderUsd: Float64Array;
  /** The category that a wallet trades most. */
  readonly favourite: Uint8Array;
  private readonly takerDraw: WeightedDraw;
  private readonly makerDraw: WeightedDraw;
  private readonly sharpEnd: number;
  private readonly poorEnd: number;

  constructor(
    seed: number,
    readonly count: number,
  ) {
    this.makers = Math.max(1, Math.round(count * MAKER_SHARE));
    this.sharpEnd = this.makers + Math.round(count * SHARP_SHARE);
    this.poorEnd = Math.min(count, this.sharpEnd + Math.round(count * POOR_SHARE));
    this.addresses = Buffer.alloc(count * 42);
    this.edge = new Float64Array(count);
    this.stray = new Float64Array(count);
    this.orderUsd = new Float64Array(count);
    this.favourite = new Uint8Array(count);
    const activity = new Float64Array(count);
    const random = new Random(seed, STREAM, 0);
    for (let wallet = 0; wallet < count; wallet++) {
      this.addresses.write(`0x${random.hex(40)}`, wallet * 42, 'latin1');
      activity[wallet] = this.drawTraits(wallet, random);
    }
    this.makerDraw = new WeightedDraw(activity.slice(0, this.makers));
    this.takerDraw = new WeightedDraw(activity.slice(this.makers));
  }

  kind(wallet: number): WalletKind {
    if (wallet < this.makers) return 'maker';
    if (wallet < this.sharpEnd) return 'sharp';
    return wallet < this.poorEnd ? 'poor' : 'average';
  }

  /** The address of a wallet, `0x…` in lower case. */
  address(wallet: number): string {
    return this.addresses.toString('latin1', wallet * 42, wallet * 42 + 42);
  }

  /** Draws a maker, active ones more often. */
  drawMaker(random: Random): number {
    return this.makerDraw.draw(random);
  }

  /** Draws any other wallet, active ones more often, and those that favour the category more often still. */
  drawTrader(random: Random, category: number): number {
    let wallet = 0;
    for (let attempt = 0; attempt < 4; attempt++) {
      wallet = this.makers + this.takerDraw.draw(random);
      if (this.favourite[wallet] === category || random.chance(0.3)) break;
    }
    return wallet;
  }

  private drawTraits(wallet: number, random: Random): number {
    const kind = this.kind(wallet);
    const information = kind === 'sharp' ? random.between(0.25, 0.65) : 0;
    this.edge[wallet] = kind === 'sharp' ? information / 2 : kind === 'poor' ? -random.between(0.02, 0.14) : 0;
    if (kind === 'average') this.edge[wallet] = 0.06 * random.normal();
    if (kind === 'maker') this.edge[wallet] = random.between(0.06, 0.14);
    this.stray[wallet] = kind === 'sharp' ? Math.sqrt(information) : random.between(0.4, 0.9);
    if (kind === 'maker') this.stray[wallet] = 0.3;
    const scale = kind === 'maker' ? 250 : kind === 'sharp' ? 120 : 60;
    this.orderUsd[wallet] = scale * exactMath.exp((kind === 'sharp' ? 0.5 : 0.7) * random.normal());
    this.favourite[wallet] = random.below(CATEGORY_COUNT);
    // A Pareto tail of exponent 2 times a lognormal body: a few wallets trade all day, most only now and then.
    const tail = 1 / Math.sqrt(random.between(0.004, 1));
    return tail * exactMath.exp(0.55 * random.normal()) * (kind === 'sharp' ? 1.8 : 1);
  }
}
