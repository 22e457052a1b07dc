import { describe, expect, it } from 'vitest';
import type { Chart } from '../../src/charts/chart.js';
import { marketLifetimesChart } from '../../src/charts/market-lifetimes-chart.js';
import { pnlByPeriodChart } from '../../src/charts/pnl-by-period-chart.js';
import { volumeDistributionChart } from '../../src/charts/volume-distribution-chart.js';
import { volumeOverTimeChart } from '../../src/charts/volume-over-time-chart.js';
import { winRateChart } from '../../src/charts/win-rate-chart.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';

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
