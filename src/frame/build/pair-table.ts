const FREE = -1;

/** Numbers pairs of whole numbers (0 to 2³¹ - 1) from 0 on, in the order of first appearance. */
export class PairTable {
  #firsts = new Int32Array(64).fill(FREE);
  #seconds = new Int32Array(64);
  #ids = new Int32Array(64);
  #size = 0;

  /** Number of pairs so far. */
  get size(): number {
    return this.#size;
  }

  /** The number of a pair; a new pair gets the next number. */
  idOf(first: number, second: number): number {
    const place = this.#placeOf(first, second);
    if (this.#firsts[place] !== FREE) return this.#ids[place] ?? 0;
    this.#set(place, first, second, this.#size);
    this.#size += 1;
    if (4 * this.#size > 3 * this.#firsts.length) this.#grow();
    return this.#size - 1;
  }

  /** The place of a pair, or the free place where it belongs. */
  #placeOf(first: number, second: number): number {
    const mask = this.#firsts.length - 1;
    const hash = Math.imul(first ^ Math.imul(second, 0x5bd1e995), 0x9e3779b1);
    let place = (hash ^ (hash >>> 15)) & mask;
    for (; this.#firsts[place] !== FREE; place = (place + 1) & mask) {
      if (this.#firsts[place] === first && this.#seconds[place] === second) break;
    }
    return place;
  }

  #set(place: number, first: number, second: number, id: number): void {
    this.#firsts[place] = first;
    this.#seconds[place] = second;
    this.#ids[place] = id;
  }

  #grow(): void {
    const [firsts, seconds, ids] = [this.#firsts, this.#seconds, this.#ids];
    this.#firsts = new Int32Array(2 * firsts.length).fill(FREE);
    this.#seconds = new Int32Array(2 * firsts.length);
    this.#ids = new Int32Array(2 * firsts.length);
    for (const [at, first] of firsts.entries()) {
      if (first === FREE) continue;
      const second = seconds[at] ?? 0;
      this.#set(this.#placeOf(first, second), first, second, ids[at] ?? 0);
    }
  }
}
