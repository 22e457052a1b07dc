import { expect, it } from 'vitest';
import { parseIso } from '../../../src/analysis/records/moments.js';
import fc from '../../support/fast-check.js';

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
  ['2024-02-29', '2024-02-29T00:00:00Z'],
  ['2025-12-31T23:59:59.250Z', '2025-12-31T23:59:59.250Z'],
  ['2026-01-31 22:00:00', '2026-01-31T22:00:00Z'],
  ['2026-01-31T22:00', '2026-01-31T22:00:00Z'],
  ['2026-01-31T22:00:00.500', '2026-01-31T22:00:00.500Z'],
  ['2026-01-31 22:00:00+00:00', '2026-01-31T22:00:00Z'],
  ['2026-01-31T22:00:00-0500', '2026-02-01T03:00:00Z'],
])('reads %j as %s, in any time zone', (text, meant) => {
  expect(parseIso(text)).toBe(Date.parse(meant));
});

it.each([
  '',
  'soon',
  'Jan 5 2026',
  '2026',
  '2026-13-01',
  '2026-00-01',
  '2026-02-00',
  '2026-02-30',
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '1900-02-29',
  '2026-04-31 10:00:00',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:60:00Z',
  '2026-1-101',
  '20x6-01-01',
])('knows no moment %j', (text) => {
  expect(parseIso(text)).toBeNaN();
});
