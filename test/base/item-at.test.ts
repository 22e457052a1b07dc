import { expect, it } from 'vitest';
import { itemAt } from '../../src/base/item-at.js';

it('gives the item of an index, also 0 and an empty text', () => {
  expect(itemAt([10, 20], 1)).toBe(20);
  expect(itemAt(Float64Array.of(0), 0)).toBe(0);
  expect(itemAt('ab', 1)).toBe('b');
  expect(itemAt([''], 0)).toBe('');
});

it.each([-1, 2, 0.5, Number.NaN])('fails for %s, which is no index of the list', (index) => {
  expect(() => itemAt([10, 20], index)).toThrow(`There is no item ${index} in a list of 2`);
});
