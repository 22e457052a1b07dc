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
import { leaderboardChart } from '../../src/charts/leaderboard-chart.js';
import { volumeByEventChart } from '../../src/charts/volume-by-event-chart.js';
import { isAbsent } from '../support/is-absent.js';
import { CHARTS } from './drawn-charts.js';
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

  it('Vega draws the marks of each specification where our SVG has them', async () => {
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
          place.querySelectorAll('.mark-symbol').forEach((group) => {
            if ([...group.querySelectorAll('path')].every((mark) => mark.getAttribute('opacity') === '0')) group.remove();
          });
          return [places(place.querySelector('svg')), places(still)];
        })(${JSON.stringify(chart.spec)}, ${JSON.stringify(await chart.toSvg())})`,
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

  it('a page of a calendar, and one of curves over each other, say more where one points', async () => {
    const page = await pageIn('light');
    const curves = cumulativePnlChart(samplePnl(1)).layer(cumulativePnlChart(samplePnl(1, 60)));
    const said: string[] = [];
    for (const [name, chart] of Object.entries({ calendar: calendarChart(samplePnl(1, 365)), curves })) {
      await chart.save(join(folder, `${name}.html`));
      await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
      await page.hover('[role="graphics-symbol"][aria-label^="Date: "] >> nth=40', { force: true });
      said.push(String(await page.evaluate("document.querySelector('#tip').innerText")));
    }
    expect(said).toEqual([
      expect.stringMatching(/^Date: 202\d-\d\d-\d\d\nPnL: \$[\d.]+\n*$/),
      expect.stringMatching(/^Date: \w+ \d+, 2025\nCumulative PnL: /),
    ]);
    await page.close();
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
        const { left, right, top, bottom } = document.querySelector('svg').getBoundingClientRect();
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
    await page.hover('[role="graphics-symbol"][aria-label*="Shrunken"] >> nth=0');
    expect(await page.evaluate("document.querySelector('#tip').innerText")).toMatch(
      /^Of: 0x[0-9a-f]{40}\nRank: 1\nShrunken win rate: [\d.]+%\n/,
    );
    await page.mouse.move(1, 1);
    expect(await page.isHidden('#tip')).toBe(true);
    expect(asked).toEqual([pathToFileURL(path).href]);
    expect(faults).toEqual([]);
    await page.close();
  });
});
