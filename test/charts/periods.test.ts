import { describe, expect, it } from 'vitest';
import { ColumnError, UsageError } from '../../src/base/errors.js';
import { calendarChart } from '../../src/charts/calendar-chart.js';
import { cumulativePnlChart } from '../../src/charts/cumulative-pnl-chart.js';
import { NARROW, narrowSpec } from '../../src/charts/design/narrow-spec.js';
import type { Chart } from '../../src/charts/drawing/chart.js';
import { renderWithPoints } from '../../src/charts/drawing/render-svg.js';
import { marketLifetimesChart } from '../../src/charts/market-lifetimes-chart.js';
import { pnlByPeriodChart } from '../../src/charts/pnl-by-period-chart.js';
import { roiByWalletChart } from '../../src/charts/roi-by-wallet-chart.js';
import { volumeDistributionChart } from '../../src/charts/volume-distribution-chart.js';
import { volumeOverTimeChart } from '../../src/charts/volume-over-time-chart.js';
import { winRateChart } from '../../src/charts/win-rate-chart.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { recordsAsked } from '../support/records-asked.js';

/** The words under the x axis. */
async function ticksOf(chart: Chart): Promise<string[]> {
  const [, axis = ''] = /<g class="mark-text role-axis-label"[^>]*>(.*?)<\/g>/.exec(await chart.toSvg()) ?? [];
  return Array.from(axis.matchAll(/<text[^>]*>([^<]*)</g), ([, text]) => text ?? '');
}

function pnlOn(dates: readonly string[]): DataFrame {
  const ones = dates.map(() => 1);
  return new DataFrame({ date: dates.map((date) => `${date}T00:00:00Z`), pnl: ones, wins: ones, losses: ones });
}

const CASES = [
  ['month', ['2026-01-05', '2026-02-28', '2026-03-01', '2026-04-30'], ['Jan 2026', 'Feb 2026', 'Mar 2026', 'Apr 2026']],
  ['month', ['2023-12-31', '2024-01-31', '2024-02-29', '2024-03-31'], ['Dec 2023', 'Jan 2024', 'Feb 2024', 'Mar 2024']],
  ['week', ['2025-12-29', '2026-01-05', '2026-02-23', '2026-03-29'], ['Dec 29', 'Jan 5', 'Feb 23', 'Mar 23']],
  ['day', ['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02'], ['Dec 30', 'Dec 31', 'Jan 1', 'Jan 2']],
] as const;

describe.each(CASES)('by %s from %j', (by, dates, ticks) => {
  it('names each period by its own start', async () => {
    const closed = new DataFrame({ close_date: dates.map((date) => `${date}T23:00:00Z`), volume_total: [1, 2, 3, 4] });
    expect(await ticksOf(pnlByPeriodChart(pnlOn(dates), { by }))).toEqual(ticks);
    expect(await ticksOf(winRateChart(pnlOn(dates), { by }))).toEqual(ticks);
    expect(await ticksOf(volumeOverTimeChart(closed, { by }))).toEqual(ticks);
  });
});

it('names the year that a week starts in', async () => {
  const svg = await pnlByPeriodChart(pnlOn(['2025-12-30']), { by: 'week' }).toSvg();
  expect(svg).toContain('>Week, from Monday, UTC, 2025<');
});

it('names the years where days or weeks lie a year apart', async () => {
  const apart = pnlOn(['2024-12-30', '2025-12-01', '2026-02-02']);
  for (const by of ['day', 'week'] as const) {
    for (const chart of [pnlByPeriodChart(apart, { by }), winRateChart(apart, { by })]) {
      expect(await ticksOf(chart)).toEqual(expect.arrayContaining(['2025', '2026']));
    }
  }
});

it('draws a lonely bar as a bar, not as a wall', async () => {
  const closed = new DataFrame({ close_date: ['2026-01-05T00:00:00Z'], volume_total: [5] });
  const charts = [
    pnlByPeriodChart(pnlOn(['2026-01-05'])),
    volumeOverTimeChart(closed, { by: 'month' }),
    volumeDistributionChart(closed),
    marketLifetimesChart(new DataFrame({ start_date: ['2026-01-01T00:00:00Z'], close_date: ['2026-01-05T00:00:00Z'] })),
  ];
  for (const chart of charts) {
    const [, width] =
      /role-mark (?:layer_0_)?marks"[^>]*><path[^>]* d="M[\d.]+,[\d.]+h([\d.]+)v/.exec(await chart.toSvg()) ?? [];
    expect(Number(width)).toBeGreaterThan(20);
    expect(Number(width)).toBeLessThan(120);
  }
});

it('counts the days between trades, too, before it draws a bar for each', async () => {
  const rare = pnlOn(
    Array.from({ length: 24 }, (_, month) => new Date(Date.UTC(2024, month, 9)).toISOString().slice(0, 10)),
  );
  expect(String(pnlByPeriodChart(rare))).toContain('Realized PnL by month');
  expect(String(pnlByPeriodChart(rare, { by: 'day' }))).toContain('By week: 701 days are too many to draw');
});

it('counts also what is too long ago to be drawn', () => {
  const months = Array.from({ length: 500 }, (_, month) => new Date(Date.UTC(1970, month)).toISOString());
  const ones = months.map(() => 1);
  const drawn = 'Drawn: the last 400 of 500 months';
  const pnl = String(pnlByPeriodChart(new DataFrame({ date: months, pnl: ones }), { by: 'month' }));
  expect(pnl).toContain('500 months of 500 with a gain; $500.00 in all');
  expect(pnl).toContain(drawn);
  const volume = String(
    volumeOverTimeChart(new DataFrame({ close_date: months, volume_total: ones }), { by: 'month' }),
  );
  expect(volume).toContain('$500.00 in 500 markets');
  expect(volume).toContain(drawn);
});

describe('records that were asked for', () => {
  const weeks = pnlOn(['2026-01-05', '2026-01-12', '2026-01-26']);
  const refusal = (found: string, wanted: string, granularity: string) =>
    new ColumnError(
      `The records are of ${found}, but ${wanted} are needed: query them with granularity: '${granularity}'.`,
    );

  it('by week are not drawn by day', () => {
    const weekly = recordsAsked({ granularity: '1w' }, weeks);
    const refused = refusal('weeks', 'days', '1d');
    expect(() => calendarChart(weekly)).toThrow(refused);
    expect(() => pnlByPeriodChart(weekly, { by: 'day' })).toThrow(refused);
    expect(() => winRateChart(weekly, { by: 'day' })).toThrow(refused);
    expect(() => cumulativePnlChart(recordsAsked({ by: 'market', granularity: 'all' }, weeks))).toThrow(
      new ColumnError("The records are of the whole time, but months are needed: query them with granularity: '1m'."),
    );
    expect(() => pnlByPeriodChart(recordsAsked({ granularity: 'all' }, weeks))).toThrow(
      refusal('the whole time', 'months', '1m'),
    );
  });

  it('are drawn by no finer period than theirs where none is named', () => {
    const titles = ['1d', '3d', '1w', '1m'].map((granularity) =>
      String(pnlByPeriodChart(recordsAsked({ granularity }, weeks))),
    );
    expect(titles.map((title) => /by (\w+)/.exec(title)?.[1])).toEqual(['day', 'week', 'week', 'month']);
  });
});

it('names the days of some weeks alike, and the year', async () => {
  const days = Array.from({ length: 30 }, (_, day) => new Date(Date.UTC(2025, 9, 28 + day)).toISOString().slice(0, 10));
  for (const chart of [pnlByPeriodChart(pnlOn(days)), cumulativePnlChart(pnlOn(days))]) {
    expect((await ticksOf(chart)).filter((text) => !/^(?:Oct|Nov) [1-9]\d?$/.test(text))).toEqual([]);
    expect(await chart.toSvg()).toMatch(/>(?:Day|Date), UTC, 2025</);
  }
  expect(await ticksOf(cumulativePnlChart(pnlOn(['2026-01-05'])))).toEqual(['Jan 5']);
  // A Monday, a Wednesday and a Thursday, also before 1970.
  const many = Array.from({ length: 150_000 }, (_, day) => new Date(day * 86_400_000).toISOString());
  const pnl = new DataFrame({ date: many, pnl: many.map(() => 1) });
  expect(JSON.stringify(calendarChart(pnl).spec)).toContain(' of 150,000 days');
  const early = calendarChart(pnlOn(['1969-12-22', '1969-12-24', '1970-01-01']));
  expect(await early.toSvg()).toContain('1969');
  expect(JSON.stringify(early.spec)).toMatch(/"weekday":"Mon".*"weekday":"Wed".*"weekday":"Thu"/);
  expect(await calendarChart(pnlOn(['2026-01-08'])).toSvg()).toMatch(/>2026<[\s\S]*>Jan<|>Jan<[\s\S]*>2026</);
});

it('leaves no room for losses where there are none, and writes amounts where they fit', async () => {
  const days = ['2026-01-05', '2026-01-06', '2026-01-07'];
  const wallets = new DataFrame({ proxy_wallet: ['0xa', '0xb'], pnl: [5, 2], invested: [9, 9] });
  const charts = [pnlByPeriodChart(pnlOn(days)), roiByWalletChart(wallets)];
  for (const chart of charts) expect(await chart.toSvg()).not.toMatch(/>-[$\d]/);
  const millions = days.map(() => 123_456_789);
  const many = Array.from({ length: 14 }, (_, day) => `2026-01-${String(day + 10)}T00:00:00Z`);
  expect(await pnlByPeriodChart(new DataFrame({ date: many.slice(0, 3), pnl: millions })).toSvg()).toContain(
    '>$123,456,789<',
  );
  const crowded = new DataFrame({ date: many, pnl: many.map(() => 123_456_789) });
  expect(await pnlByPeriodChart(crowded).toSvg()).not.toContain('>$123,456,789<');
});

it.each([
  ['wek', 'got "wek". Did you mean "week"?'],
  ['Month', 'got "Month". Did you mean "month"?'],
  ['quarter', 'got "quarter".'],
  [null, 'got null.'],
])('says which periods there are instead of %j', (by, said) => {
  const closed = new DataFrame({ close_date: ['2026-01-05T00:00:00Z'], volume_total: [5] });
  const wanted = new UsageError(`by must be "day", "week" or "month"; ${said}`);
  expect(() => pnlByPeriodChart(pnlOn(['2026-01-05']), { by: by as never })).toThrow(wanted);
  expect(() => volumeOverTimeChart(closed, { by: by as never })).toThrow(wanted);
});

describe('a curve of few days', () => {
  const daysFrom = (start: number, length: number) =>
    Array.from({ length }, (_, day) => new Date(Date.UTC(2026, 0, start + day)).toISOString().slice(0, 10));
  const named = (length: number) => Array.from({ length }, (_, day) => `Jan ${day + 1}`);

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('names each of %i days once', async (length) => {
    expect(await ticksOf(cumulativePnlChart(pnlOn(daysFrom(1, length))))).toEqual(named(length));
  });

  it('names them once with others over it, before or after it, and with bars', async () => {
    const curve = (start: number, length: number) => cumulativePnlChart(pnlOn(daysFrom(start, length)));
    const bars = pnlByPeriodChart(pnlOn(daysFrom(1, 3)), { by: 'day' });
    expect(await ticksOf(curve(1, 3).layer(curve(4, 2)))).toEqual(named(5));
    expect(await ticksOf(curve(1, 1).layer(curve(1, 3)))).toEqual(named(3));
    expect(await ticksOf(curve(1, 3).layer(bars))).toEqual(named(3));
    expect(await ticksOf(bars.layer(curve(1, 3)))).toEqual(named(3));
    expect(await ticksOf(curve(1, 3).layer(curve(1, 100)))).toEqual(
      expect.arrayContaining(['Feb 1', 'Mar 1', 'Apr 5']),
    );
  });
});

it.each([
  ['2025-09-01', 500],
  ['2025-12-29', 200],
  ['2026-01-01', 130],
  ['2026-02-03', 380],
  ['2024-12-31', 900],
])(
  'a calendar of a phone from %s for %i days has blocks of as many weeks, none of a week alone',
  async (from, days) => {
    const dates = Array.from({ length: days }, (_, day) => {
      return new Date(Date.parse(from) + day * 86_400_000).toISOString().slice(0, 10);
    });
    const spec = narrowSpec(calendarChart(pnlOn(dates)).spec, NARROW);
    const { plots, tips } = await renderWithPoints(spec, { theme: 'light', isNarrow: true }, () => {});
    const weeks = plots.map(({ at, size }) => new Set(at.filter((_, place) => place % size === 0)).size);
    const monday = Math.floor((Date.parse(from) / 86_400_000 + 3) / 7);
    const all = 1 + Math.floor((Date.parse(dates.at(-1) ?? '') / 86_400_000 + 3) / 7) - monday;
    expect(tips).toHaveLength(days);
    expect(weeks.reduce((sum, count) => sum + count, 0)).toBe(all);
    expect(Math.max(...weeks)).toBeLessThanOrEqual(18);
    expect(new Set(weeks.slice(0, -1)).size).toBe(1);
    expect(weeks.at(-1)).toBeGreaterThan(1);
  },
);
