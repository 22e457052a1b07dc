import { describe, expect, it } from 'vitest';
import { totalVolume, volume } from '../../src/analysis/volume.js';
import { UsageError } from '../../src/base/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { column, recordsOf } from '../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../src/frame/tabular/columns-of.js';
import fc from '../support/fast-check.js';

describe('volume', () => {
  const markets = new DataFrame({
    event_slug: ['final', 'mayor', 'final', null, 'award'],
    closed: [true, true, false, false, true],
    volume_total: [10, 20, 15, 30, 25],
  });

  it('adds up dollars by event, the largest first, equal ones by name', () => {
    expect(recordsOf(volume(markets))).toEqual([
      { event_slug: null, volume_total: 30, share: 0.3, cumulative_share: 0.3, markets: 1 },
      { event_slug: 'award', volume_total: 25, share: 0.25, cumulative_share: 0.55, markets: 1 },
      { event_slug: 'final', volume_total: 25, share: 0.25, cumulative_share: 0.8, markets: 2 },
      { event_slug: 'mayor', volume_total: 20, share: 0.2, cumulative_share: 1, markets: 1 },
    ]);
  });

  it('adds up by any other column', () => {
    expect(recordsOf(volume(markets, { by: 'closed' }))).toEqual([
      { closed: true, volume_total: 55, share: 0.55, cumulative_share: 0.55, markets: 3 },
      { closed: false, volume_total: 45, share: 0.45, cumulative_share: 1, markets: 2 },
    ]);
  });

  // 2026-01-05 is a Monday.
  const dated = new DataFrame({
    close_date: ['2026-02-01T00:00:00Z', '2026-01-11T23:59:59Z', null, '2026-01-05', '2026-01-31T12:00:00.5Z'],
    end_date: ['2026-03-01', '2026-03-01', '2026-03-02', '2026-03-01', '2026-03-02'],
    volume_total: [10, 20, 30, 15, 25],
  });

  it.each([
    ['day', ['2026-01-05', '2026-01-11', '2026-01-31', '2026-02-01', null], [15, 20, 25, 10, 30]],
    ['week', ['2026-01-05', '2026-01-26', null], [35, 35, 30]],
    ['month', ['2026-01-01', '2026-02-01', null], [60, 10, 30]],
  ] as const)('adds up by %s of the close, in order, the open ones last', (by, days, dollars) => {
    const periods = recordsOf(volume(dated, { by }));
    expect(periods.map((row) => row.date)).toEqual(days.map((day) => (day === null ? null : `${day}T00:00:00Z`)));
    expect(periods.map((row) => row.volume_total)).toEqual(dollars);
    expect(periods.at(-1)?.cumulative_share).toBe(1);
  });

  it('adds up by another date when told to', () => {
    expect(recordsOf(volume(dated, { by: 'day', date: 'end_date' }))).toEqual([
      { date: '2026-03-01T00:00:00Z', volume_total: 45, share: 0.45, cumulative_share: 0.45, markets: 3 },
      { date: '2026-03-02T00:00:00Z', volume_total: 55, share: 0.55, cumulative_share: 1, markets: 2 },
    ]);
  });

  it('has all its columns without a market, and NaN shares without a dollar', () => {
    const empty = volume(new DataFrame([], { columns: ['event_slug', 'volume_total'], dtypes: ['string', 'float32'] }));
    expect([empty.shape, empty.columns]).toEqual([
      [0, 5],
      ['event_slug', 'volume_total', 'share', 'cumulative_share', 'markets'],
    ]);
    const still = volume(new DataFrame({ event_slug: ['a'], volume_total: [0] }));
    const none = Number.NaN;
    expect(recordsOf(still)).toEqual([
      { event_slug: 'a', volume_total: 0, share: none, cumulative_share: none, markets: 1 },
    ]);
  });

  it('loses no dollar and no market', () => {
    const market = fc.record({ slug: fc.constantFrom('a', 'b', 'constructor', '__proto__', ''), cents: fc.nat(1e9) });
    fc.assert(
      fc.property(fc.array(market, { minLength: 1, maxLength: 60 }), (rows) => {
        const frame = new DataFrame({
          event_slug: rows.map((r) => r.slug),
          volume_total: rows.map((r) => r.cents / 100),
        });
        const groups = volume(frame);
        expect(totalVolume(groups)).toBeCloseTo(totalVolume(frame), 6);
        expect(totalVolume(frame)).toBeCloseTo(rows.reduce((sum, r) => sum + r.cents, 0) / 100, 6);
        expect(column(groups, 'markets').reduce((sum, count) => sum + count, 0)).toBe(rows.length);
        expect(groups.shape[0]).toBe(new Set(rows.map((r) => r.slug)).size);
      }),
    );
  });

  it('says what its columns are', () => {
    expect(columnsOf(volume(markets)).map(({ name, dtype, unit }) => [name, dtype, unit])).toEqual([
      ['event_slug', 'string', undefined],
      ['volume_total', 'float64', 'USD'],
      ['share', 'float64', undefined],
      ['cumulative_share', 'float64', undefined],
      ['markets', 'int32', 'markets'],
    ]);
  });

  it('names what is missing, and refuses to group by its own result', () => {
    expect(() => volume(new DataFrame({ event: ['a'], volume_total: [1] }))).toThrow(/no column "event_slug"/);
    expect(() => volume(new DataFrame({ event_slug: ['a'], volume: [1] }))).toThrow(/no column "volume_total"/);
    expect(() => volume(markets, { by: 'volume_total' })).toThrow(UsageError);
    expect(() => volume(markets, { date: 'close_date' })).toThrow(/takes a date only with by: 'day'/);
    expect(() => volume(markets, { by: 'day' })).toThrow(/no column "close_date"/);
    expect(() => volume(new DataFrame({ event_slug: ['a'], volume_total: [-1] }))).toThrow(/holds -1 in row 0/);
    const undated = new DataFrame({ close_date: ['soon'], volume_total: [1] });
    expect(() => volume(undated, { by: 'day' })).toThrow(/"close_date" holds "soon" in row 0/);
  });
});

describe('totalVolume', () => {
  it('counts a missing volume as nothing', () => {
    expect(totalVolume(new DataFrame({ volume_total: [1.5, Number.NaN, 2] }))).toBe(3.5);
  });
});

it('totalVolume is measured by group, too', () => {
  const markets = new DataFrame({
    event_slug: ['e', 'f', 'e'],
    close_date: ['2026-01-31T00:00:00Z', '2026-02-01T00:00:00Z', '2026-02-02T00:00:00Z'],
    volume_total: [10, 35, 20],
  });
  expect(totalVolume(markets, {})).toBe(65);
  expect(recordsOf(totalVolume(markets, { by: 'event_slug' }))).toEqual([
    { event_slug: 'f', volume_total: 35 },
    { event_slug: 'e', volume_total: 30 },
  ]);
  expect(recordsOf(totalVolume(markets, { by: 'month' }))).toEqual([
    { date: '2026-01-01T00:00:00Z', volume_total: 10 },
    { date: '2026-02-01T00:00:00Z', volume_total: 55 },
  ]);
  const open = new DataFrame({
    event_slug: ['e', 'f', 'e', 'g'],
    close_date: ['2026-02-01T13:00:00Z', null, '2026-01-31T00:00:00Z', null],
    volume_total: [35, 4, 10, 3],
  });
  for (const by of ['day', 'week', 'month', 'weekday', 'hour', ['month', 'event_slug']] as const) {
    const groups = recordsOf(volume(open, { by: by as 'month' }));
    const totals = recordsOf(totalVolume(open, { by: by as 'month' }));
    expect(totals, String(by)).toEqual(groups.map(({ share, cumulative_share, markets, ...rest }) => rest));
  }
  expect(recordsOf(totalVolume(open, { by: 'month' }))).toEqual([
    { date: '2026-01-01T00:00:00Z', volume_total: 10 },
    { date: '2026-02-01T00:00:00Z', volume_total: 35 },
    { date: null, volume_total: 7 },
  ]);
  expect(recordsOf(totalVolume(open, { by: 'weekday' }))).toEqual([
    { weekday: 'Saturday', volume_total: 10 },
    { weekday: 'Sunday', volume_total: 35 },
    { weekday: null, volume_total: 7 },
  ]);
  expect(recordsOf(totalVolume(open, { by: 'hour' })).map(({ volume_total }) => volume_total)).toEqual([10, 35, 7]);
  const unread = new DataFrame({ close_date: ['2026-01-31', 'soon'], volume_total: [1, 2] });
  expect(() => totalVolume(unread, { by: 'month' })).toThrow('"close_date" holds "soon" in row 1');
  expect(() => totalVolume(markets, 'event_slug' as never)).toThrow(/options of totalVolume must be an object/);
});
