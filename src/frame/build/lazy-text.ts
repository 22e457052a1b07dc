import type { TextVector } from '../vector/vector.js';

/**
 * A text vector whose words are made when they are first read: many columns of an answer never are.
 *
 * @param read Makes the words; called at most once, and let go then.
 */
export function lazyText(codes: Int32Array, distinct: boolean, read: () => readonly string[]): TextVector {
  let make: typeof read | undefined = read;
  let words: readonly string[] = [];
  return {
    kind: 'text',
    codes,
    distinct,
    // A property of its own, so that a copy of the vector by spreading has the words too.
    get words() {
      if (make) words = make();
      make = undefined;
      return words;
    },
  };
}
