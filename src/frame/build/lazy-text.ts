import type { TextVector } from '../vector/vector.js';

/**
 * A text vector whose words are made when they are first read; many columns of an answer are never read.
 *
 * @param read Makes the words; called at most once, then released.
 */
export function lazyText(codes: Int32Array, distinct: boolean, read: () => readonly string[]): TextVector {
  let make: typeof read | undefined = read;
  let words: readonly string[] = [];
  return {
    kind: 'text',
    codes,
    distinct,
    // An own property, so that a copy by spreading has the words too.
    get words() {
      if (make) words = make();
      make = undefined;
      return words;
    },
  };
}
