import type { Random } from './random.js';

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
      const rest = (this.keep[high] ?? 0) - (1 - (this.keep[low] ?? 0));
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
    return at - index < (this.keep[index] ?? 1) ? index : (this.alias[index] ?? index);
  }
}
