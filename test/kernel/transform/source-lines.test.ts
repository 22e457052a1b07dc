import { expect, it } from 'vitest';
import { codeFrame } from '../../../src/kernel/transform/source-lines.js';

it('shows two lines around a place, aligned over 9 and 10', () => {
  const source = Array.from({ length: 12 }, (_, i) => `line${i + 1}`).join('\n');
  expect(codeFrame(source, { line: 9, column: 3 })).toEqual([
    '   7 | line7',
    '   8 | line8',
    '>  9 | line9',
    '     |   ^',
    '  10 | line10',
    '  11 | line11',
  ]);
});

it('shows nothing of a place outside the source', () => {
  expect(codeFrame('a', { line: 2, column: 1 })).toEqual([]);
});

it('shows of a wide line the part around the place', () => {
  const [line = '', caret = ''] = codeFrame(`${'a'.repeat(300)}b${'c'.repeat(300)}`, { line: 1, column: 301 });
  expect(line[caret.indexOf('^')]).toBe('b');
  expect(line).toMatch(/^> 1 \| …a+bc+…$/);
  expect(line.length).toBeLessThan(175);
});
