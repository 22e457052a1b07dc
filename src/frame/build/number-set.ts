/** A set of small whole numbers, one bit for each. */
export class NumberSet {
  #bits = new Uint32Array(32);

  /** Adds a number; returns false if the set already has it. */
  add(number: number): boolean {
    const at = number >>> 5;
    if (at >= this.#bits.length) this.#grow(at);
    const bits = this.#bits[at] ?? 0;
    const bit = 1 << (number & 31);
    this.#bits[at] = bits | bit;
    return (bits & bit) === 0;
  }

  #grow(at: number): void {
    const bits = new Uint32Array(2 * at);
    bits.set(this.#bits);
    this.#bits = bits;
  }
}
