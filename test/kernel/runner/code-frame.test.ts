import { expect, it } from 'vitest';
import { codeFrame } from '../../../src/kernel/runner/code-frame.js';

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
