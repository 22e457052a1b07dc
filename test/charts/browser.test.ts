import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calendarChart } from '../../src/charts/calendar-chart.js';
import { cumulativePnlChart } from '../../src/charts/cumulative-pnl-chart.js';
import { SCHEMES } from '../../src/charts/design/theme.js';
import { utcSpec } from '../../src/charts/design/utc-spec.js';
import type { Chart } from '../../src/charts/drawing/chart.js';
import { chartFigure } from '../../src/charts/drawing/chart-figure.js';
import { CHART_SCRIPT, CHART_STYLES } from '../../src/charts/drawing/figure-script.js';
import { leaderboardChart } from '../../src/charts/leaderboard-chart.js';
import { pnlByPeriodChart } from '../../src/charts/pnl-by-period-chart.js';
import { volumeByEventChart } from '../../src/charts/volume-by-event-chart.js';
import { winRateChart } from '../../src/charts/win-rate-chart.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import * as toolkit from '../../src/index.js';
import { isAbsent } from '../support/is-absent.js';
import { BY_KIND, CHARTS, EMPTY } from './drawn-charts.js';
import { sampleMarkets, samplePnl } from './sample-frames.js';

const CHROMIUM = '/usr/bin/chromium';
const isMissing = isAbsent(CHROMIUM, 'charts in a browser');

/** A script of a package that pages load. */
function script(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url)), 'utf8');
}

/** Reads where the marks of a chart stand: what a picture says beyond its words. */
const PLACES = `(svg) => Array.from(svg.querySelectorAll('.role-mark path, .role-mark line'), (mark) =>
  ['d', 'transform', 'x2', 'y2'].map((name) => mark.getAttribute(name) ?? '').join(' '))`;

const NUMBER = /-?\d*\.?\d+(?:e-?\d+)?/g;

/** Expects the same shapes, each of their numbers within the rounding of our SVG. */
function expectSamePlaces(drawn: readonly string[], ours: readonly string[], name: string): void {
  const shapes = (places: readonly string[]) => places.map((place) => place.replace(NUMBER, '#'));
  expect(shapes(drawn), name).toEqual(shapes(ours));
  const [left, right] = [drawn, ours].map((places) => Array.from(places.join(' ').matchAll(NUMBER), Number));
  const apart = (left ?? []).map((number, at) => Math.abs(number - (right?.[at] ?? Number.NaN)));
  expect(
    apart.filter((pixels) => !(pixels <= 0.011)),
    name,
  ).toEqual([]);
}

/** Charts whose labels are at other places: wider ones, some over each other, and such without rows. */
const OTHERS: readonly [name: string, make: () => Chart][] = [
  ['wide', () => cumulativePnlChart(samplePnl(1), { width: 1400 })],
  ['small', () => pnlByPeriodChart(samplePnl(1), { width: 200, height: 120 })],
  ['wide bars', () => volumeByEventChart(sampleMarkets(30), { width: 1400 })],
  ['layered', () => pnlByPeriodChart(samplePnl(1), { by: 'month' }).layer(winRateChart(samplePnl(1), { by: 'month' }))],
  ...Object.entries(BY_KIND).flatMap(([kind, charts]) =>
    charts.map((make, at): [string, () => Chart] => [`empty ${kind} ${at}`, () => make(EMPTY[kind as 'pnl'])]),
  ),
];

it('all chart functions are among those that are drawn', () => {
  const functions = Object.keys(toolkit).filter((name) => /^[a-z]\w*Chart$|^facet$/.test(name));
  const drawn = CHARTS.map(([, make]) => String(make)).join();
  expect(functions.length).toBeGreaterThan(14);
  expect(functions.filter((name) => !new RegExp(`\\b${name}\\b`).test(drawn))).toEqual([]);
});

/** Daily PnL of a wallet. */
const curveOf = (pnl: readonly number[]) =>
  new DataFrame({
    date: pnl.map((_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString()),
    pnl: [...pnl],
  });

/** Curves whose deepest fall is early, in the middle, late, or in a few days. */
const FALLS: readonly [name: string, pnl: readonly number[]][] = [
  ['early, then much higher', Array.from({ length: 120 }, (_, day) => (day === 9 ? -90 : day < 9 ? 12 : 9))],
  ['at once', Array.from({ length: 90 }, (_, day) => (day < 6 ? -40 : 15 - (day % 4)))],
  ['in the middle', Array.from({ length: 100 }, (_, day) => (day > 40 && day < 60 ? -20 : 8))],
  ['late', Array.from({ length: 100 }, (_, day) => (day > 88 ? -30 : 6 + (day % 3)))],
  ['all the way', Array.from({ length: 60 }, (_, day) => -5 - (day % 7))],
  ['of six days', [5, -20, 60, 10, -3, 40]],
  ['a little to the left', Array.from({ length: 80 }, (_, day) => (day > 14 && day < 22 ? -50 : 14))],
];

describe.skipIf(isMissing)('in a browser', () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oddslab-charts-'));
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function pageIn(colorScheme: 'light' | 'dark'): Promise<Page> {
    return browser.newPage({ colorScheme });
  }

  it('Vega draws the marks of each published specification where our SVG has them', async () => {
    const page = await pageIn('light');
    for (const path of ['vega/build/vega.min.js', 'vega-lite/build/vega-lite.min.js']) {
      await page.addScriptTag({ content: script(path) });
    }
    for (const [name, make] of CHARTS) {
      const chart = make();
      const [drawn, ours] = (await page.evaluate(
        `(async (spec, text) => {
          const place = document.createElement('div');
          document.body.append(place);
          await new vega.View(vega.parse(vegaLite.compile(spec).spec), { renderer: 'svg' }).initialize(place).runAsync();
          const still = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
          const places = ${PLACES};
          for (const picture of [place, still])
            picture.querySelectorAll('.mark-symbol').forEach((group) => {
              if ([...group.querySelectorAll('path')].every((mark) => mark.getAttribute('opacity') === '0')) group.remove();
            });
          return [places(place.querySelector('svg')), places(still)];
        })(${JSON.stringify(utcSpec(chart.spec))}, ${JSON.stringify(await chart.toSvg())})`,
      )) as [string[], string[]];
      expect(ours.length, name).toBeGreaterThan(0);
      expectSamePlaces(drawn, ours, name);
    }
    await page.close();
  });

  it.each(['light', 'dark'] as const)(
    'an SVG has ink and paper of a %s screen, and within a page those of the page',
    async (scheme) => {
      const page = await pageIn(scheme);
      const svg = await volumeByEventChart(sampleMarkets(3)).toSvg();
      await page.setContent(`<body style="background:#123456;color:rgb(250, 240, 230)">${svg}</body>`);
      const [paper, inner] = (await page.evaluate(
        `(async (text) => {
        const image = new Image();
        image.src = 'data:image/svg+xml,' + encodeURIComponent(text);
        await image.decode();
        const canvas = document.createElement('canvas');
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        const pixel = [...context.getImageData(2, 2, 1, 1).data.slice(0, 3)];
        const hex = '#' + pixel.map((part) => part.toString(16).padStart(2, '0')).join('');
        const shown = document.querySelector('svg');
        return [hex, [getComputedStyle(shown.querySelector('text')).fill, getComputedStyle(shown.querySelector('.paper')).fill]];
      })(${JSON.stringify(svg)})`,
      )) as [string, string[]];
      expect(paper).toBe(SCHEMES[scheme].paper);
      expect(inner).toEqual(['rgb(250, 240, 230)', 'none']);
      await page.close();
    },
  );

  /** The tip at a place of the visible picture, given as shares of it. */
  async function tipAt(page: Page, across: number, down: number): Promise<string> {
    const box = await page.locator('.chart-view svg:visible').first().boundingBox();
    if (box === null) throw new Error('no picture');
    await page.mouse.move(box.x + across * box.width, box.y + down * box.height);
    return String(await page.evaluate("document.querySelector('.chart-tip').innerText"));
  }

  it('a page of a calendar, and one of curves over each other, say more where one points', async () => {
    const page = await pageIn('light');
    const curves = cumulativePnlChart(samplePnl(1)).layer(cumulativePnlChart(samplePnl(1, 60)));
    const said: string[] = [];
    for (const [name, chart] of Object.entries({ calendar: calendarChart(samplePnl(1, 365)), curves })) {
      await chart.save(join(folder, `${name}.html`));
      await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
      said.push(await tipAt(page, 0.4, 0.7));
    }
    expect(said).toEqual([
      expect.stringMatching(/^Date: 202\d-\d\d-\d\d\nPnL: [−-]?\$[\d.]+\n*$/),
      expect.stringMatching(/^Date: \w+ \d+, 2025\nCumulative PnL: /),
    ]);
    await page.close();
  });

  it('every place of a curve and of its bars finds the nearest point, and the arrow keys say them all', async () => {
    const page = await pageIn('light');
    await cumulativePnlChart(samplePnl(1)).save(join(folder, 'curve.html'));
    await page.goto(pathToFileURL(join(folder, 'curve.html')).href);
    const hits = new Set<string>();
    for (let at = 0; at < 60; at += 1) hits.add(await tipAt(page, 0.12 + at * 0.0145, 0.3 + (at % 7) * 0.07));
    expect(hits.size).toBeGreaterThan(55);
    expect(hits).not.toContain('');
    const value = () => page.evaluate("document.querySelector('.chart-reach').getAttribute('aria-valuetext')");
    const said = new Set<unknown>();
    await page.keyboard.press('Tab');
    for (let at = 0; at < 120; at += 1) {
      said.add(await value());
      await page.keyboard.press('ArrowRight');
    }
    expect(said.size).toBe(120);
    await page.keyboard.press('Home');
    expect(await value()).toMatch(/^Date: Sep 1, 2025; Cumulative PnL: /);
    await page.close();
  });

  it.each(['light', 'dark'] as const)(
    'on a %s phone no label is under 10 pixels, and axe finds no fault',
    async (scheme) => {
      const page = await browser.newPage({ colorScheme: scheme, viewport: { width: 390, height: 800 } });
      const figures: string[] = [];
      for (const [name, make] of [...CHARTS, ...OTHERS])
        figures.push(`<h2>${name}</h2>${await chartFigure(make().spec)}`);
      await page.setContent(
        `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Charts</title>` +
          `<style>:root{color-scheme:light dark}${CHART_STYLES}</style><main><h1>Charts</h1>${figures.join('')}</main></html>`,
      );
      await page.addScriptTag({ content: CHART_SCRIPT });
      const small = await page.evaluate(`Array.from(document.querySelectorAll('svg text')).flatMap((text) => {
      if (text.getClientRects().length === 0 || text.textContent === '') return [];
      const svg = text.ownerSVGElement;
      const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
      const size = parseFloat(getComputedStyle(text).fontSize) * scale;
      return size < 9.99 ? [[size, text.textContent]] : [];
    })`);
      expect(small).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.addScriptTag({ content: script('axe-core/axe.min.js') });
      const found = await page.evaluate(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
      );
      expect(found).toEqual([]);
      await page.close();
    },
  );

  it.each(FALLS)('the words of a deepest fall lie on no curve: %s', async (_name, pnl) => {
    const path = join(folder, 'fall.html');
    await cumulativePnlChart(curveOf(pnl)).save(path);
    for (const width of [1280, 390]) {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      await page.goto(pathToFileURL(path).href);
      const [words, crossed, outside] = (await page.evaluate(`(() => {
        const svg = Array.from(document.querySelectorAll('svg')).find((each) => each.getClientRects().length > 0);
        const texts = Array.from(svg.querySelectorAll('.role-mark text')).filter((text) => /Deepest/.test(text.textContent));
        const box = texts[0].getBoundingClientRect();
        const line = svg.querySelector('.mark-line path');
        const matrix = line.getScreenCTM();
        const inside = Array.from({ length: 2000 }, (_, at) =>
          line.getPointAtLength((at / 2000) * line.getTotalLength()).matrixTransform(matrix),
        ).filter(({ x, y }) => x > box.left && x < box.right && y > box.top + 2 && y < box.bottom - 1);
        const view = svg.getBoundingClientRect();
        const cut = Array.from(svg.querySelectorAll('text'), (text) => text.getBoundingClientRect()).filter((text) =>
          text.left < view.left || text.right > view.right || text.top < view.top || text.bottom > view.bottom);
        return [texts.length, inside.length, cut.length > 0];
      })()`)) as [number, number, boolean];
      expect([width, words, crossed, outside]).toEqual([width, 1, 0, false]);
      await page.close();
    }
  });

  it('a saved page holds its chart in the middle, whole on a narrow screen, and follows light and dark', async () => {
    const path = join(folder, 'centred.html');
    await cumulativePnlChart(samplePnl(1)).save(path);
    for (const [width, scheme] of [
      [1280, 'light'],
      [1280, 'dark'],
      [400, 'dark'],
    ] as const) {
      const page = await pageIn(scheme);
      await page.setViewportSize({ width, height: 800 });
      await page.goto(pathToFileURL(path).href);
      const [left, right, top, bottom, most, paper] = (await page.evaluate(`(() => {
        const { left, right, top, bottom } = Array.from(document.querySelectorAll('svg')).find((svg) => svg.getClientRects().length > 0).getBoundingClientRect();
        return [left, innerWidth - right, top, innerHeight - bottom, document.documentElement.scrollWidth,
          getComputedStyle(document.body).backgroundColor];
      })()`)) as [number, number, number, number, number, string];
      expect(left).toBeCloseTo(right, 0);
      expect(top).toBeCloseTo(bottom, 0);
      expect(most).toBe(width);
      expect(left).toBeGreaterThanOrEqual(width === 400 ? 8 : 100);
      expect(paper).toBe(scheme === 'dark' ? 'rgb(22, 24, 29)' : 'rgb(255, 255, 255)');
      expect(await page.title()).toBe('Cumulative realized PnL of 0xaaaa…aaaa');
      await page.close();
    }
  });

  it('a saved page shows what a mark says, and asks for nothing', async () => {
    const path = join(folder, 'leaderboard.html');
    await leaderboardChart(samplePnl(3, 8), { title: '</title><script>document.title = 1</script>' }).save(path);
    const page = await pageIn('dark');
    const [asked, faults]: [string[], string[]] = [[], []];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(pathToFileURL(path).href);
    expect(await tipAt(page, 0.4, 0.58)).toMatch(/^Wallet: 0x[0-9a-f]{40}\nRank: \d\nShrunken win rate: [\d.]+%\n/);
    await page.mouse.move(1, 1);
    expect(await page.isHidden('.chart-tip')).toBe(true);
    expect(asked).toEqual([pathToFileURL(path).href]);
    expect(faults).toEqual([]);
    await page.close();
  });
});
