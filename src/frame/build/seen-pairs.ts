import { NumberSet } from './number-set.js';
import { PairTable } from './pair-table.js';

/**
 * Tells repeated pairs from new ones. It takes little time and memory while pairs come like time series: one series
 * after another, each strictly ascending. Until then a pair is only noted; the first pair out of order causes a table
 * of all.
 */
export class SeenPairs {
  readonly #isBefore: (code: number, other: number) => boolean;
  readonly #begun = new NumberSet();
  #series = -1;
  #code = -1;
  /** Series and code of each pair so far; emptied once there is a table. */
  #noted = new Int32Array(1024);
  #size = 0;
  #table: PairTable | undefined;

  /** @param isBefore Whether a code comes before another in a series. */
  constructor(isBefore: (code: number, other: number) => boolean) {
    this.#isBefore = isBefore;
  }

  /** Adds a pair; returns false if it came before. */
  add(series: number, code: number): boolean {
    if (this.#table === undefined) {
      if (this.#follows(series, code)) return this.#note(series, code);
      this.#table = this.#makeTable();
    }
    const before = this.#table.size;
    this.#table.idOf(series, code);
    return this.#table.size > before;
  }

  /** The number of a pair that was added twice: how many other pairs came before it. */
  numberOf(series: number, code: number): number {
    return this.#table?.idOf(series, code) ?? -1;
  }

  #follows(series: number, code: number): boolean {
    return series === this.#series ? this.#isBefore(this.#code, code) : this.#begun.add(series);
  }

  #note(series: number, code: number): true {
    if (2 * this.#size === this.#noted.length) {
      const longer = new Int32Array(4 * this.#size);
      longer.set(this.#noted);
      this.#noted = longer;
    }
    this.#noted[2 * this.#size] = series;
    this.#noted[2 * this.#size + 1] = code;
    this.#size += 1;
    this.#series = series;
    this.#code = code;
    return true;
  }

  #makeTable(): PairTable {
    const table = new PairTable();
    for (let at = 0; at < this.#size; at += 1) {
      table.idOf(this.#noted[2 * at] ?? 0, this.#noted[2 * at + 1] ?? 0);
    }
    this.#noted = new Int32Array(0);
    return table;
  }
}
