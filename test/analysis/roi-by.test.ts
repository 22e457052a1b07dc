import { describe, expect, it } from 'vitest';
import { bootstrapInterval } from '../../src/analysis/bootstrap-interval.js';
import { roi, roiBy } from '../../src/analysis/roi.js';
import { winRateBy } from '../../src/analysis/win-rate.js';
import { ColumnError } from '../../src/base/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../src/frame/tabular/columns-of.js';
import { withColumns } from '../../src/frame/verbs/with-columns.js';
import fc from '../support/fast-check.js';
import { recordsAsked } from '../support/records-asked.js';

const PNL = new DataFrame({
  date: ['2026-02-03T00:00:00Z', '2026-01-05T00:00:00Z', '2026-01-31', '2026-03-01T00:00:00Z'],
  proxy_wallet: ['a', 'b', 'a', 'c'],
  pnl: [10, -5, 2, 1],
  invested: [100, 50, 0, 0],
});

describe('by period', () => {
  const counted = withColumns(PNL, { wins: () => 1, losses: () => 1 });
  const groupings = {
    roiBy: (frame: DataFrame, by: string) => roiBy(frame, { by }),
    winRateBy: (frame: DataFrame, by: string) => winRateBy(frame, { by }),
    bootstrapInterval: (frame: DataFrame, by: string) =>
      bootstrapInterval(frame, (rows) => roi(rows).roi, { by, samples: 1 }),
  };

  it.each(Object.entries(groupings))('%s refuses records that were asked for by coarser ones', (_, group) => {
    const refused = (granularity: string, by: string, found: string, wanted: string, instead: string) =>
      expect(() => group(recordsAsked({ granularity }, counted), by)).toThrow(
        new ColumnError(
          `The records are of ${found}, but ${wanted} are needed: query them with granularity: '${instead}'.`,
        ),
      );
    refused('3d', 'day', 'spans of three days', 'days', '1d');
    refused('1w', 'day', 'weeks', 'days', '1d');
    refused('1m', 'week', 'months', 'weeks', '1w');
    refused('all', 'month', 'the whole time', 'months', '1m');
    for (const [granularity, by] of [
      ['1d', 'day'],
      ['3d', 'week'],
      ['1w', 'month'],
      ['1m', 'month'],
      ['all', 'proxy_wallet'],
    ] as const)
      expect(() => group(recordsAsked({ granularity }, counted), by)).not.toThrow();
  });
});

describe('roiBy', () => {
  it('pools by calendar month, in order', () => {
    expect(recordsOf(roiBy(PNL))).toEqual([
      { date: '2026-01-01T00:00:00Z', roi: -3 / 50, pnl: -3, invested: 50 },
      { date: '2026-02-01T00:00:00Z', roi: 0.1, pnl: 10, invested: 100 },
      { date: '2026-03-01T00:00:00Z', roi: Number.NaN, pnl: 1, invested: 0 },
    ]);
  });

  it('pools by a column, the highest return first, those that invested nothing last', () => {
    expect(recordsOf(roiBy(PNL, { by: 'proxy_wallet' }))).toEqual([
      { proxy_wallet: 'a', roi: 0.12, pnl: 12, invested: 100, note: null },
      { proxy_wallet: 'b', roi: -0.1, pnl: -5, invested: 50, note: null },
      { proxy_wallet: 'c', roi: Number.NaN, pnl: 1, invested: 0, note: null },
    ]);
    expect(columnsOf(roiBy(PNL, { by: 'proxy_wallet' })).map(({ name, dtype, unit }) => [name, dtype, unit])).toEqual([
      ['proxy_wallet', 'string', undefined],
      ['roi', 'float64', undefined],
      ['pnl', 'float64', 'USD'],
      ['invested', 'float64', 'USD'],
      ['note', 'string', undefined],
    ]);
  });

  it('pools by a column of times, a day being its midnight', () => {
    const closed = ['2026-01-02', '2026-01-02T00:00:00Z', '2026-01-02T12:00:00Z', '2026-01-03'];
    const frame = new DataFrame({ closed_date: closed, pnl: [1, 2, 4, 8], invested: [10, 10, 10, 10] });
    expect(recordsOf(roiBy(frame, { by: 'closed_date' })).map(({ closed_date, pnl }) => [closed_date, pnl])).toEqual([
      ['2026-01-03', 8],
      ['2026-01-02T12:00:00Z', 4],
      ['2026-01-02', 3],
    ]);
  });

  it('adds up to the whole, and each group is its rows pooled', () => {
    const row = fc.record({
      slug: fc.constantFrom('x', 'y', null),
      pnl: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: -100, max: 100 }) },
        { weight: 1, arbitrary: fc.constant(null) },
      ),
      invested: fc.nat(100),
    });
    const frameOf = (some: readonly { slug: string | null; pnl: number | null; invested: number }[]) =>
      new DataFrame(
        {
          slug: some.map(({ slug }) => slug),
          pnl: some.map(({ pnl }) => pnl ?? Number.NaN),
          invested: some.map(({ invested }) => invested),
        },
        { dtypes: ['string', 'float32', 'float32'] },
      );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (some) => {
        const groups = recordsOf(roiBy(frameOf(some), { by: 'slug' }));
        const whole = roi(frameOf(some));
        expect(groups.reduce((sum, { pnl }) => sum + pnl, 0)).toBe(whole.pnl);
        expect(groups.reduce((sum, { invested }) => sum + invested, 0)).toBe(whole.invested);
        for (const { slug, ...group } of groups) {
          expect(group).toEqual({ ...roi(frameOf(some.filter((other) => other.slug === slug))) });
        }
        const present = new Set(some.filter(({ pnl }) => pnl !== null).map(({ slug }) => slug));
        expect(groups.length).toBe(present.size);
      }),
    );
  });

  it('reads lifetime records, and names what is wrong', () => {
    const lifetime = new DataFrame({ proxy_wallet: ['a'], total_pnl: [-25], total_invested: [50] });
    expect(recordsOf(roiBy(lifetime, { by: 'proxy_wallet' }))).toEqual([
      { proxy_wallet: 'a', roi: -0.5, pnl: -25, invested: 50, note: null },
    ]);
    expect(() => roiBy(PNL, { by: 'pnl' })).toThrow(
      'roiBy cannot group by "pnl": its result has a column of that name.',
    );
    expect(() => roiBy(PNL, { by: 'proxy_walet' })).toThrow(/Did you mean "proxy_wallet"/);
    expect(() => roiBy(PNL, { by: 'montj' })).toThrow(
      'The frame has no column "montj". Did you mean the period "month"?',
    );
    expect(() => roiBy(PNL, { by: 'wallet' })).toThrow(/Did you mean "proxy_wallet"/);
    expect(() => roiBy(new DataFrame({ date: [null, '2026-01-01'], pnl: [1, 2], invested: [1, 1] }))).toThrow(
      /"date" holds nothing in row 0/,
    );
    expect(() => roiBy(new DataFrame({ date: ['2026-01-01'], pnl: [1], invested: [-1] }))).toThrow(/holds -1 in row 0/);
  });
});

it('winRateBy pools by market and event where a frame has them', () => {
  const frame = new DataFrame({ event_slug: ['e', 'f', 'e'], wins: [1, 0, 2], losses: [1, 3, 0] });
  expect(recordsOf(winRateBy(frame, { by: 'event_slug' })).map(({ event_slug: key, rate }) => [key, rate])).toEqual([
    ['e', 0.75],
    ['f', 0],
  ]);
});
