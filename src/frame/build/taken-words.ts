/** Codes and the words that they refer to, renumbered in the order of the rows. */
export interface TakenWords {
  readonly codes: Int32Array;
  readonly words: string[];
}

/** Copies codes with only the words that they refer to. */
export function takenWords(codes: Int32Array, words: readonly string[]): TakenWords {
  const numbers = words.length <= 4 * codes.length ? new ArrayNumbers(words.length) : new Map<number, number>();
  const taken: string[] = [];
  const renumbered = codes.map((code) => {
    const word = words[code];
    if (word === undefined) return -1;
    const known = numbers.get(code);
    if (known !== undefined) return known;
    numbers.set(code, taken.length);
    return taken.push(word) - 1;
  });
  return { codes: renumbered, words: taken };
}

/** A map between small whole numbers. */
class ArrayNumbers {
  readonly #numbers: Int32Array;

  constructor(size: number) {
    this.#numbers = new Int32Array(size).fill(-1);
  }

  get(key: number): number | undefined {
    const number = this.#numbers[key] ?? -1;
    return number < 0 ? undefined : number;
  }

  set(key: number, number: number): void {
    this.#numbers[key] = number;
  }
}
