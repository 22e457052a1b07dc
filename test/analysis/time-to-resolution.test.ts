import { describe, expect, it } from 'vitest';
import { timeToResolution, turnover } from '../../src/analysis/time-to-resolution.js';
import { MARKETS } from '../../src/contract/markets.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { frameFromRecords } from '../../src/frame/decode/frame-from-records.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../src/frame/tabular/columns-of.js';
import { describe as summary } from '../../src/frame/verbs/describe.js';
import { groupBy } from '../../src/frame/verbs/group-by.js';
import { weightedMean } from '../../src/frame/verbs/sum-and-mean.js';
import fc from '../support/fast-check.js';

type Market = {
  slug: string;
  start_date: string | null;
  end_date: string | null;
  close_date: string | null;
  volume_total: number;
};
const NAMES = ['slug', 'start_date', 'end_date', 'close_date', 'volume_total'];
const frameOf = (markets: Market[]) =>
  frameFromRecords<Market>(
    MARKETS.columns.filter(({ name }) => NAMES.includes(name)),
    markets,
  );
const markets: Market[] = [
  {
    slug: 'late',
    start_date: '2026-01-01',
    end_date: '2026-01-11',
    close_date: '2026-01-12T12:00:00Z',
    volume_total: 23,
  },
  {
    slug: 'early',
    start_date: '2026-01-01',
    end_date: '2026-01-11',
    close_date: '2026-01-05T00:00:00Z',
    volume_total: 8,
  },
  { slug: 'open', start_date: '2026-01-01', end_date: '2026-01-11', close_date: null, volume_total: 5 },
  { slug: 'gap', start_date: null, end_date: null, close_date: '2026-01-05T00:00:00Z', volume_total: 5 },
];
const none = Number.NaN;

describe('timeToResolution', () => {
  it('counts days from opening, and from when the market was due', () => {
    const rows = recordsOf(timeToResolution(frameOf(markets)));
    expect(rows.map((row) => [row.slug, row.days_open, row.days_late])).toEqual([
      ['late', 11.5, 1.5],
      ['early', 4, -6],
      ['open', none, none],
      ['gap', none, none],
    ]);
  });

  it('keeps the columns, says what the new ones are, and is described with its quantiles', () => {
    const result = timeToResolution(frameOf(markets));
    expect(columnsOf(result).map(({ name, unit }) => [name, unit])).toEqual(
      [
        ['slug', undefined],
        ['event_slug', undefined],
        ['volume_total', 'USD'],
        ['start_date', undefined],
        ['end_date', undefined],
        ['close_date', undefined],
        ['days_open', 'days'],
        ['days_late', 'days'],
      ].filter(([name]) => name !== 'event_slug'),
    );
    const open = recordsOf(summary(result)).find(({ column }) => column === 'days_open');
    expect(open).toMatchObject({ count: 2, missing: 2, q1: 5.875, median: 7.75, max: 11.5 });
  });

  it('has its columns without a row', () => {
    expect(timeToResolution(frameOf([])).columns.slice(-2)).toEqual(['days_open', 'days_late']);
  });

  it('names a missing column and a date that cannot be read', () => {
    const short = new DataFrame({ start_date: ['2026-01-01'], end_date: ['2026-01-01'], closed_date: ['2026-01-01'] });
    expect(() => timeToResolution(short)).toThrow('The frame has no column "close_date". Did you mean "closed_date"?');
    const bad = new DataFrame({ start_date: ['x'], end_date: ['2026-01-01'], close_date: ['2026-01-01'] });
    expect(() => timeToResolution(bad)).toThrow(/"start_date" holds "x" in row 0/);
    const numeric = new DataFrame({ start_date: [1], end_date: ['2026-01-01'], close_date: ['2026-01-01'] });
    expect(() => timeToResolution(numeric)).toThrow(/"start_date" holds numbers/);
  });
});

describe('turnover', () => {
  it('is dollars per day of the life of a market, and NaN where there is none', () => {
    const instant = { ...(markets[0] as Market), slug: 'instant', close_date: '2026-01-01' };
    const rows = recordsOf(turnover(frameOf([...markets, instant])));
    expect(rows.map((row) => [row.slug, row.days_open, row.volume_per_day])).toEqual([
      ['late', 11.5, 2],
      ['early', 4, 2],
      ['open', none, none],
      ['gap', none, none],
      ['instant', 0, none],
    ]);
  });

  it('weighted by days is dollars over days', () => {
    const market = fc.record({ days: fc.integer({ min: 1, max: 900 }), volume_total: fc.nat(1e9) });
    fc.assert(
      fc.property(fc.array(market, { minLength: 1, maxLength: 20 }), (rows) => {
        const frame = new DataFrame({
          side: rows.map(() => 'all'),
          start_date: rows.map(() => '2020-01-01'),
          close_date: rows.map(({ days }) => new Date(Date.UTC(2020, 0, 1 + days)).toISOString()),
          volume_total: rows.map((row) => row.volume_total),
        });
        const [pooled] = recordsOf(
          groupBy(turnover(frame), 'side').rollup({ rate: weightedMean('volume_per_day', 'days_open') }),
        );
        const [dollars, days] = rows.reduce(([a, b], row) => [a + row.volume_total, b + row.days], [0, 0]);
        expect(pooled?.rate).toBeCloseTo(dollars / days, 4);
      }),
    );
  });
});
