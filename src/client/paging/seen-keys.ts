const FIRST_SLOTS = 1 << 10;

/**
 * A set of 64-bit numbers, each in two halves, in one array. It takes 11 to 21 bytes for each number, depending on how
 * full the array is; it doubles as it fills.
 */
export class SeenKeys {
  /**
   * The halves of numbers, each at the place that its first half selects or after that; two zeros if a place is free.
   */
  #slots = new Int32Array(2 * FIRST_SLOTS);
  #size = 0;

  /** Adds a number; returns false if the set already has it. */
  add(high: number, low: number): boolean {
    // Two zeros would mark a free place.
    const first = (high | low) === 0 ? 1 : high;
    const place = placeOf(this.#slots, first, low);
    if (((this.#slots[place] ?? 0) | (this.#slots[place + 1] ?? 0)) !== 0) return false;
    this.#slots[place] = first;
    this.#slots[place + 1] = low;
    this.#size += 1;
    if (8 * this.#size > 3 * this.#slots.length) this.#grow();
    return true;
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Int32Array(2 * old.length);
    for (let at = 0; at < old.length; at += 2) {
      const [high, low] = [old[at] ?? 0, old[at + 1] ?? 0];
      if ((high | low) === 0) continue;
      const place = placeOf(slots, high, low);
      slots[place] = high;
      slots[place + 1] = low;
    }
    this.#slots = slots;
  }
}

/** The place of a number, or the free place where it belongs. */
function placeOf(slots: Int32Array, high: number, low: number): number {
  const mask = slots.length - 1;
  for (let place = (2 * high) & mask; ; place = (place + 2) & mask) {
    const [first = 0, second = 0] = [slots[place], slots[place + 1]];
    if ((first === high && second === low) || (first | second) === 0) return place;
  }
}
