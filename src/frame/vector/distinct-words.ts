import type { TextVector } from './vector.js';

/** The same text with each word once, so that equal codes are the same as equal texts. */
export function distinctWords(vector: TextVector): TextVector {
  if (vector.distinct) return vector;
  const { codes, words } = vector;
  const places = new Map<string, number>();
  const kept: string[] = [];
  const renumbered = new Int32Array(codes.length);
  for (let row = 0; row < codes.length; row += 1) {
    const word = words[codes[row] ?? -1];
    if (word === undefined) {
      renumbered[row] = -1;
      continue;
    }
    const known = places.get(word);
    renumbered[row] = known ?? kept.length;
    if (known !== undefined) continue;
    places.set(word, kept.length);
    kept.push(word);
  }
  return { kind: 'text', codes: renumbered, words: kept, distinct: true };
}
