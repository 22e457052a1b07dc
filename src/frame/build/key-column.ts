import { UsageError } from '../../base/errors.js';
import type { ColumnBuilder } from './column-builder.js';
import { TextBuilder } from './text-builder.js';

/** Length of a time that is stored as a day, `2020-01-03`; all other stored times are longer. */
const DAY = 'YYYY-MM-DD'.length;

/** A column that is part of a key. A day equals its midnight. */
export class KeyColumn {
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
    const code = this.#builder.codes[row] ?? -1;
    return this.#numbers === undefined ? code : (this.#numbers[code] ?? -1);
  }

  /** The value with this number, in the form that came first. */
  word(code: number): string {
    return (this.#numbers === undefined ? this.#builder.words : this.#values)[code] ?? '';
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
