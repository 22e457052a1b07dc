import { AnswerError, UsageError } from '../../base/errors.js';
import type { ColumnBuilder } from './column-builder.js';
import type { RowStore } from './row-store.js';
import { TextBuilder } from './text-builder.js';

/** Finds the records whose key came before. */
export class KeyGuard {
  readonly #first: KeyColumn;
  /** The key's other columns, and tables that number their combinations: of the first two, of those and the third … */
  readonly #others: readonly KeyColumn[];
  readonly #tables: readonly PairTable[];
  readonly #words = new NumberSet();
  readonly #pairs: SeriesPairs;

  /** @throws {UsageError} If a key is no column of text. */
  constructor(builders: readonly ColumnBuilder[], [first = '', ...others]: readonly string[]) {
    this.#first = new KeyColumn(builders, first);
    this.#others = others.map((name) => new KeyColumn(builders, name));
    this.#tables = others.slice(1).map(() => new PairTable());
    this.#pairs = new SeriesPairs((code, other) => this.#isBefore(code, other));
  }

  /**
   * Marks the new rows from `start` on whose key came before, among them or earlier.
   *
   * @param page Number of their page, for errors.
   * @returns A mark for each row from `start` on, 1 for a repeat; undefined if there is none.
   * @throws {AnswerError} If a row has no key.
   */
  findRepeats(start: number, end: number, page: number): Uint8Array | undefined {
    let marks: Uint8Array | undefined;
    this.#first.look();
    for (const column of this.#others) column.look();
    for (let row = start; row < end; row += 1) {
      const code = this.#first.codeOf(row);
      const series = this.#seriesOf(row);
      if (code < 0 || series < 0) this.#refuse(row, row - start + 1, page);
      if (this.#others.length === 0 ? this.#words.add(code) : this.#pairs.add(series, code)) continue;
      marks ??= new Uint8Array(end - start);
      marks[row - start] = 1;
    }
    return marks;
  }

  /** The number of the key of a repeat: how many other keys, and so how many kept rows, came before its first row. */
  numberOf(row: number): number {
    const code = this.#first.codeOf(row);
    return this.#others.length === 0 ? code : this.#pairs.numberOf(this.#seriesOf(row), code);
  }

  /** The key of a row as text: `date 2025-11-01T00:00:00Z, proxy_wallet 0x…`. */
  keyText(row: number): string {
    return [this.#first, ...this.#others]
      .map((column) => `${column.name} ${column.word(column.codeOf(row))}`)
      .join(', ');
  }

  /** A number for the combination of the other columns in a row; -1 if a value is missing that may not be. */
  #seriesOf(row: number): number {
    let series = 0;
    for (let at = 0; at < this.#others.length; at += 1) {
      const code = (this.#others[at] as KeyColumn).partOf(row);
      if (code < 0) return -1;
      series = at === 0 ? code : (this.#tables[at - 1] as PairTable).idOf(series, code);
    }
    return series;
  }

  #isBefore(code: number, other: number): boolean {
    return this.#first.word(code) < this.#first.word(other);
  }

  #refuse(row: number, shown: number, page: number): never {
    const missing = [this.#first, ...this.#others.filter((column) => column.partOf(row) < 0)].find(
      (column) => column.codeOf(row) < 0,
    );
    const what = `the field "${missing?.name}" is missing`;
    throw new AnswerError(
      `Page ${page}, row ${shown}: ${what}; it is part of the key, without which repeated records cannot be told.`,
    );
  }
}

/** Length of a time that is stored as a day, `2020-01-03`; all other stored times are longer. */
const DAY = 'YYYY-MM-DD'.length;

/** A column that is part of a key. A day equals its midnight. */
class KeyColumn {
  readonly #builder: TextBuilder;
  readonly #isTime: boolean;
  /** Number of words that were examined, and what was found among them. */
  #seen = 0;
  #hasDays = false;
  #hasTimes = false;
  /** The number of each word's value; undefined while every word is a value of its own. */
  #numbers: number[] | undefined;
  #values: string[] = [];
  readonly #byMoment = new Map<string, number>();

  /** @throws {UsageError} If there is no such column of text. */
  constructor(builders: readonly ColumnBuilder[], name: string) {
    const builder = builders.find(({ column }) => column.name === name);
    if (!(builder instanceof TextBuilder)) throw new UsageError(`The key "${name}" is no column of text.`);
    this.#builder = builder;
    this.#isTime = builder.column.dtype === 'datetime';
  }

  get name(): string {
    return this.#builder.column.name;
  }

  /** Examines new words; call it when rows have been added. */
  look(): void {
    if (!this.#isTime) return;
    const { words } = this.#builder;
    for (; this.#seen < words.length; this.#seen += 1) {
      if (words[this.#seen]?.length === DAY) this.#hasDays = true;
      else this.#hasTimes = true;
    }
    if (this.#hasDays && this.#hasTimes) this.#number(words);
  }

  /** The number of a row's value, in the order of first appearance; -1 if it is missing. */
  codeOf(row: number): number {
    const code = this.#builder.codes[row] as number;
    return this.#numbers === undefined || code < 0 ? code : (this.#numbers[code] as number);
  }

  /** The number of a row's value among the others of a key: where null is a value, it is the first. */
  partOf(row: number): number {
    return this.#builder.column.nullable ? this.codeOf(row) + 1 : this.codeOf(row);
  }

  /** The value with this number, in the form that came first. */
  word(code: number): string {
    if (code < 0) return 'null';
    return (this.#numbers === undefined ? this.#builder.words : this.#values)[code] as string;
  }

  #number(words: readonly string[]): void {
    this.#numbers ??= [];
    for (const word of words.slice(this.#numbers.length)) {
      const moment = word.length === DAY ? `${word}T00:00:00Z` : word;
      const number = this.#byMoment.get(moment) ?? this.#values.push(word) - 1;
      this.#byMoment.set(moment, number);
      this.#numbers.push(number);
    }
  }
}

/**
 * Tells repeated pairs from new ones. It takes little time and memory while pairs come like time series: one series
 * after another, each strictly ascending. Until then a pair is only noted; the first pair out of order causes a table
 * of all.
 */
class SeriesPairs {
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
      table.idOf(this.#noted[2 * at] as number, this.#noted[2 * at + 1] as number);
    }
    this.#noted = new Int32Array(0);
    return table;
  }
}

const FREE = -1;

/** Numbers pairs of whole numbers (0 to 2³¹ - 1) from 0 on, in the order of first appearance. */
class PairTable {
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
    if (this.#firsts[place] !== FREE) return this.#ids[place] as number;
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
      const second = seconds[at] as number;
      this.#set(this.#placeOf(first, second), first, second, ids[at] as number);
    }
  }
}

/** A set of small whole numbers, one bit for each. */
class NumberSet {
  #bits = new Uint32Array(32);

  /** Adds a number; returns false if the set already has it. */
  add(number: number): boolean {
    const at = number >>> 5;
    if (at >= this.#bits.length) this.#grow(at);
    const bits = this.#bits[at] as number;
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

/** Findings about the records of a page whose key came before. */
export interface Repeated {
  /** Number of records that repeat one of the same page. */
  readonly within: number;
  /** The first record that differs from the one it repeats. */
  readonly differing: { readonly key: string; readonly field: string } | undefined;
}

/**
 * Compares the repeats of a page with the records that they repeat, as far as these are still in the store.
 *
 * @param start The first row of the page.
 * @param marks A mark for each row from there: 1 for a repeat.
 * @param taken Number of rows that were taken out of the store before.
 */
export function compareRepeats(
  store: RowStore,
  guard: KeyGuard,
  { start, marks, taken }: { start: number; marks: Uint8Array; taken: number },
): Repeated {
  const kept: number[] = [];
  let within = 0;
  let differing: Repeated['differing'];
  for (const [at, mark] of marks.entries()) {
    const row = start + at;
    if (mark !== 1) {
      kept.push(row);
      continue;
    }
    const number = guard.numberOf(row) - taken;
    const first = number < start ? number : kept[number - start];
    if (first === undefined || first < 0) continue;
    if (first >= start) within += 1;
    const field = differing ? undefined : store.differing(first, row);
    if (field !== undefined) differing = { key: guard.keyText(row), field };
  }
  return { within, differing };
}
