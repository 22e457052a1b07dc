import { describe, expect, it } from 'vitest';
import { calendarChart } from '../../src/charts/calendar-chart.js';
import { cumulativePnlChart } from '../../src/charts/cumulative-pnl-chart.js';
import { shortLabels } from '../../src/charts/design/chart-text.js';
import type { Chart } from '../../src/charts/drawing/chart.js';
import { halvesChart } from '../../src/charts/halves-chart.js';
import { leaderboardChart } from '../../src/charts/leaderboard-chart.js';
import { lorenzChart } from '../../src/charts/lorenz-chart.js';
import { marketLifetimesChart } from '../../src/charts/market-lifetimes-chart.js';
import { roiByWalletChart } from '../../src/charts/roi-by-wallet-chart.js';
import { roiIntervals } from '../../src/charts/roi-intervals.js';
import { volumeByEventChart } from '../../src/charts/volume-by-event-chart.js';
import { volumeDistributionChart } from '../../src/charts/volume-distribution-chart.js';
import { winRateChart } from '../../src/charts/win-rate-chart.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import fc from '../support/fast-check.js';

function wordsOf(svg: string): string[] {
  return Array.from(svg.matchAll(/>([^<>]+)<\/t(?:ext|span)>/g), ([, text]) => text ?? '');
}

const marketsOf = (volume_total: number[]) => new DataFrame({ volume_total });

describe('the Lorenz curve', () => {
  it.each([
    [[5], 'The only market holds all of it'],
    [[5, 15], 'The largest market of 2 holds 75.0%'],
    [Array.from({ length: 20 }, () => 1), 'The largest 2 markets of 20 hold 10.0%'],
  ])('of %j says %s', (volumes, said) => {
    const text = String(lorenzChart(marketsOf(volumes)));
    expect(text).toContain(said);
    expect(text).toContain('0 if all were equal, near 1 if one of many held all');
  });
});

it('the volume by event counts no event where markets have none', () => {
  const frame = new DataFrame({ event_slug: ['a', 'b', null], volume_total: [70, 20, 10] });
  expect(String(volumeByEventChart(frame))).toContain('$100.00 in 2 events and 3 markets');
  expect(String(volumeByEventChart(frame, { top: 1 }))).toContain(
    'Not drawn: 1 smaller event and markets without one, with 30.0% of it',
  );
  expect(String(volumeByEventChart(frame, { top: 2 }))).toContain(
    'Not drawn: markets without an event with 10.0% of it',
  );
});

it('the distribution of volume says what is most common, not what most are', () => {
  expect(String(volumeDistributionChart(marketsOf([3, 15, 16, 500, 70_000])))).toContain(
    'The most common size is $10 to $20, 40.0% of markets; $50k to $100k holds the most volume, 99.2%.',
  );
});

it('lifetimes tell markets that closed before they opened from those that are open', () => {
  const day = (at: number) => `2026-01-0${at}T00:00:00Z`;
  const frame = new DataFrame({
    start_date: [day(1), day(3), day(4), day(5), day(1)],
    close_date: [day(2), day(2), day(4), null, null],
  });
  expect(String(marketLifetimesChart(frame))).toContain(
    'Left out: 2 markets still open or without a date; 2 with a close no later than the opening',
  );
});

it('the median lifetime of an even number of markets lies between the two in the middle', () => {
  const day = (at: number) => `2026-01-0${at}T00:00:00Z`;
  const frame = new DataFrame({ start_date: [day(1), day(1)], close_date: [day(2), day(4)] });
  expect(String(marketLifetimesChart(frame))).toContain('Half of 2 closed markets took up to 2 days');
});

it('lifetimes are told in the greatest unit that they fill twice when rounded', () => {
  const told = [59.7, 119.4, 119.6, 47.8 * 60].map((minutes) => {
    const dateOf = (after: number) => new Date(Date.UTC(2026, 0, 1) + 60_000 * after).toISOString();
    const frame = new DataFrame({ start_date: Array(9).fill(dateOf(0)), close_date: Array(9).fill(dateOf(minutes)) });
    return /took up to (.*?);/.exec(String(marketLifetimesChart(frame)))?.[1];
  });
  expect(told).toEqual(['1 hour', '119 minutes', '2 hours', '2 days']);
});

it('lifetimes of minutes and of decades have bars of their own', () => {
  const minutes = [5, 10, 15, 15, 19, 90, 90, 5_256_000];
  const dateOf = (at: number) => new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString();
  const frame = new DataFrame({ start_date: minutes.map(() => dateOf(0)), close_date: minutes.map(dateOf) });
  const chart = marketLifetimesChart(frame);
  expect(String(chart)).toContain('took up to 17 minutes; the middle half, 14 minutes to 90 minutes');
  const { values } = chart.spec.data as { values: { span: string; markets: number }[] };
  expect(values.flatMap(({ span, markets }) => (markets > 0 ? [[span, markets]] : []))).toEqual([
    ['5 minutes to 15 minutes', 2],
    ['15 minutes to 30 minutes', 3],
    ['1 hour to 3 hours', 2],
    ['2,920 days to 5,840 days', 1],
  ]);
});

it('lifetimes of none but markets that closed before they opened say so', () => {
  const frame = new DataFrame({
    start_date: ['2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z'],
    close_date: ['2026-01-01T00:00:00Z', null],
  });
  expect(String(marketLifetimesChart(frame))).toBe(
    'Chart: Lifetime of markets. There is no market that closed after its opening. ' +
      'Left out: 1 market still open or without a date; 1 with a close no later than the opening.',
  );
});

describe('long labels', () => {
  const long = (middle: string) =>
    `will-the-federal-reserve-cut-rates-by-${middle}-basis-points-at-its-next-meeting-2026`;

  it('are cut in the middle', () => {
    expect(shortLabels([long('25'), 'short', `0x${'ab'.repeat(20)}`])).toEqual([
      'will-the-federal-rese…ts-next-meeting-2026',
      'short',
      '0xabab…abab',
    ]);
  });

  it('are told apart by what differs', () => {
    const labels = shortLabels([long('25'), long('50'), long('none, or any number of')]);
    expect(labels).toEqual([
      expect.stringContaining('25'),
      expect.stringContaining('50'),
      expect.stringContaining('none'),
    ]);
    expect(Math.max(...labels.map((label) => label.length))).toBeLessThanOrEqual(44);
  });

  it('stay distinct whatever they are', () => {
    const pieces = fc.constantFrom('a', 'b', '0x', 'c0ffee', '-and-a-very-long-piece-of-a-slug', '…', '\u202e', '😀');
    const name = fc.array(pieces, { maxLength: 9 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
        expect(new Set(shortLabels(names)).size).toBe(names.length);
      }),
    );
  });

  it('stand at the axes of our charts, each for its own', async () => {
    const slugs = Array.from(
      { length: 9 },
      (_, at) => `${long('x'.repeat(9))}-or-later-than-that-${at}-of-nine-in-all-of-them`,
    );
    const ones = slugs.map(() => 1);
    const frame = new DataFrame({
      ...{ event_slug: slugs, proxy_wallet: slugs, date: slugs.map(() => '2026-01-01T00:00:00Z') },
      ...{ volume_total: ones, pnl: ones, invested: ones, wins: ones, losses: ones },
    });
    const charts = [
      volumeByEventChart(frame),
      winRateChart(frame, { by: 'event_slug' }),
      leaderboardChart(frame, { by: 'event_slug' }),
      roiByWalletChart(frame),
      cumulativePnlChart(frame.head(8) as DataFrame),
    ];
    for (const chart of charts) {
      const labels = wordsOf(await chart.toSvg()).filter((text) => /^will[- ]the/i.test(text));
      expect(new Set(labels).size).toBe(chart === charts.at(-1) ? 8 : 9);
    }
  });
});

describe('what is missing or nothing', () => {
  const nobody = new DataFrame({
    ...{ date: ['2026-01-01T00:00:00Z'], proxy_wallet: [null], event_slug: [null] },
    ...{ volume_total: [7], pnl: [1], invested: [1], wins: [1], losses: [1] },
  });
  it.each<[string, (frame: DataFrame) => Chart]>([
    ['without an event', volumeByEventChart],
    ['none', roiByWalletChart],
    ['none', leaderboardChart],
    ['none', (frame) => winRateChart(frame, { by: 'event_slug' })],
    ['Cumulative realized PnL', cumulativePnlChart],
  ])('is called %j', async (name, make) => {
    const words = wordsOf(await make(nobody).toSvg());
    expect(words).toContain(name);
    expect(words.join(' ')).not.toMatch(/NaN|null/);
  });

  it('has no share', () => {
    const chart = volumeByEventChart(new DataFrame({ event_slug: ['a', 'b'], volume_total: [0, 0] }));
    expect(String(chart)).toContain('There is no market with a trade');
  });

  it('is pale in a calendar', async () => {
    const days = new DataFrame({ date: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'], pnl: [0, 0.001] });
    expect(await calendarChart(days).toSvg()).not.toMatch(/#1f83c4|#d4651a|NaN/);
  });
});

it('small dollars are dollars, not micro- or millidollars', async () => {
  const pnl = new DataFrame({ date: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'], pnl: [0.0002, 0.0003] });
  const words = wordsOf(await cumulativePnlChart(pnl).toSvg());
  expect(words).toContain('$0.0004');
  expect(words.filter((text) => /^-?\$[\d.]+[mµun]/.test(text))).toEqual([]);
});

it('a text cannot turn the reading direction', async () => {
  const turned = new DataFrame({ event_slug: ['ab\u202egnp.exe', '\u2066cd\u2069'], volume_total: [1, 2] });
  const chart = volumeByEventChart(turned, { title: 'Vol\u202eume \u200fby' });
  expect(await chart.toSvg()).not.toMatch(/\p{Bidi_Control}/u);
  expect([chart.spec.title, chart.spec.description].map((part) => JSON.stringify(part)).join()).not.toMatch(
    /\p{Bidi_Control}/u,
  );
  expect(wordsOf(await chart.toSvg())).toEqual(expect.arrayContaining(['Volume by', 'Abgnp.exe', 'cd']));
});

it('a calendar in a narrow place has its months apart', async () => {
  const days = Array.from({ length: 120 }, (_, at) => new Date(Date.UTC(2024, 11, 20) + at * 86_400_000).toISOString());
  const svg = await calendarChart(new DataFrame({ date: days, pnl: days.map((_, at) => at - 50) })).toSvg();
  expect(wordsOf(svg)).toEqual(expect.arrayContaining(['2025', 'Jan', 'Feb', 'Mar']));
});

it('an order that lasts a little is not said to last', () => {
  const drawn = (correlation: number, low: number, high: number) => {
    const pairs = new DataFrame({
      proxy_wallet: ['a', 'b', 'c', 'd'],
      first: [1, 2, 3, 4],
      second: [1, 2, 3, 4],
    });
    const found = { correlation, low, high, confidence: 0.95, wallets: 4, leftOut: 0, at: '2026-01-01', pairs };
    return String(halvesChart(found as unknown as Parameters<typeof halvesChart>[0]));
  };
  expect(drawn(0.15, 0.06, 0.24)).toMatch(/of 4 wallets: the order lasts a little/);
  expect(drawn(0.65, 0.59, 0.7)).toMatch(/the order lasts(?! a little)/);
  expect(drawn(-0.2, -0.3, -0.1)).toMatch(/the order turns a little/);
  expect(drawn(0.2, -0.1, 0.4)).toContain('not told from luck');
});

it('the interval of a wallet that lost its stakes ends at -100%, in whatever weeks they were paid', () => {
  const weeks = Array.from({ length: 24 }, (_, week) => week);
  const frame = new DataFrame({
    date: weeks.map((week) => new Date(Date.UTC(2025, 0, 6 + 7 * week)).toISOString()),
    proxy_wallet: weeks.map(() => `0x${'a'.repeat(40)}`),
    invested: weeks.map((week) => (week < 22 ? 100 * (1 + (week % 5)) : 0)),
    pnl: weeks.map((week) => (week < 2 ? 0 : -100 * (1 + ((week - 2) % 5)))),
    wins: weeks.map(() => 0),
    losses: weeks.map(() => 1),
  });
  const [interval] = roiIntervals(frame, [`0x${'a'.repeat(40)}`], 0.95) ?? [];
  expect(interval?.low).toBe(-1);
  expect(interval?.high).toBeLessThan(-0.3);
});

it('a wallet whose stakes were paid before its records has a return, but no interval that would not hold it', () => {
  const weeks = Array.from({ length: 24 }, (_, week) => week);
  const wallets = ['a', 'b'].map((letter) => `0x${letter.repeat(40)}`);
  const frame = new DataFrame({
    date: wallets.flatMap(() => weeks.map((week) => new Date(Date.UTC(2025, 0, 6 + 7 * week)).toISOString())),
    proxy_wallet: wallets.flatMap((wallet) => weeks.map(() => wallet)),
    invested: wallets.flatMap(() => weeks.map(() => 100)),
    pnl: wallets.flatMap((_, at) => weeks.map((week) => (at === 0 ? -275 : week % 2 ? 30 : -20))),
  });
  const [earlier, whole] = roiIntervals(frame, wallets, 0.95) ?? [];
  expect(earlier).toEqual({ low: Number.NaN, high: Number.NaN });
  expect(whole?.low).toBeLessThan(0.05);
  expect(whole?.high).toBeGreaterThan(0.05);
  expect(String(roiByWalletChart(frame))).toContain('of 1 interval lie above 0');
});
