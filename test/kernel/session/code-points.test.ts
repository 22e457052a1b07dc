import { expect, it } from 'vitest';
import { codePointOffset, utf16Offset } from '../../../src/kernel/session/code-points.js';
import fc from '../../support/fast-check.js';

it('counts as Python and as JavaScript do', () => {
  expect(utf16Offset('😀ab', 2)).toBe(3);
  expect(codePointOffset('😀ab', 3)).toBe(2);
  expect([utf16Offset('abc', 9), utf16Offset('😀', 9), utf16Offset('abc', -1)]).toEqual([3, 2, 0]);
});

it('comes back from any place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, at) => {
      const points = Math.min(at, [...text].length);
      expect(text.slice(0, utf16Offset(text, points))).toBe([...text].slice(0, points).join(''));
      expect(codePointOffset(text, utf16Offset(text, points))).toBe(points);
    }),
  );
});
