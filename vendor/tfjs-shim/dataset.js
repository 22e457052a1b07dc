'use strict';

/** A deterministic source of numbers in [0, 1) for a seed. */
function randomFrom(seed) {
  let state = 2166136261;
  for (const character of String(seed)) state = Math.imul(state ^ character.codePointAt(0), 16777619);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 4294967296;
  };
}

/** A list to be shuffled and cut, as danfo's `sample` asks. */
class ArrayDataset {
  constructor(items) {
    this.items = Array.from(items);
  }

  /** All items in an order that the seed fixes; every order is possible, whatever the buffer size. */
  shuffle(_bufferSize, seed) {
    const random = seed === undefined ? Math.random : randomFrom(seed);
    const items = this.items.slice();
    for (let last = items.length - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      [items[last], items[other]] = [items[other], items[last]];
    }
    return new ArrayDataset(items);
  }

  take(count) {
    return new ArrayDataset(count < 0 ? this.items : this.items.slice(0, count));
  }

  toArray() {
    return Promise.resolve(this.items.slice());
  }
}

module.exports = { ArrayDataset };
