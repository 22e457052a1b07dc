const fourDigits = Array.from({ length: 0x10000 }, (_, n) => n.toString(16).padStart(4, '0'));

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
  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.below(list.length)] ?? list[0];
  }

  /** Lower-case hexadecimal digits. */
  hex(digits: number): string {
    let text = '';
    while (text.length < digits) {
      const bits = this.next();
      text += `${fourDigits[bits >>> 16]}${fourDigits[bits & 0xffff]}`;
    }
    return text.slice(0, digits);
  }
}
