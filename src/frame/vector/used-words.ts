import { distinctWords } from './distinct-words.js';
import type { TextVector } from './vector.js';

/** The same text with each word once, and without the words that no row has. */
export function usedWords(vector: TextVector): TextVector {
  const { codes, words } = distinctWords(vector);
  const places = new Int32Array(words.length).fill(-1);
  const kept: string[] = [];
  for (const code of codes) {
    if (code < 0 || (places[code] ?? 0) >= 0) continue;
    places[code] = kept.length;
    kept.push(words[code] ?? '');
  }
  if (kept.length === words.length) return { kind: 'text', codes, words, distinct: true };
  return { kind: 'text', codes: codes.map((code) => places[code] ?? -1), words: kept, distinct: true };
}
