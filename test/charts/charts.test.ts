import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Chart } from '../../src/charts/chart.js';
import { cumulativePnlChart } from '../../src/charts/cumulative-pnl-chart.js';
import { renderSvg } from '../../src/charts/render-svg.js';
import { volumeByEventChart } from '../../src/charts/volume-by-event-chart.js';
import { winRateChart } from '../../src/charts/win-rate-chart.js';
import { UsageError } from '../../src/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { expectGolden } from './golden.js';
import { sampleMarkets, samplePnl } from './sample-frames.js';

const empty = (columns: Record<string, string>) =>
  new DataFrame([], { columns: Object.keys(columns), dtypes: Object.values(columns) });
const noPnl = empty({ date: 'string', proxy_wallet: 'string', pnl: 'float32', wins: 'int32', losses: 'int32' });
const oneDay = new DataFrame({ date: ['2026-01-01T00:00:00Z'], pnl: [-5], wins: [0], losses: [1] });

const CHARTS: readonly [name: string, make: () => Chart][] = [
  ['cumulative-pnl', () => cumulativePnlChart(samplePnl(1))],
  ['cumulative-pnl-wallets', () => cumulativePnlChart(samplePnl(10), { title: 'Ten wallets' })],
  ['cumulative-pnl-one-day', () => cumulativePnlChart(oneDay)],
  ['win-rate-months', () => winRateChart(samplePnl(1))],
  ['win-rate-weeks', () => winRateChart(samplePnl(1), { by: 'week', confidence: 0.8 })],
  ['win-rate-wallets', () => winRateChart(samplePnl(5), { by: 'proxy_wallet' })],
  ['win-rate-one-day', () => winRateChart(oneDay, { by: 'day' })],
  ['volume-by-event', () => volumeByEventChart(sampleMarkets(30))],
  ['volume-few-events', () => volumeByEventChart(sampleMarkets(3), { title: 'Three events' })],
];

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.each(CHARTS)('%s', (name, make) => {
  it('is drawn as before, without a warning', async () => {
    const warnings: string[] = [];
    const svg = await renderSvg(make().spec, (text) => warnings.push(text));
    expect(warnings).toEqual([]);
    expectGolden(`${name}.svg`, svg);
  });

  it('compiles with its tips, without a warning', async () => {
    const { compile } = await import('vega-lite');
    const said: unknown[] = [];
    const say = (...words: readonly unknown[]) => {
      said.push(words);
      return logger;
    };
    const logger = { level: () => logger, error: say, warn: say, info: () => logger, debug: () => logger };
    compile(make().spec, { logger: logger as never });
    expect(said).toEqual([]);
  });
});

it('draws the same bytes again, in another time zone and after other charts', async () => {
  const chart = cumulativePnlChart(samplePnl(1));
  const first = await chart.toSvg();
  vi.stubEnv('TZ', 'America/Los_Angeles');
  const [again] = await Promise.all([cumulativePnlChart(samplePnl(1)).toSvg(), winRateChart(samplePnl(1)).toSvg()]);
  expect(again).toBe(first);
});

it('gives two charts on one page no id in common', async () => {
  const charts = [cumulativePnlChart(samplePnl(1)), winRateChart(samplePnl(1)), volumeByEventChart(sampleMarkets(30))];
  const ids = await Promise.all(
    charts.map(async (chart) => Array.from((await chart.toSvg()).matchAll(/ id="([^"]+)"/g), ([, id]) => id)),
  );
  const all = ids.flatMap((some) => [...new Set(some)]);
  expect(new Set(all).size).toBe(all.length);
});

it('draws frames without rows', async () => {
  const noMarkets = empty({ event_slug: 'string', volume_total: 'float32' });
  for (const chart of [
    cumulativePnlChart(noPnl),
    winRateChart(noPnl),
    winRateChart(noPnl, { by: 'proxy_wallet' }),
    volumeByEventChart(noMarkets),
  ]) {
    expect(await renderSvg(chart.spec, () => {})).toMatch(/^<svg[\s\S]*<\/svg>$/);
  }
});

it('shows at most eight wallets, and says so', () => {
  const { spec } = cumulativePnlChart(samplePnl(10));
  expect(spec.title).toMatchObject({ subtitle: expect.stringMatching(/^The 8 of 10 wallets that won or lost most: /) });
  expect(winRateChart(samplePnl(5), { by: 'proxy_wallet' }).spec.data).toHaveProperty('values.length', 5);
});

it('adds up to the whole volume with one bar for all others', () => {
  const { spec } = volumeByEventChart(sampleMarkets(30), { top: 4 });
  const bars = (spec.data as unknown as { values: { event: string; share: number }[] }).values;
  expect(bars.map(({ event }) => event.replace(/-with.*/, ''))).toEqual([
    'event-0',
    'event-1',
    'event-2',
    'event-3',
    'all others (26 events)',
  ]);
  expect(bars.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
});

it('refuses options that it cannot follow', () => {
  expect(() => volumeByEventChart(sampleMarkets(3), { top: 0 })).toThrow(UsageError);
  expect(() => winRateChart(oneDay, { by: 'wallet' })).toThrow(/no column "wallet"/);
});
