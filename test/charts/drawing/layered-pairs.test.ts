import { compile, type TopLevelSpec } from 'vega-lite';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.js';
import { calendarChart } from '../../../src/charts/calendar-chart.js';
import { calibrationChart } from '../../../src/charts/calibration-chart.js';
import { cumulativePnlChart } from '../../../src/charts/cumulative-pnl-chart.js';
import { Chart } from '../../../src/charts/drawing/chart.js';
import { renderSvg } from '../../../src/charts/drawing/render-svg.js';
import { facet } from '../../../src/charts/facet.js';
import { leaderboardChart } from '../../../src/charts/leaderboard-chart.js';
import { lorenzChart } from '../../../src/charts/lorenz-chart.js';
import { marketLifetimesChart } from '../../../src/charts/market-lifetimes-chart.js';
import { pnlByPeriodChart } from '../../../src/charts/pnl-by-period-chart.js';
import { roiByWalletChart } from '../../../src/charts/roi-by-wallet-chart.js';
import { volumeByEventChart } from '../../../src/charts/volume-by-event-chart.js';
import { volumeDistributionChart } from '../../../src/charts/volume-distribution-chart.js';
import { volumeOverTimeChart } from '../../../src/charts/volume-over-time-chart.js';
import { winRateChart } from '../../../src/charts/win-rate-chart.js';
import type { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { filterRows } from '../../../src/frame/verbs/filter-rows.js';
import { sampleForecasts, sampleMarkets, samplePnl } from '../sample-frames.js';

/** PnL of other months and other wallets than that of the first frame. */
const [early, late] = [samplePnl(2, 40), filterRows(samplePnl(4, 200), (row) => row.date > '2026-01')];
const [large, small] = [sampleMarkets(30), filterRows(sampleMarkets(40), (row) => row.volume_total < 3000)];

/** Each chart over two frames that have little in common. */
const PAIRS: Readonly<Record<string, readonly [Chart, Chart]>> = {
  lines: [cumulativePnlChart(early), cumulativePnlChart(late)],
  curve: [cumulativePnlChart(samplePnl(1, 9)), cumulativePnlChart(samplePnl(1, 300))],
  months: [pnlByPeriodChart(early, { by: 'month' }), pnlByPeriodChart(late, { by: 'month' })],
  days: [pnlByPeriodChart(samplePnl(1, 5), { by: 'day' }), pnlByPeriodChart(late, { by: 'day' })],
  weeks: [pnlByPeriodChart(early, { by: 'week' }), pnlByPeriodChart(late, { by: 'week' })],
  calendar: [calendarChart(early), calendarChart(late)],
  rates: [winRateChart(early), winRateChart(late)],
  'rates of wallets': [winRateChart(early, { by: 'proxy_wallet' }), winRateChart(late, { by: 'proxy_wallet' })],
  returns: [roiByWalletChart(early), roiByWalletChart(late)],
  leaderboard: [leaderboardChart(early), leaderboardChart(late)],
  'volume over time': [volumeOverTimeChart(large, { by: 'month' }), volumeOverTimeChart(small, { by: 'day' })],
  'volume by event': [volumeByEventChart(large), volumeByEventChart(small)],
  lorenz: [lorenzChart(large), lorenzChart(small, { by: 'event_slug' })],
  distribution: [volumeDistributionChart(large), volumeDistributionChart(small)],
  lifetimes: [marketLifetimesChart(large), marketLifetimesChart(small)],
  calibration: [
    calibrationChart(sampleForecasts(300), { probability: 'price', outcome: 'won' }),
    calibrationChart(sampleForecasts(60), { probability: 'price', outcome: 'won', bins: 4 }),
  ],
};

/** What Vega-Lite says of a chart. */
function warningsOf({ spec }: Chart): string[] {
  const warnings: string[] = [];
  const take = (...words: unknown[]) => {
    warnings.push(words.join(' '));
    return logger;
  };
  const logger = { warn: take, error: take, info: () => logger, debug: () => logger, level: () => logger };
  compile(spec as TopLevelSpec, { logger: logger as never });
  return warnings;
}

/** Undefined where the charts share no axis. */
function layered(one: Chart, other: Chart): Chart | undefined {
  try {
    return one.layer(other);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return undefined;
  }
}

describe.each(Object.entries(PAIRS))('%s', (name, [one, other]) => {
  it('lie over themselves and over all others with which they share an axis, without a warning', async () => {
    for (const [over, charts] of Object.entries(PAIRS)) {
      for (const chart of charts) {
        const both = layered(one, chart);
        if (both) expect(warningsOf(both), `${name} with ${over}`).toEqual([]);
      }
    }
    const warnings: string[] = [];
    const svg = await renderSvg(one.layer(other).spec, { theme: 'auto' }, (text) => warnings.push(text));
    expect(warnings).toEqual([]);
    expect(svg).not.toMatch(/NaN|undefined/);
  });
});

it('each chart stands side by side without a warning', () => {
  const sides: Chart[] = [
    ...[cumulativePnlChart, pnlByPeriodChart, calendarChart, winRateChart, roiByWalletChart, leaderboardChart].map(
      (make) => facet(late as DataFrame, (part) => make(part), { by: 'proxy_wallet' }),
    ),
    ...[volumeOverTimeChart, volumeByEventChart, lorenzChart, volumeDistributionChart, marketLifetimesChart].map(
      (make) => facet(large as DataFrame, (part) => make(part), { by: 'closed' }),
    ),
  ];
  expect(sides.flatMap(warningsOf)).toEqual([]);
});

describe('layered charts', () => {
  const wordsIn = async (chart: Chart) =>
    Array.from((await chart.toSvg()).matchAll(/<text[^>]*>([^<]*)</g), ([, text]) => text);

  it('name the months, the years and the wallets of all', async () => {
    const [one, other] = PAIRS.months ?? [];
    const months = await wordsIn(one?.layer(other as Chart) as Chart);
    expect(months).toEqual(expect.arrayContaining(['Sep 2025', 'Oct 2025', 'Jan 2026', 'Mar 2026']));
    expect(months.filter((text) => text?.includes('UTC'))).toEqual(['Month, UTC, 2025–2026']);
    const [lines, others] = PAIRS.lines ?? [];
    const wallets = (await wordsIn(lines?.layer(others as Chart) as Chart)).filter((text) => text?.startsWith('0x'));
    const named = new Set(wallets.map((text) => text?.split(' ')[0]));
    expect([...named].sort()).toEqual(['0xaaaa…aaaa', '0xbbbb…bbbb', '0xcccc…cccc', '0xdddd…dddd']);
  });

  it('have an axis each for dollars and for percentages, and refuse what shares none', async () => {
    const both = pnlByPeriodChart(early, { by: 'month' }).layer(winRateChart(early));
    const words = await wordsIn(both);
    expect(words).toEqual(
      expect.arrayContaining(['Realized PnL (USD)', 'Win rate (% of closing events)', '50%', '$0']),
    );
    expect(() => calibrationChart(sampleForecasts(60), { probability: 'price', outcome: 'won' }).layer(both)).toThrow(
      'The x axes differ, one shows numbers, another time, so one cannot be drawn over the other',
    );
    expect(() => volumeDistributionChart(large).layer(marketLifetimesChart(large))).toThrow('share no axis');
  });

  it('have one axis for all dollars, whatever their order, and no room for a third unit', async () => {
    const [dollars, rates, curve] = [
      pnlByPeriodChart(early, { by: 'month' }),
      winRateChart(early),
      cumulativePnlChart(early),
    ];
    for (const all of [dollars.layer(rates, curve), dollars.layer(curve, rates), dollars.layer(rates).layer(curve)]) {
      expect((await wordsIn(all)).filter((text) => /PnL \(USD\)|Win rate \(/.test(text ?? '')).sort()).toEqual([
        'Realized PnL (USD); cumulative realized PnL (USD)',
        'Win rate (% of closing events)',
      ]);
      expect(warningsOf(all)).toEqual([]);
    }
    const axis = { format: '~s' };
    const counts = new Chart({
      data: { values: [{ date: '2026-01-01', n: 3 }] },
      mark: 'point',
      encoding: { x: { field: 'date', type: 'temporal' }, y: { field: 'n', type: 'quantitative', axis } },
    });
    expect(() => dollars.layer(rates, counts)).toThrow(
      new UsageError(
        'The y axes have 3 units, dollars, shares, counts, and there is room for two: show some side by side.',
      ),
    );
  });

  it('say of an axis all that it shows', async () => {
    const words = await wordsIn(roiByWalletChart(early).layer(winRateChart(early, { by: 'proxy_wallet' })));
    expect(words).toContain('PnL / invested; win rate (% of closing events)');
  });

  it('of single wallets have a colour each, and name the second', async () => {
    const [one, other, third] = ['0xaa', '0xbb', '0xcc'].map((start) =>
      cumulativePnlChart(filterRows(samplePnl(4), (row) => String(row.proxy_wallet).startsWith(start))),
    );
    const both = one?.layer(other as Chart) as Chart;
    const colorsOf = async (chart: Chart) =>
      new Set(Array.from((await chart.toSvg()).matchAll(/<path[^>]* stroke="(#[0-9a-f]{6})"/g), ([, color]) => color));
    expect((await colorsOf(both)).size).toBe(2);
    expect((await colorsOf(both.layer(third as Chart))).size).toBe(3);
    expect(await wordsIn(both)).toContain('Cumulative realized PnL of 0xaaaa…aaaa');
    expect(JSON.stringify(both.spec.title)).toContain('Over it: Cumulative realized PnL of 0xbbbb…bbbb');
  });

  it('keep the axis that another chart brings where the first has none', () => {
    const data = { values: [{ date: '2026-01-01' }] };
    const bare = new Chart({ data, mark: 'rule', encoding: { x: { field: 'date', type: 'temporal' } } });
    expect(warningsOf(bare.layer(cumulativePnlChart(early)))).toEqual([]);
    expect(JSON.stringify(bare.layer(cumulativePnlChart(early)).spec)).toContain('Date, UTC, 2025');
  });
});
