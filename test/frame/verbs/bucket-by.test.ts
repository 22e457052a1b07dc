import { describe, expect, test } from 'vitest';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { column } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { type BucketPeriod, bucketBy } from '../../../src/frame/verbs/bucket-by.js';
import fc from '../../support/fast-check.js';
import { frameOf } from './random-frames.js';

const bucketsOf = (times: (string | Date | null)[], period: BucketPeriod, from?: string) =>
  column(
    bucketBy(new DataFrame({ t: times }), 't', period, { as: 'start', ...(from === undefined ? {} : { from }) }),
    'start',
  );

describe('bucketBy', () => {
  test('starts each period in UTC', () => {
    const times = ['2026-05-20T23:59:59Z', '2026-05-21', '2025-12-31T23:30:00-02:00'];
    const days = (buckets: readonly unknown[]) => buckets.map((bucket) => String(bucket).slice(0, 10));
    expect(bucketsOf(times, 'day')).toEqual(['2026-05-20T00:00:00Z', '2026-05-21T00:00:00Z', '2026-01-01T00:00:00Z']);
    expect(days(bucketsOf(times, '3 days'))).toEqual(['2026-05-19', '2026-05-19', '2026-01-01']);
    expect(days(bucketsOf(times, '3 days', '2026-05-20'))).toEqual(['2026-05-20', '2026-05-20', '2025-12-30']);
    expect(days(bucketsOf(times, 'week'))).toEqual(['2026-05-18', '2026-05-18', '2025-12-29']);
    expect(days(bucketsOf(times, 'month'))).toEqual(['2026-05-01', '2026-05-01', '2026-01-01']);
    expect(days(bucketsOf(times, 'quarter'))).toEqual(['2026-04-01', '2026-04-01', '2026-01-01']);
    expect(days(bucketsOf(times, 'year'))).toEqual(['2026-01-01', '2026-01-01', '2026-01-01']);
  });

  test('agrees with the calendar of JavaScript on any day', () => {
    const day = fc.date({ min: new Date('0101-01-01'), max: new Date('9990-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.array(day, { minLength: 1 }), (dates) => {
        const start = (year: number, month: number, date = 1) =>
          `${new Date(Date.UTC(year, month, date)).toISOString().slice(0, 19)}Z`;
        const starts: Record<string, (date: Date) => string> = {
          week: (date) =>
            start(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - ((date.getUTCDay() + 6) % 7)),
          month: (date) => start(date.getUTCFullYear(), date.getUTCMonth()),
          quarter: (date) => start(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3),
          year: (date) => start(date.getUTCFullYear(), 0),
        };
        for (const [period, startOf] of Object.entries(starts)) {
          const times = dates.map((date) => date.toISOString());
          expect(bucketsOf(times, period as BucketPeriod)).toEqual(dates.map(startOf));
        }
      }),
    );
  });

  test('leaves missing times missing, reads dates, and says what the column is', () => {
    const frame = new DataFrame({ t: [null, new Date('2026-02-03T04:05:06Z')] });
    const bucketed = bucketBy(frame, 't', 'month');
    expect(column(bucketed, 'bucket')).toEqual([null, '2026-02-01T00:00:00Z']);
    expect(columnsOf(bucketed)[1]).toEqual({
      ...{ name: 'bucket', dtype: 'datetime', nullable: true, meaning: 'First moment of the month of t, UTC.' },
    });
    expect(bucketBy(frameOf([]), 'text', '3 days').shape).toEqual([0, 5]);
    expect(column(bucketBy(new DataFrame({ t: [Number.NaN] }) as DataFrame, 't', 'day'), 'bucket')).toEqual([null]);
  });

  test('refuses what is no time, no period, or there already', () => {
    expect(() => bucketsOf(['2026-01-01', '2026-02-30'], 'day')).toThrow(
      'There is no time in row 1, counted from 0, of the column "t", but "2026-02-30"',
    );
    expect(() => bucketsOf([''], 'day')).toThrow('There is no time in row 0');
    // @ts-expect-error A column of numbers.
    expect(() => bucketBy(new DataFrame({ number: [1] }), 'number', 'day')).toThrow(
      'The column "number" holds numbers; it needs times such as 2026-01-31T00:00:00Z.',
    );
    expect(() => bucketBy(frameOf([]), 'text', 'day', { as: 'flag' })).toThrow('The frame has a column "flag" already');
    expect(() => bucketsOf([], 'day', 'yesterday')).toThrow(
      'from of bucketBy must be a date such as 2026-01-31; got "yesterday".',
    );
    // @ts-expect-error No such period.
    expect(() => bucketBy(frameOf([]), 'text', 'fortnight')).toThrow('There is no period "fortnight"');
  });
});
