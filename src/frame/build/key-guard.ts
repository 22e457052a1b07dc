import { AnswerError } from '../../base/errors.js';
import type { ColumnBuilder } from './column-builder.js';
import { KeyColumn } from './key-column.js';
import { NumberSet } from './number-set.js';
import { PairTable } from './pair-table.js';
import { SeenPairs } from './seen-pairs.js';

/** Finds the records whose key came before. */
export class KeyGuard {
  readonly #first: KeyColumn;
  /** The key's other columns, and tables that number their combinations: of the first two, of those and the third … */
  readonly #others: readonly KeyColumn[];
  readonly #tables: readonly PairTable[];
  readonly #words = new NumberSet();
  readonly #pairs: SeenPairs;

  /** @throws {UsageError} If a key is no column of text. */
  constructor(builders: readonly ColumnBuilder[], [first = '', ...others]: readonly string[]) {
    this.#first = new KeyColumn(builders, first);
    this.#others = others.map((name) => new KeyColumn(builders, name));
    this.#tables = others.slice(1).map(() => new PairTable());
    this.#pairs = new SeenPairs((code, other) => this.#isBefore(code, other));
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

  /** A number for the combination of the other columns in a row; -1 if a value is missing. */
  #seriesOf(row: number): number {
    let series = this.#others.length === 0 ? 0 : (this.#others[0]?.codeOf(row) ?? -1);
    for (let at = 1; at < this.#others.length && series >= 0; at += 1) {
      const code = this.#others[at]?.codeOf(row) ?? -1;
      series = code < 0 ? -1 : (this.#tables[at - 1]?.idOf(series, code) ?? -1);
    }
    return series;
  }

  #isBefore(code: number, other: number): boolean {
    return this.#first.word(code) < this.#first.word(other);
  }

  #refuse(row: number, shown: number, page: number): never {
    const missing = [this.#first, ...this.#others].find((column) => column.codeOf(row) < 0);
    const what = `the field "${missing?.name}" is missing`;
    throw new AnswerError(
      `Page ${page}, row ${shown}: ${what}; it is part of the key, without which repeated records cannot be told.`,
    );
  }
}
