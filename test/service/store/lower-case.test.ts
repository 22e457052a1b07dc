import { expect, it } from 'vitest';
import { Database } from '../../../src/service/store/database.js';
import { lowerCase } from '../../../src/service/store/store.js';

it('of every letter of Unicode is that of DuckDB, alone and within a text', async () => {
  const db = await Database.open(':memory:');
  const letters = await db.rows<{ letter: number; lower: number; length: bigint }>(`
    SELECT i::INTEGER AS letter, unicode(lower(chr(i::INTEGER))) AS lower, length(lower(chr(i::INTEGER))) AS length
    FROM range(1, 1114112) t(i) WHERE i NOT BETWEEN 55296 AND 57343`);
  db.close();
  expect(letters).toHaveLength(0x110000 - 2048 - 1);
  const wrong = letters.filter(({ letter, lower, length }) => {
    const [text, expected] = [String.fromCodePoint(letter), String.fromCodePoint(lower)];
    return Number(length) !== 1 || lowerCase(text) !== expected || lowerCase(`a${text} B`) !== `a${expected} b`;
  });
  expect(wrong).toEqual([]);
});
