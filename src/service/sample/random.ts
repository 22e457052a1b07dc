import { itemAt } from '../../base/item-at.js';

/**
 * A stream of pseudo-random numbers (sfc32, the small fast counter generator of PractRand). It gives the same values on
 * every platform, since it takes only integer steps and floating-point operations that IEEE 754 rounds exactly.
 *
 * @example new Random(1, 0, 0).below(6); // a die of seed 1
 */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  /**
   * @param seed The sample's seed.
   * @param stream The number of the purpose for which numbers are drawn; streams do not influence each other.
   * @param index The member of the stream, for example the market.
   */
  constructor(seed: number, stream: number, index: number) {
    this.a = seed | 0;
    this.b = stream | 0;
    this.c = index | 0;
    for (let i = 0; i < 15; i++) this.next();
  }

  /** An integer in [0, 2^32). */
  next(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A number in [0, 1). */
  unit(): number {
    return this.next() / 4294967296;
  }

  /** An integer in [0, count). */
  below(count: number): number {
    return Math.floor(this.unit() * count);
  }

  /** A number in [low, high). */
  between(low: number, high: number): number {
    return low + this.unit() * (high - low);
  }

  /** Draws whether something with this probability happens. */
  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** A nearly normal number with mean 0 and standard deviation 1 (a sum of four uniforms), never beyond ±3.47. */
  normal(): number {
    return (this.unit() + this.unit() + this.unit() + this.unit() - 2) * Math.sqrt(3);
  }

  /** One member of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return itemAt(list, this.below(list.length));
  }

  /** Lower-case hexadecimal digits. */
  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.next().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }
}

/**
 * Draws indexes in proportion to their weights, in constant time (Walker's alias method, built as by Vose).
 *
 * @param weights The weights, at least one, each positive.
 * @see Vose (1991), A linear algorithm for generating random numbers with a given distribution.
 * @example new WeightedDraw(Float64Array.of(3, 1)).draw(random); // 0 three times out of four
 */
export class WeightedDraw {
  private readonly keep: Float64Array;
  private readonly alias: Int32Array;

  constructor(weights: Float64Array) {
    const count = weights.length;
    let total = 0;
    for (const weight of weights) total += weight;
    this.keep = weights.map((weight) => (weight * count) / total);
    this.alias = Int32Array.from(weights, (_, i) => i);
    const small: number[] = [];
    const large: number[] = [];
    this.keep.forEach((share, i) => {
      (share < 1 ? small : large).push(i);
    });
    for (let low = small.pop(), high = large.pop(); low !== undefined && high !== undefined; low = small.pop()) {
      this.alias[low] = high;
      const rest = itemAt(this.keep, high) - (1 - itemAt(this.keep, low));
      this.keep[high] = rest;
      if (rest >= 1) continue;
      small.push(high);
      high = large.pop();
    }
  }

  /** Draws an index of the weights. */
  draw(random: Random): number {
    const at = random.unit() * this.keep.length;
    const index = Math.floor(at);
    return at - index < itemAt(this.keep, index) ? index : itemAt(this.alias, index);
  }
}

const STEPS_PER_UNIT = 256;
const LIMIT = 10;

const table = Float64Array.from({ length: 2 * LIMIT * STEPS_PER_UNIT + 2 }, (_, i) => {
  return 1 / (1 + exp(LIMIT - i / STEPS_PER_UNIT));
});

/**
 * Exponential, logarithm and logistic function, made only of operations that IEEE 754 rounds exactly. `Math.exp` and
 * `Math.log` may differ in the last bit between engine versions, which would change a sample's bytes.
 *
 * @example exactMath.logistic(0); // 0.5
 */
export const exactMath = { exp, log, logistic };

function exp(x: number): number {
  const doublings = Math.round(x / Math.LN2);
  const rest = x - doublings * Math.LN2;
  let sum = 1;
  for (let n = 14; n > 0; n--) sum = 1 + (sum * rest) / n;
  const factor = doublings < 0 ? 0.5 : 2;
  for (let i = Math.abs(doublings); i > 0; i--) sum *= factor;
  return sum;
}

function log(x: number): number {
  let mantissa = x;
  let doublings = 0;
  for (; mantissa > 1.5; doublings++) mantissa /= 2;
  for (; mantissa < 0.75; doublings--) mantissa *= 2;
  const z = (mantissa - 1) / (mantissa + 1);
  let sum = 0;
  for (let n = 25; n > 0; n -= 2) sum = sum * z * z + 1 / n;
  return doublings * Math.LN2 + 2 * z * sum;
}

function logistic(x: number): number {
  const at = (Math.max(-LIMIT, Math.min(LIMIT, x)) + LIMIT) * STEPS_PER_UNIT;
  const below = Math.floor(at);
  const low = itemAt(table, below);
  return low + (itemAt(table, below + 1) - low) * (at - below);
}
