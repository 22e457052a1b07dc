import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import { readParquet, writeParquet } from '../../../src/frame/files/parquet.js';
import { query } from '../../../src/frame/sql/sql-query.js';
import { vectorOf } from '../../../src/frame/tabular/tabular.js';
import { type Cell, cellsOf } from '../../../src/frame/vector/vector.js';
import fc from '../../support/fast-check.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const COLUMN = { name: 'text', dtype: 'string' as const, nullable: true, meaning: '' };

/** A frame of one column of text, each row with a word of its own, or `times` rows to a word. */
function frameOf(cells: readonly (string | null)[], times = 1) {
  const words = cells.map((cell) => cell ?? '');
  const codes = Int32Array.from({ length: times * cells.length }, (_, row) => {
    const code = row % cells.length;
    return cells[code] === null ? -1 : code;
  });
  return frameFromVectors<{ text: string | null }>([COLUMN], [{ kind: 'text', codes, words, distinct: false }]);
}

const textOf = (frame: Parameters<typeof vectorOf>[0]): Cell[] => cellsOf(vectorOf(frame, 'text'));

/** What UTF-8 can say of a text, in which half a surrogate pair is U+FFFD. */
const sayable = (cell: Cell) => (typeof cell === 'string' ? Buffer.from(cell).toString() : cell);

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Lengths around those at which the database keeps a text elsewhere, in one, two, three and four bytes a character. */
const AROUND = Array.from({ length: 19 }, (_, length) =>
  ['x', 'é', '’', '🚀'].map((character) => `${character.repeat(length)}${character}${length}`),
).flat();

describe('text that a database takes', () => {
  it.each([
    ['of every length', AROUND],
    ['with U+0000 in it', ['\0', 'a\0b', `${'a'.repeat(20)}\0`, `\0${'b'.repeat(20)}`]],
    ['with halves of characters that meet', ['long enough to point \ud83d', '\ude80 to', '\ud83d', '\ude80', '🚀']],
    ['that is missing or empty', [null, '', null, 'a text that is long', '']],
    ['that is very long', ['short', 'x'.repeat(3_000_000), '’'.repeat(1_500_000), 'short, too, but longer', '']],
    [
      'of many rows',
      Array.from({ length: 5000 }, (_, row) => (row % 7 ? `${'title '.repeat(row % 5)}“${row}”` : null)),
    ],
  ])('is the same there: %s', async (_, cells) => {
    for (const times of [1, 3]) {
      const frame = frameOf(cells, times);
      expect(textOf(await query('FROM frame', { frame }))).toEqual(textOf(frame).map(sayable));
      const path = join(await temporaryFolder(), 'text.parquet');
      await writeParquet(frame, path);
      expect(textOf(await readParquet(path))).toEqual(textOf(frame).map(sayable));
    }
  });

  it('compares there as its bytes do, and is found', async () => {
    for (const times of [1, 3]) {
      const frame = frameOf(AROUND, times);
      const sorted = await query('SELECT DISTINCT text FROM frame ORDER BY text', { frame });
      expect(textOf(sorted)).toEqual([...new Set(AROUND)].sort(byBytes));
      const found = await query('SELECT text FROM frame JOIN (SELECT text FROM frame LIMIT 76) USING (text)', {
        frame,
      });
      expect(found.shape[0]).toBe(times * AROUND.length);
    }
  });

  it('is whatever text there is', async () => {
    const cells = fc.array(fc.option(fc.string({ unit: 'binary', maxLength: 30 }), { freq: 5 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(cells, fc.integer({ min: 1, max: 3 }), async (texts, times) => {
        const frame = frameOf(texts, times);
        expect(textOf(await query('FROM frame', { frame }))).toEqual(textOf(frame).map(sayable));
      }),
      { numRuns: 15 },
    );
  });
});
