import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../src/base/errors.js';
import { calendarChart } from '../../src/charts/calendar-chart.js';
import { calibrationChart } from '../../src/charts/calibration-chart.js';
import { cumulativePnlChart } from '../../src/charts/cumulative-pnl-chart.js';
import { Chart } from '../../src/charts/drawing/chart.js';
import { renderSvg, renderWithPoints } from '../../src/charts/drawing/render-svg.js';
import { facet } from '../../src/charts/facet.js';
import { leaderboardChart } from '../../src/charts/leaderboard-chart.js';
import { lorenzChart } from '../../src/charts/lorenz-chart.js';
import { pnlByPeriodChart } from '../../src/charts/pnl-by-period-chart.js';
import { roiByWalletChart } from '../../src/charts/roi-by-wallet-chart.js';
import { volumeByEventChart } from '../../src/charts/volume-by-event-chart.js';
import { volumeOverTimeChart } from '../../src/charts/volume-over-time-chart.js';
import { winRateChart } from '../../src/charts/win-rate-chart.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { setProvenance } from '../../src/frame/tabular/provenance.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import { withColumns } from '../../src/frame/verbs/with-columns.js';
import { BY_KIND, CHARTS, EMPTY, oneDay } from './drawn-charts.js';
import { expectGolden } from './golden.js';
import { sampleMarkets, samplePnl } from './sample-frames.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A chart as it is drawn, and what Vega and Vega-Lite say of it. */
async function drawn(chart: Chart): Promise<{ svg: string; warnings: string[] }> {
  const warnings: string[] = [];
  const svg = await renderSvg(chart.spec, { theme: 'auto' }, (text) => warnings.push(text));
  return { svg, warnings };
}

async function warningsOf(chart: Chart): Promise<string[]> {
  return (await drawn(chart)).warnings;
}

function valuesOf(chart: Chart): Record<string, unknown>[] {
  return (chart.spec.data as unknown as { values: Record<string, unknown>[] }).values;
}

function subtitleOf({ spec }: Chart): string {
  return [Reflect.get(Object(spec.title), 'subtitle') ?? []].flat().join('\n');
}

/** Whether Vega-Lite's own schema takes a specification. */
async function isVegaLite(spec: object): Promise<boolean> {
  const path = createRequire(import.meta.url).resolve('vega-lite/vega-lite-schema.json');
  schema ??= z.fromJSONSchema(JSON.parse(await readFile(path, 'utf8')));
  return schema.safeParse(spec).success;
}
let schema: z.ZodType | undefined;

describe.each(CHARTS)('%s', (name, make) => {
  it('is what Vega-Lite describes', async () => {
    const { spec } = make();
    expect(await isVegaLite(spec)).toBe(true);
    expect(await isVegaLite({ ...spec, config: { header: { labelOpacity: 1 } } })).toBe(false);
  });

  it('is drawn as before, without a warning, and is plain data', async () => {
    const chart = make();
    expect(JSON.parse(JSON.stringify(chart.spec))).toEqual(chart.spec);
    expect(await warningsOf(chart)).toEqual([]);
    const { svg, warnings } = await drawn(chart);
    expect(warnings).toEqual([]);
    expectGolden(`${name}.svg`, svg);
  });
});

it('leaves out links that are no addresses or run code, and says so', async () => {
  const values = ['foo:bar', 'javascript:alert(1)', 'foo:bar', 5, 'https://a.b/c'].map((u, a) => ({ a, u }));
  const encoding = { x: { field: 'a', type: 'quantitative' }, href: { field: 'u', type: 'nominal' } };
  const { svg, warnings } = await drawn(new Chart({ mark: 'bar', data: { values }, encoding } as never));
  expect(svg.match(/<a\b[^>]*>/g)).toEqual([...Array(4).fill('<a>'), '<a xlink:href="https://a.b/c">']);
  expect(warnings).toEqual([
    'The chart leaves out the link to "foo:bar" and 2 more: give addresses such as https://… or mailto:….',
  ]);
});

it('leaves out the links of rows without an address, and cuts long ones where it tells of them', async () => {
  const values = [null, undefined, Number.NaN, `foo:${'x'.repeat(9000)}`].map((u, a) => ({ a, u }));
  const encoding = { x: { field: 'a', type: 'quantitative' }, href: { field: 'u', type: 'nominal' } };
  const { svg, warnings } = await drawn(new Chart({ mark: 'bar', data: { values }, encoding } as never));
  expect(svg.match(/<a\b[^>]*>/g)).toEqual(Array(4).fill('<a>'));
  expect(warnings).toEqual([
    `The chart leaves out the link to "foo:${'x'.repeat(75)}…": give addresses such as https://… or mailto:….`,
  ]);
});

it('draws the same bytes again, in another time zone and after other charts', async () => {
  const chart = cumulativePnlChart(samplePnl(1));
  const first = await chart.toSvg();
  vi.stubEnv('TZ', 'America/Los_Angeles');
  const [again] = await Promise.all([cumulativePnlChart(samplePnl(1)).toSvg(), winRateChart(samplePnl(1)).toSvg()]);
  expect(again).toBe(first);
  expect(valuesOf(calendarChart(oneDay))).toMatchObject([{ date: '2026-01-01', weekday: 'Thu', pnl: -5 }]);
});

it('gives two charts on one page no id in common', async () => {
  const charts = [cumulativePnlChart(samplePnl(1)), winRateChart(samplePnl(1)), volumeByEventChart(sampleMarkets(30))];
  const ids = await Promise.all(
    charts.map(async (chart) => Array.from((await chart.toSvg()).matchAll(/ id="([^"]+)"/g), ([, id]) => id)),
  );
  const all = ids.flatMap((some) => [...new Set(some)]);
  expect(new Set(all).size).toBe(all.length);
});

it.each(['pnl', 'markets', 'forecasts'] as const)(
  'says of %s without rows that there is nothing to draw',
  async (kind) => {
    for (const make of BY_KIND[kind]) {
      const chart = make(EMPTY[kind]);
      const { svg, warnings } = await drawn(chart);
      expect(warnings).toEqual([]);
      expect(svg).toMatch(/>There is no [^<]+\.<\/text>/);
    }
  },
);

it('draws what is missing, single and zero without a warning', async () => {
  const gaps = new DataFrame({
    date: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'],
    proxy_wallet: ['0xa', null, '0xb'],
    pnl: [0, Number.NaN, 0],
    invested: [0, 5, 0],
    wins: [0, 1, 0],
    losses: [0, 0, 1],
  });
  for (const make of BY_KIND.pnl) {
    expect(await warningsOf(make(gaps))).toEqual([]);
    expect(await warningsOf(make(oneDay))).toEqual([]);
  }
  const market = {
    event_slug: [null],
    volume_total: [7],
    start_date: ['2026-01-01T00:00:00Z'],
    end_date: [null],
    close_date: ['2026-01-09T00:00:00Z'],
  };
  for (const make of BY_KIND.markets) expect(await warningsOf(make(new DataFrame(market)))).toEqual([]);
});

it('shows at most eight wallets, and says so', () => {
  expect(subtitleOf(cumulativePnlChart(samplePnl(10)))).toMatch(/^The 8 of 10 wallets that won or lost most: /);
  expect(valuesOf(winRateChart(samplePnl(5), { by: 'proxy_wallet' }))).toHaveLength(5);
});

it('says what smaller events hold, rather than to draw a bar of them', () => {
  const chart = volumeByEventChart(sampleMarkets(30), { top: 4 });
  const shares = valuesOf(chart).map(({ share }) => Number(share));
  const rest = (100 * (1 - shares.reduce((sum, share) => sum + share, 0))).toFixed(1);
  expect(shares).toHaveLength(4);
  expect(subtitleOf(chart)).toContain(`Not drawn: 26 smaller events with ${rest}% of it`);
});

it('draws records that were pooled by month, or by week, no finer than that', () => {
  const periodOf = (dates: string[]) =>
    pnlByPeriodChart(new DataFrame({ date: dates, pnl: dates.map(() => 1) })).toString();
  expect(periodOf(['2025-04-01', '2025-05-01', '2025-06-01', '2025-07-01'])).toContain('PnL by month. 4 months of 4');
  const mondays = Array.from({ length: 8 }, (_, week) => new Date(Date.UTC(2025, 0, 6 + 7 * week)).toISOString());
  expect(periodOf(mondays)).toContain('PnL by week. 8 weeks of 8');
  expect(periodOf(mondays.slice(1))).toContain('PnL by day. 7 days of 7');
});

it('pools by a coarser period what would be too many bars, and says so', () => {
  const days = 1200;
  const long = new DataFrame({
    date: Array.from({ length: days }, (_, day) => new Date(Date.UTC(2023, 0, 2) + day * 86_400_000).toISOString()),
    pnl: Array.from({ length: days }, (_, day) => (day % 3) - 1),
    wins: new Array(days).fill(1),
    losses: new Array(days).fill(1),
  });
  const chart = pnlByPeriodChart(long, { by: 'day' });
  expect(valuesOf(chart)).toHaveLength(172);
  expect(subtitleOf(chart)).toContain('By week: 1,200 days are too many to draw');
  expect(valuesOf(pnlByPeriodChart(long))).toHaveLength(40);
  expect(subtitleOf(pnlByPeriodChart(long))).not.toContain('too many');
  expect(subtitleOf(winRateChart(long, { by: 'day' }))).toContain('By week');
  const curve = cumulativePnlChart(long);
  expect(subtitleOf(curve)).toMatch(/Drawn: \d+ of 1,200 dates, all peaks kept/);
  expect(valuesOf(curve).length).toBeLessThanOrEqual(800);
});

it('counts markets that have no date', () => {
  const markets = sampleMarkets(7);
  const chart = volumeOverTimeChart(markets);
  const drawn = valuesOf(chart).reduce((sum, row) => sum + Number(row.markets), 0);
  expect(drawn).toBe(12);
  expect(subtitleOf(chart)).toContain('Left out: 2 markets without the date');
});

it('layers charts on the same axes, and says what cannot be layered', async () => {
  const rule = new Chart({
    data: { values: [{ date: '2025-10-01T00:00:00Z' }] },
    mark: 'rule',
    encoding: { x: { field: 'date', type: 'temporal' } },
  });
  const both = cumulativePnlChart(samplePnl(1)).layer(rule);
  expect(await warningsOf(both)).toEqual([]);
  expect(String(both)).toBe(String(cumulativePnlChart(samplePnl(1))));
  expect(await both.toSvg()).toContain('mark-rule');
  const years = new Chart({ concat: [{ data: { values: [] }, mark: 'bar' }] });
  expect(() => rule.layer(years)).toThrow(UsageError);
});

it('says what all charts over each other show, also in the tips of bars with dots over them', async () => {
  const [bars, dots] = [pnlByPeriodChart(samplePnl(1), { by: 'month' }), winRateChart(samplePnl(1), { by: 'month' })];
  const both = bars.layer(dots);
  expect(String(both)).toBe(`${bars}. Over it: ${String(dots).replace('Chart: ', '')}`);
  expect(String(new Chart({ mark: 'bar', data: { values: [] } }).layer(dots))).toBe(String(dots));
  const { plots, tips } = await renderWithPoints(both.spec, { theme: 'auto' }, () => {});
  const months = valuesOf(bars);
  expect(plots.map(({ find, at }) => [find, at.length])).toEqual([['column', 4 * months.length]]);
  const labels = ['Month', 'PnL', 'Win rate', 'From', 'To', 'Wins', 'Losses'];
  expect(tips.map((tip) => tip.map(([label]) => label))).toEqual(months.map(() => labels));
  const curve = bars.layer(cumulativePnlChart(samplePnl(1)));
  const all = await renderWithPoints(curve.spec, { theme: 'auto' }, () => {});
  expect(all.plots.map(({ find }) => find)).toEqual(['lines']);
  expect(new Set(all.tips.map(([first]) => first?.[0]))).toEqual(new Set(['Month', 'Date']));
});

it.each([
  ['proxy_wallet', 'Wallet'],
  ['month', 'Month'],
  ['category', 'Category'],
] as const)('tips of rates by %s begin with the %s', async (by, label) => {
  const frame = withColumns(samplePnl(3, 90), { category: () => 'Sports' });
  for (const chart of [winRateChart(frame, { by }), leaderboardChart(frame, { by })]) {
    const { tips } = await renderWithPoints(chart.spec, { theme: 'auto' }, () => {});
    expect(new Set(tips.map(([first]) => first?.[0]))).toEqual(new Set([label]));
  }
});

it('takes text for text, wherever it stands', async () => {
  const evil = `<script>alert(1)</script>"'&]]>\u0000\u{d800} \${x} {{y}}\n${'long'.repeat(90)}`;
  const pnl = new DataFrame({
    date: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    proxy_wallet: [evil, `${evil}2`],
    'a.b[0]': [evil, 'x'],
    pnl: [1, -2],
    invested: [1, 1],
    wins: [1, 2],
    losses: [2, 1],
  });
  const markets = new DataFrame({ event_slug: [evil], volume_total: [3] });
  const charts = [
    cumulativePnlChart(pnl, { title: evil }),
    winRateChart(pnl, { by: 'a.b[0]', title: evil }),
    roiByWalletChart(pnl),
    leaderboardChart(pnl),
    volumeByEventChart(markets),
  ];
  for (const chart of charts) {
    const svg = await chart.toSvg();
    expect(svg).not.toMatch(/<script|\son\w+=|javascript:/i);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(svg).not.toMatch(/[\u0000-\u0008\ud800-\udfff]/u);
    expect(Number(/ width="(\d+)"/.exec(svg)?.[1])).toBeLessThan(1100);
  }
});

it('names the amounts and the groups that a Lorenz curve compares', async () => {
  const invested = new DataFrame({ proxy_wallet: ['0xa', '0xb', '0xc'], invested: [1, 2, 7] });
  const words = async (options: object) =>
    (await lorenzChart(invested, { value: 'invested', ...options }).toSvg()).replace(/<[^>]*>/g, '\n');
  const byWallet = await words({ by: 'proxy_wallet' });
  for (const text of [
    'Concentration of invested: Lorenz curve',
    'Share of invested',
    'Share of wallets, smallest first',
  ])
    expect(byWallet).toContain(text);
  expect(byWallet).toContain('The largest wallet of 3 holds 70.0%');
  expect(await words({})).toContain('The largest row of 3 holds 70.0%');
  expect(byWallet).not.toMatch(/volume|market/);
});

it('refuses options that it cannot follow', () => {
  expect(() => volumeByEventChart(sampleMarkets(3), { top: 0 })).toThrow(UsageError);
  expect(() => winRateChart(oneDay, { by: 'wallet' })).toThrow(/no column "wallet"/);
  expect(() => pnlByPeriodChart(oneDay, { titel: 'x' } as never)).toThrow(/Did you mean "title"/);
  for (const chart of [leaderboardChart, lorenzChart, calibrationChart])
    expect(() => chart(oneDay, { titel: 'x' } as never)).toThrow(
      `"titel" is no option of ${chart.name}. Did you mean "title"?`,
    );
});

describe('a chart of an incomplete record', () => {
  const faulty = { seen: true, untracked_shares: 1250, unknown_markets: 2 };
  const entry = {
    service: 'http://localhost',
    dataset: 569,
    params: {},
    queriedAt: '2026-01-01T00:00:00Z',
    records: 1,
  };

  /** PnL of wallets 0xaaaa… and on, of which some have an incomplete record. */
  function withFaults(wallets: number, of: readonly number[]) {
    const frame = samplePnl(wallets, 40);
    const names = [...new Set(frame.proxy_wallet.values as string[])];
    const completeness = Object.fromEntries(names.map((name, at) => [name, of.includes(at) ? faulty : { seen: true }]));
    setProvenance(frame, [{ ...entry, completeness }]);
    return frame;
  }

  const LINE =
    'Incomplete record of 0xaaaa…aaaa: 1,250 shares left that were never seen to come; 2 markets without a record';
  const unwrapped = (chart: Chart) => subtitleOf(chart).replaceAll('\n', ' ');

  it('says so below its title and in its description, whatever the chart', () => {
    const frame = withFaults(1, [0]);
    const charts = [
      cumulativePnlChart,
      pnlByPeriodChart,
      calendarChart,
      winRateChart,
      roiByWalletChart,
      leaderboardChart,
    ];
    for (const chartOf of charts) {
      const chart = chartOf(frame);
      expect(unwrapped(chart)).toContain(LINE);
      expect(chart.spec.description).toContain(LINE);
      expect(unwrapped(chartOf(withFaults(1, [])))).not.toContain('Incomplete');
    }
    expect(unwrapped(winRateChart(frame, { by: 'proxy_wallet' }))).toContain(LINE);
    expect(unwrapped(cumulativePnlChart(withFaults(2, [0])))).toContain(LINE);
  });

  it('names a few of several, and none whose rows were left out', () => {
    const frame = withFaults(6, [0, 1, 2, 3]);
    expect(unwrapped(cumulativePnlChart(frame))).toMatch(
      /Incomplete records of 4 wallets: (0x\w{4}…\w{4}, ){2}0x\w{4}…\w{4} …$/,
    );
    const others = filterRows(frame, (row) => !/^0x[abcd]/.test(row.proxy_wallet));
    expect(unwrapped(cumulativePnlChart(others))).not.toContain('Incomplete');
    const parts = facet(withFaults(2, [0]), (part) => pnlByPeriodChart(part), { by: 'proxy_wallet' });
    const views = parts.spec.concat as { title: { text: string; subtitle: string[] } }[];
    expect(views.map(({ title }) => title.subtitle.join(' ').includes(LINE)).sort()).toEqual([false, true]);
  });

  it('says of a wallet that no record mentions why there is nothing to draw', () => {
    const none = filterRows(samplePnl(1, 5), () => false);
    setProvenance(none, [{ ...entry, completeness: { [`0x${'77'.repeat(20)}`]: { seen: false } } }]);
    expect(unwrapped(cumulativePnlChart(none))).toBe(
      'Incomplete record of 0x7777…7777: not seen: no record mentions it',
    );
  });
});
