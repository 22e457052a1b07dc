import { expect, it } from 'vitest';
import { parseIso } from '../../src/analysis/parse-iso.js';
import fc from '../support/fast-check.js';

const LAST = Date.UTC(9999, 11, 31);

it('reads the moments that Date.parse reads', () => {
  const time = fc.integer({ min: Date.UTC(0, 0, 1), max: LAST });
  fc.assert(
    fc.property(time, (moment) => {
      const iso = new Date(moment).toISOString();
      for (const text of [iso, `${iso.slice(0, 19)}Z`, iso.slice(0, 10), `${iso.slice(0, 19)}+02:00`]) {
        expect(parseIso(text)).toBe(Date.parse(text));
      }
    }),
  );
});

it.each([
  '',
  'soon',
  '2026-13-01',
  '2026-02-30',
  '2026-02-30T00:00:00Z',
  '2024-02-29',
  '2026-02-29T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:60:00Z',
  '2026-1-101',
  '2026-01-01 00:00:00Z',
  '20x6-01-01',
])('answers for %j what Date.parse does', (text) => {
  expect(parseIso(text)).toBe(Date.parse(text));
});
