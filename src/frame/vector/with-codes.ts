import type { TextVector } from './vector.js';

/** The words of a text vector under other codes; words that are made when first read stay so. */
export function withCodes(vector: TextVector, codes: Int32Array): TextVector {
  const isLazy = Object.getOwnPropertyDescriptor(vector, 'words')?.get !== undefined;
  const { distinct } = vector;
  if (!isLazy) return { kind: 'text', codes, words: vector.words, distinct };
  return {
    kind: 'text',
    codes,
    distinct,
    get words() {
      return vector.words;
    },
  };
}
