import { describe, expect, it } from 'vitest';
import { dateOfDay, dayOfDate, isoOfSeconds, isUnixSecond } from '../../src/contract/time.js';
import fc from '../support/fast-check.js';

const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

describe('dayOfDate', () => {
  it('is undone by dateOfDay for every day of the years 1 to 9999', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST_DAY, max: LAST_DAY }), (day) => {
        expect(dayOfDate(dateOfDay(day))).toBe(day);
      }),
    );
    expect([dateOfDay(FIRST_DAY), dateOfDay(LAST_DAY)]).toEqual(['0001-01-01', '9999-12-31']);
  });

  it.each([
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0001-01-00',
    '2026-04-31',
    '2026-1-5',
    '20260105',
    '2026-01-05T00:00:00Z',
    '',
  ])('takes %j for no date', (text) => expect(dayOfDate(text)).toBeUndefined());

  it('knows leap days', () => {
    expect(dayOfDate('2024-02-29')).toBe((dayOfDate('2024-03-01') ?? 0) - 1);
    expect(dayOfDate('1900-02-29')).toBeUndefined();
    expect(dayOfDate('2000-02-29')).toBe((dayOfDate('2000-03-01') ?? 0) - 1);
  });
});

describe('Unix seconds', () => {
  it('are whole and have a four-digit year', () => {
    const [first, last] = [-62_135_596_800, 253_402_300_799];
    expect([first, last, first - 1, last + 1, 0.5, Number.NaN].map(isUnixSecond)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([isoOfSeconds(first), isoOfSeconds(last)]).toEqual(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']);
  });

  it('are cut to the second in text', () => {
    expect(isoOfSeconds(1_767_225_600.999)).toBe('2026-01-01T00:00:00Z');
  });
});
