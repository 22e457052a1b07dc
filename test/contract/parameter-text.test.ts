import { expect, it } from 'vitest';
import { parameterText } from '../../src/contract/filters.js';
import fc from '../support/fast-check.js';

it.each([
  [' True ', ' True '],
  [true, 'true'],
  [12.5, '12.5'],
  [1e-7, '0.0000001'],
  [1.5e-10, '0.00000000015'],
  [5e-324, '0.0'],
  [-2e-7, '-0.0000002'],
  ['1e-7', '1e-7'],
])('%j stands for %j', (value, text) => {
  expect(parameterText(value)).toBe(text);
});

it('writes no number that a filter may have with an exponent', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (value) => {
      expect(parameterText(value)).toMatch(/^\d+(\.\d+)?$/);
      expect(Math.abs(Number(parameterText(value)) - value)).toBeLessThanOrEqual(1e-20);
    }),
  );
});
