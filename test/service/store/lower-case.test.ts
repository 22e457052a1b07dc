import { expect, it } from 'vitest';
import { Database } from '../../../src/service/store/database.js';
import { lowerCase } from '../../../src/service/store/lower-case.js';

it('of every letter of Unicode is that of DuckDB, alone and within a text', async () => {
  const db = await Database.open(':memory:');
  const chunks = await db.numbers(`
    SELECT i::INTEGER AS letter, unicode(lower(chr(i::INTEGER))) AS lower, length(lower(chr(i::INTEGER)))::INTEGER AS length
    FROM range(1, 1114112) t(i) WHERE i NOT BETWEEN 55296 AND 57343`);
  let letters = 0;
  const wrong: number[] = [];
  for await (const [some = [], lowers = [], lengths = []] of chunks) {
    letters += some.length;
    for (const [at, letter] of some.entries()) {
      const [text, expected] = [String.fromCodePoint(letter), String.fromCodePoint(Number(lowers[at]))];
      const isRight = lengths[at] === 1 && lowerCase(text) === expected && lowerCase(`a${text} B`) === `a${expected} b`;
      if (!isRight) wrong.push(letter);
    }
  }
  db.close();
  expect(letters).toBe(0x110000 - 2048 - 1);
  expect(wrong).toEqual([]);
});
