import { describe, expect, test } from 'vitest';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { column } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { type BucketOptions, bucketBy } from '../../../src/frame/verbs/bucket-by.js';
import { type BucketPeriod, calendarOf, nextPeriod, periodOfSecond } from '../../../src/frame/verbs/calendar.js';
import { askPandas, hasPandas } from '../../support/ask-pandas.js';
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

  const inZone = (time: string, period: BucketPeriod, options: BucketOptions<'bucket'>) =>
    column(bucketBy(new DataFrame({ t: [time] }), 't', period, options), 'bucket')[0];

  test('starts periods as the clocks of a zone have them', () => {
    const newYork = { zone: 'America/New_York' };
    expect(inZone('2025-11-05T02:30:00Z', 'day', newYork)).toBe('2025-11-04T05:00:00Z');
    expect(inZone('2025-07-05T02:30:00Z', 'day', newYork)).toBe('2025-07-04T04:00:00Z');
    expect(inZone('2025-11-03T04:59:59Z', 'week', newYork)).toBe('2025-10-27T04:00:00Z');
    expect(inZone('2025-11-03T05:00:00Z', 'week', newYork)).toBe('2025-11-03T05:00:00Z');
    expect(inZone('2026-01-01T02:00:00Z', 'year', newYork)).toBe('2025-01-01T05:00:00Z');
    // Of the hour that comes twice, 1:00 to 2:00, each is one of its own.
    expect(inZone('2025-11-02T05:30:00Z', 'hour', newYork)).toBe('2025-11-02T05:00:00Z');
    expect(inZone('2025-11-02T06:30:00Z', 'hour', newYork)).toBe('2025-11-02T06:00:00Z');
    // Half an hour apart from UTC's hours; a day that begins at one in the morning; one that Samoa left out.
    expect(inZone('2025-11-02T05:10:00Z', 'hour', { zone: 'Asia/Kolkata' })).toBe('2025-11-02T04:30:00Z');
    expect(inZone('2018-11-04T12:00:00Z', 'day', { zone: 'America/Sao_Paulo' })).toBe('2018-11-04T03:00:00Z');
    expect(inZone('2011-12-30T12:00:00Z', 'day', { zone: 'Pacific/Apia' })).toBe('2011-12-30T10:00:00Z');
    expect(inZone('2025-11-02T05:10:00Z', 'hour', { zone: 'UTC' })).toBe('2025-11-02T05:00:00Z');
    const made = bucketBy(new DataFrame({ t: ['2025-01-01'] }), 't', 'day', newYork);
    expect(columnsOf(made)[1]?.meaning).toBe(
      'First moment of the day of t, as clocks in America/New_York have it, UTC.',
    );
  });

  test('starts weeks on any day', () => {
    const starts = (['monday', 'saturday', 'sunday'] as const).map((weekStart) =>
      ['2026-05-22', '2026-05-23', '2026-05-24', '2026-05-25', '1969-12-28'].map((day) =>
        inZone(day, 'week', { weekStart })?.slice(5, 10),
      ),
    );
    expect(starts).toEqual([
      ['05-18', '05-18', '05-18', '05-25', '12-22'],
      ['05-16', '05-23', '05-23', '05-23', '12-27'],
      ['05-17', '05-17', '05-24', '05-24', '12-28'],
    ]);
  });

  test('an hour that a clock shortens by half an hour begins where the clock was turned', () => {
    const zone = 'Australia/Lord_Howe';
    const hourOf = (times: string[]) => column(bucketBy(new DataFrame({ t: times }), 't', 'hour', { zone }), 'bucket');
    // At 15:00 clocks went back from 2:00 to 1:30, at 15:30 forward from 2:00 to 2:30.
    const back = ['14:29', '14:59', '15:00', '15:10', '15:29', '15:30', '16:31'].map((at) => `2025-04-05T${at}:00Z`);
    const starts = ['14:00', '14:00', '15:00', '15:00', '15:00', '15:30', '16:30'];
    expect(hourOf(back)).toEqual(starts.map((at) => `2025-04-05T${at}:00Z`));
    const forward = ['15:29', '15:30', '15:40', '16:00'].map((at) => `2025-10-04T${at}:00Z`);
    expect(hourOf(forward)).toEqual(['14:30', '15:30', '15:30', '16:00'].map((at) => `2025-10-04T${at}:00Z`));

    // A bucket is its own first moment in any zone, also before there were whole offsets, and the next one follows.
    const zones = [zone, 'America/New_York', 'Asia/Kathmandu', 'Europe/Amsterdam'];
    const second = fc.oneof(fc.integer({ min: -4e9, max: 2e9 }), fc.integer({ min: 1743863400, max: 1743868800 }));
    fc.assert(
      fc.property(fc.constantFrom(...zones), second, (name, at) => {
        const calendar = calendarOf('hour', name, undefined);
        const start = periodOfSecond(calendar, at, 0);
        expect(at - start).toBeGreaterThanOrEqual(0);
        expect(at - start).toBeLessThan(3600);
        expect(periodOfSecond(calendar, start, 0)).toBe(start);
        const next = nextPeriod(calendar, start, 0);
        expect(next).toBeGreaterThan(at);
        expect(periodOfSecond(calendar, next - 1, 0)).toBe(start);
        expect(periodOfSecond(calendar, next, 0)).toBe(next);
      }),
    );
  });

  test.skipIf(!hasPandas())('agrees with pandas in any zone', () => {
    const zones = ['America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Auckland', 'America/Halifax'];
    const seconds = fc.sample(fc.integer({ min: 1.2e9, max: 1.8e9 }), { numRuns: 300, seed: 7 });
    const times = seconds.map((second) => new Date(second * 1000).toISOString());
    const script = `
times, zones = given
at = pd.Series(pd.to_datetime(times, utc=True))
text = lambda s: s.dt.tz_convert('UTC').dt.strftime('%Y-%m-%dT%H:%M:%SZ').tolist()
def starts(zone):
    local = at.dt.tz_convert(zone)
    days = local.dt.tz_localize(None).dt.normalize()
    weeks = (days - pd.to_timedelta((local.dt.dayofweek + 1) % 7, 'D')).dt.tz_localize(zone)
    months = days.dt.to_period('M').dt.start_time.dt.tz_localize(zone)
    return [text(days.dt.tz_localize(zone)), text(weeks), text(months)]
answer = [starts(zone) for zone in zones]
`;
    const frame = new DataFrame({ t: times });
    const ours = zones.map((zone) => [
      column(bucketBy(frame, 't', 'day', { zone }), 'bucket'),
      column(bucketBy(frame, 't', 'week', { zone, weekStart: 'sunday' }), 'bucket'),
      column(bucketBy(frame, 't', 'month', { zone }), 'bucket'),
    ]);
    expect(ours).toEqual(askPandas(script, [times, zones]));
  });

  test('refuses zones and starts of weeks that there are not', () => {
    expect(() => inZone('2026-01-01', 'day', { zone: 'America/NewYork' })).toThrow(
      'There is no time zone "America/NewYork": did you mean "America/New_York"?',
    );
    expect(() => inZone('2026-01-01', 'day', { zone: 5 as unknown as string })).toThrow(
      'There is no time zone 5: give',
    );
    expect(() => inZone('2026-01-01', 'week', { weekStart: 'Sunday' as 'sunday' })).toThrow('weekStart must be one of');
    expect(() => inZone('2026-01-01', 'month', { weekStart: 'sunday' })).toThrow('for the period "week" alone');
    expect(() => inZone('2026-01-01', 'day', { as: 5 } as never)).toThrow('as of bucketBy must be text');
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
    expect(() => bucketsOf([], 'day', 'yesterday')).toThrow('from must be a date such as 2026-01-31; got "yesterday".');
    // @ts-expect-error No such period.
    expect(() => bucketBy(frameOf([]), 'text', 'fortnight')).toThrow('There is no period "fortnight"');
  });
});
