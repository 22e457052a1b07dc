import { expect, it } from 'vitest';
import { SeenKeys } from '../../../src/client/paging/seen-keys.js';
import fc from '../../support/fast-check.js';

it('numbers are seen once, by both of their halves, however many there are', () => {
  const half = fc.oneof(fc.constantFrom(0, 1, -1, 1024, -(2 ** 31)), fc.integer());
  fc.assert(
    fc.property(fc.array(fc.tuple(half, half), { maxLength: 3000, size: 'max' }), (pairs) => {
      const keys = new SeenKeys();
      const seen = new Set<string>();
      // 0:0, of which the hash is as likely as any other, counts as 1:0.
      const names = pairs.map(([high, low]) => ((high | low) === 0 ? '1:0' : `${high}:${low}`));
      expect(pairs.map(([high, low]) => keys.add(high, low))).toEqual(
        names.map((name) => !seen.has(name) && seen.add(name).has(name)),
      );
    }),
    { numRuns: 30 },
  );
});
