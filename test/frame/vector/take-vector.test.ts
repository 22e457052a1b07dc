import { expect, test } from 'vitest';
import { lazyText } from '../../../src/frame/decode/text-builder.js';
import { takeVector } from '../../../src/frame/vector/take-vector.js';
import { cellsOf } from '../../../src/frame/vector/vector.js';

test('taking rows of text whose words are not made yet makes none, and once read they are right', () => {
  let made = 0;
  const lazy = lazyText(Int32Array.of(0, 1, -1), false, () => {
    made += 1;
    return ['a', 'b'];
  });
  const taken = takeVector(lazy, Uint32Array.of(2, 1));
  const missing = takeVector(taken, Int32Array.of(-1, 1, 0));
  expect(made).toBe(0);
  expect([cellsOf(missing), cellsOf(taken), cellsOf(lazy)]).toEqual([
    [null, 'b', null],
    [null, 'b'],
    ['a', 'b', null],
  ]);
  expect(made).toBe(1);
});
