import { expect, it } from 'vitest';
import { calendarChart } from '../../src/charts/calendar-chart.js';
import { cumulativePnlChart } from '../../src/charts/cumulative-pnl-chart.js';
import { chartFigure } from '../../src/charts/drawing/chart-figure.js';
import { facet } from '../../src/charts/facet.js';
import { samplePnl } from './sample-frames.js';

const kB = (text: string) => text.length / 1000;

it('a calendar of a year is small, and says nothing of single days but in a page', async () => {
  const year = calendarChart(samplePnl(1, 365));
  const svg = await year.toSvg();
  expect(kB(svg)).toBeLessThan(50);
  expect(svg).not.toContain('Date: ');
  expect(svg).toContain('aria-label="Chart: Realized PnL by day. ');
  expect((await chartFigure(year.spec)).match(/\[0,"2025-\d\d-\d\d","[^"]+"\]/g)?.length).toBeGreaterThan(100);
});

it('a calendar draws five years at most, and says so', async () => {
  const chart = calendarChart(samplePnl(1, 2500));
  expect(String(chart)).toContain('Drawn: the last 1,830 days, with 1,830 of 2,500 days that have a PnL');
  expect(kB(JSON.stringify(chart.spec))).toBeLessThan(200);
  expect(kB(await chart.toSvg())).toBeLessThan(250);
  expect(kB(await chartFigure(chart.spec))).toBeLessThan(600);
  expect(kB(JSON.stringify(chart.spec, null, 2))).toBeLessThan(400);
});

it('charts side by side are no heavier than one', async () => {
  const pnl = samplePnl(8, 900);
  for (const chartOf of [calendarChart, cumulativePnlChart]) {
    const chart = facet(pnl, (part) => chartOf(part), { by: 'proxy_wallet' });
    expect(kB(JSON.stringify(chart.spec)), chartOf.name).toBeLessThan(200);
    expect(kB(await chart.toSvg()), chartOf.name).toBeLessThan(250);
  }
});
