import { expect, it } from 'vitest';
import { globMatches } from '../../../src/kernel/session/glob-match.js';
import fc from '../../support/fast-check.js';

it('matches as SQLite does', () => {
  const matching = ['1?2*', '*', 'x*', '*[a-c]', '*[^0-9]', '1+2 // ab[c]'];
  expect(matching.filter((pattern) => globMatches(pattern, '1+2 // abc'))).toEqual([
    '1?2*',
    '*',
    '*[a-c]',
    '*[^0-9]',
    '1+2 // ab[c]',
  ]);
  expect(globMatches('open?ab*', 'openLab()\nmore')).toBe(true);
  expect(globMatches('a[]]b', 'a]b')).toBe(true);
  expect(globMatches('a[b', 'a[b')).toBe(true);
  expect(globMatches('', '')).toBe(true);
  expect(globMatches('', 'a')).toBe(false);
});

it('agrees with a regular expression', () => {
  const unit = fc.constantFrom('a', 'b', '*', '?');
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 8 }),
      (glob, text) => {
        const expression = new RegExp(`^${glob.replace(/\*+/g, '.*').replace(/\?/g, '.')}$`, 's');
        expect(globMatches(glob, text)).toBe(expression.test(text));
      },
    ),
  );
});
