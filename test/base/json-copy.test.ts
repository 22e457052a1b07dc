import { expect, test } from 'vitest';
import { jsonCopy } from '../../src/base/texts.js';
import fc from '../support/fast-check.js';

test('what JSON can write is copied whole, and apart', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = jsonCopy(value);
      expect(copy).toEqual(JSON.parse(JSON.stringify(value)));
      if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
    }),
  );
});

test.each([
  [undefined, null],
  [() => 1, null],
  [12n, '12'],
  [
    [Number.NaN, undefined],
    [null, null],
  ],
  [new Map([['a', new Set([1, 2n])]]), { a: [1, '2'] }],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
])('%o becomes %o', (value, expected) => {
  expect(jsonCopy(value)).toEqual(expected);
});

test('a value that holds itself is refused in one line', () => {
  const ring: unknown[] = [];
  ring.push(ring);
  expect(() => jsonCopy(ring)).toThrow(/^The value cannot be written as JSON: [^\n]+$/);
});
