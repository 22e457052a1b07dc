import { compile, type TopLevelSpec } from 'vega-lite';
import { describe, expect, it } from 'vitest';
import { calendarChart } from '../../../src/charts/calendar-chart.js';
import { cumulativePnlChart } from '../../../src/charts/cumulative-pnl-chart.js';
import { Chart } from '../../../src/charts/drawing/chart.js';
import { renderSvg, renderWithPoints } from '../../../src/charts/drawing/render-svg.js';
import { facet } from '../../../src/charts/facet.js';
import { lorenzChart } from '../../../src/charts/lorenz-chart.js';
import { pnlByPeriodChart } from '../../../src/charts/pnl-by-period-chart.js';
import { winRateChart } from '../../../src/charts/win-rate-chart.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { sampleMarkets, samplePnl } from '../sample-frames.js';

type Part = { title: { text: string }; data: { values: unknown[] } };

function partsOf({ spec }: Chart): Part[] {
  return Reflect.get(spec, 'concat') as Part[];
}

function titleOf({ spec }: Chart): string {
  return [Reflect.get(Object(spec.title), 'text')].flat().join(' ');
}

describe.each([
  ['curves', () => cumulativePnlChart(samplePnl(1))],
  ['curves of wallets', () => cumulativePnlChart(samplePnl(3))],
  ['Lorenz curves', () => lorenzChart(sampleMarkets(9))],
])('%s over each other', (_name, make) => {
  it('have names of their own, and tips in a page alone', async () => {
    const both = make().layer(make());
    const names = (compile(both.spec as TopLevelSpec).spec.marks ?? []).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const warnings: string[] = [];
    const svg = await renderSvg(both.spec, { theme: 'auto' }, (text) => warnings.push(text));
    const { plots, tips } = await renderWithPoints(both.spec, { theme: 'auto' }, (text) => warnings.push(text));
    expect(warnings).toEqual([]);
    expect(svg).not.toContain('mark-symbol role-mark');
    expect(plots.map(({ find }) => find)).toEqual([expect.stringMatching(/^(?:x|lines)$/)]);
    expect(tips.length).toBeGreaterThan(9);
  });
});

it('leaves a layer of its user that cannot be seen: it may hold the axes apart', async () => {
  const room = new Chart({
    data: { values: [{ y: 9 }] },
    mark: { type: 'point', opacity: 0 },
    encoding: { y: { field: 'y' } },
  });
  expect(await cumulativePnlChart(samplePnl(1)).layer(room).toSvg()).toContain('mark-symbol');
});

describe('the title of charts side by side', () => {
  const pnl = samplePnl(3, 40);
  it.each([
    ['Cumulative realized PnL, by wallet', (part: DataFrame) => cumulativePnlChart(part)],
    ['Realized PnL by month, by wallet', (part: DataFrame) => pnlByPeriodChart(part, { by: 'month' })],
    ['PnL, by wallet', (part: DataFrame) => cumulativePnlChart(part, { title: `PnL of ${part.at(0, 'pnl')}` })],
    ['By wallet', (part: DataFrame) => cumulativePnlChart(part, { title: `${part.at(0, 'pnl')}` })],
  ])('is %s: the name of no part', (title, chartOf) => {
    expect(titleOf(facet(pnl as DataFrame, chartOf, { by: 'proxy_wallet' }))).toBe(title);
  });

  it('is that of all where there is one part', () => {
    const one = facet(samplePnl(1), (part) => cumulativePnlChart(part), { by: 'proxy_wallet' });
    expect(titleOf(one)).toBe('Cumulative realized PnL, by wallet');
  });
});

it.each([
  ['a promise', async (part: DataFrame) => cumulativePnlChart(part)],
  ['a value of type object', (part: DataFrame) => cumulativePnlChart(part).spec],
])('refuses a function that gives %s', (found, make) => {
  expect(() => facet(samplePnl(2) as DataFrame, make as never, { by: 'proxy_wallet' })).toThrow(
    new RegExp(`^The function of facet must give a chart, .*; got ${found}\\.$`),
  );
});

it('names a part that has no value', () => {
  const frame = new DataFrame({ date: ['2026-01-01T00:00:00Z'], pnl: [1], event_slug: [null] });
  const chart = facet(frame, (part) => pnlByPeriodChart(part), { by: 'event_slug' });
  expect(partsOf(chart).map(({ title }) => title.text)).toEqual(['none']);
  expect(titleOf(chart)).toBe('Realized PnL by day, by event');
});

it('shares the points of one chart among its parts', () => {
  const pnl = samplePnl(8, 900);
  const points = (make: (part: DataFrame) => Chart) =>
    partsOf(facet(pnl as DataFrame, make, { by: 'proxy_wallet' })).reduce(
      (sum, { data }) => sum + data.values.length,
      0,
    );
  expect(points((part) => cumulativePnlChart(part))).toBeLessThanOrEqual(800);
  expect(points((part) => calendarChart(part))).toBeLessThanOrEqual(5 * 366);
  expect(points((part) => pnlByPeriodChart(part, { by: 'day' }))).toBeLessThanOrEqual(8 * 62);
  expect(points((part) => winRateChart(part, { by: 'day' }))).toBeLessThanOrEqual(8 * 62);
  expect(Reflect.get(cumulativePnlChart(samplePnl(1, 900)).spec.data ?? {}, 'values').length).toBeGreaterThan(400);
});
