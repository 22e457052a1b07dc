import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatUsd } from '../../src/analysis/shown-result.js';
import { tearSheet } from '../../src/report/tear-sheet.js';
import { axeFindings } from '../page/browser/axe.js';
import { isAbsent } from '../support/is-absent.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { categoriesFrame, daysOf, marketsFrame, OTHER, pnlFrame, WALLET } from './sheet-frames.js';

const CHROMIUM = '/usr/bin/chromium';

describe.skipIf(isAbsent(CHROMIUM, 'the look of a tear sheet'))('a tear sheet in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
  });
  afterAll(() => browser.close());

  const weeks = Array.from({ length: 60 }, (_, at) => ({
    category: at < 30 ? 'Entertainment' : 'Sport',
    week: at % 30,
    pnl: at % 3 ? 9 : -9,
    invested: 40,
  }));
  const single = {
    pnl: pnlFrame(daysOf(400, { edge: 0.1 })),
    markets: marketsFrame([9, -4, 3], [`Will ${'something very long '.repeat(8)}happen?`]),
    categories: categoriesFrame(weeks),
  };
  const both = pnlFrame([...daysOf(200), ...daysOf(200, { seed: 5, wallet: OTHER })]);
  // Faults take a long line.
  const lacks = {
    seen: true,
    fills: 4200,
    feeless_fills: 1234,
    untracked_shares: 45_747,
    over_redeemed_shares: 43_390,
  };
  const lacking = pnlFrame([...daysOf(200), ...daysOf(200, { seed: 5, wallet: OTHER })], {
    [WALLET]: { ...lacks, redeemed_shares: 269_408 },
  });

  it.each([
    ['of one wallet', single],
    ['of two', both],
    ['of two, of which one lacks much,', lacking],
  ])('%s is legible and has no finding of axe, in light and dark, on a screen and a phone', async (_name, source) => {
    const sheet = await tearSheet(source, source === single ? WALLET : [WALLET, OTHER]);
    const path = join(await temporaryFolder(), 'w.html');
    await sheet.save(path);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 390]) {
        const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
        const asked: string[] = [];
        page.on('request', (request) => asked.push(request.url()));
        await page.goto(pathToFileURL(path).href);
        expect(asked).toEqual([pathToFileURL(path).href]);
        expect(await axeFindings(page, 'html')).toEqual([]);
        const [wide, least] = (await page.evaluate(`[
          document.documentElement.scrollWidth,
          Math.min(...[...document.querySelectorAll('svg text')].map((text) => text.getBoundingClientRect().height)),
        ]`)) as [number, number];
        expect(wide).toBeLessThanOrEqual(width);
        expect(least).toBeGreaterThan(10);
        // No table hides a part of itself, and no address breaks.
        await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
        const hidden = await page.evaluate(`Array.from(document.querySelectorAll('.ts-scroll'), (part) =>
          part.scrollWidth > part.clientWidth ? part.getAttribute('aria-label') : '').join('')`);
        expect(hidden).toBe('');
        const lines = await page.evaluate(`Math.max(...Array.from(document.querySelectorAll('.ts-wallet code'),
          (part) => part.getBoundingClientRect().height / parseFloat(getComputedStyle(part).fontSize)))`);
        expect(lines).toBeLessThan(2);
        // Nor does a category's name.
        const categories = await page.evaluate(`Array.from(document.querySelectorAll('tbody th'), (cell) => {
          const words = document.createRange();
          words.selectNodeContents(cell);
          return [cell.textContent, words.getClientRects().length];
        }).filter(([name]) => name === 'Entertainment')`);
        expect(categories).toEqual(source === single ? [['Entertainment', 1]] : []);
        await page.close();
      }
    }
    const page = await browser.newPage({ colorScheme: 'dark' });
    await page.goto(pathToFileURL(path).href);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    // Between the margins of A4: nothing is wider, and no word is smaller than 7.5 points.
    await page.setViewportSize({ width: 688, height: 1000 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(688);
    const sizes = `Array.from(document.querySelectorAll('.ts-sheet *'), (part) => parseFloat(getComputedStyle(part).fontSize))`;
    expect(await page.evaluate(`Math.min(...${sizes})`)).toBeGreaterThanOrEqual(9.99);
    expect((await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(
      5,
    );
    await page.close();
  });

  /** Moves the pointer to a share of a chart of the page, and reads what its tip says and where its mark is. */
  async function pointAt(page: Page, chart: number, across: number, down = 0.5): Promise<[string, number, number]> {
    const picture = page.locator('.chart-view > svg').nth(chart);
    await picture.scrollIntoViewIfNeeded();
    // At a scroll, of which the page tells its scripts later, tips go.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const box = await picture.boundingBox();
    if (box === null) throw new Error('no picture');
    await page.mouse.move(box.x + across * box.width, box.y + down * box.height);
    return (await page.evaluate(`(() => {
      const mark = document.querySelector('.chart-hover > :last-child')?.getBoundingClientRect();
      const { left = NaN, width = NaN, height = NaN } = mark ?? {};
      return [document.querySelector('.chart-tip').innerText, (left + width / 2 - ${box.x}) / ${box.width}, width / height];
    })()`)) as [string, number, number];
  }

  it.each([1280, 390])(
    'its charts say what they hold where one points, and by the arrow keys, at %i px',
    async (width) => {
      const days = daysOf(400, { edge: 0.1 });
      const path = join(await temporaryFolder(), 'w.html');
      await (await tearSheet(single, WALLET)).save(path);
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      const faults: string[] = [];
      page.on('console', (message) => faults.push(message.text()));
      await page.goto(pathToFileURL(path).href);
      for (const day of [0, 101, 250, 399]) {
        const [said, across, roundness] = await pointAt(page, 0, day / 400);
        const total = days.slice(0, day + 1).reduce((sum, { pnl }) => sum + pnl, 0);
        expect(said).toMatch(new RegExp(`^Day: ${days[day]?.date.slice(0, 10)}\n`));
        expect(said).toContain(
          `Cumulative PnL: ${formatUsd(total)}\nPnL of the day: ${formatUsd(days[day]?.pnl ?? 0)}`,
        );
        expect(across).toBeCloseTo(day / 400, 2);
        expect(roundness).toBeCloseTo(1, 1);
      }
      const may = days.filter(({ date }) => date.startsWith('2025-05')).reduce((sum, { pnl }) => sum + pnl, 0);
      // Of 14 months, which begin at 11% of the width, May is the fifth.
      expect((await pointAt(page, 1, 0.11 + (0.89 * 4.5) / 14))[0].trim()).toBe(
        `Month: 2025-05\nPnL: ${formatUsd(may)}`,
      );
      expect((await pointAt(page, 2, 0.5))[0]).toMatch(/^Day: 2025-0[67]-\d\d\nPnL: -?\$/);
      await page.keyboard.press('Escape');
      await page.locator('.chart-reach').first().focus();
      const value = () => page.evaluate("document.activeElement.getAttribute('aria-valuetext')");
      expect(await value()).toContain('Day: 2025-01-01; Cumulative PnL: ');
      await page.keyboard.press('End');
      expect(await value()).toContain('Day: 2026-02-04; ');
      await page.keyboard.press('ArrowLeft');
      expect(await value()).toContain('Day: 2026-02-03; ');
      expect(await page.isVisible('.chart-tip')).toBe(true);
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  it('keeps its pictures without a script', async () => {
    const path = join(await temporaryFolder(), 'w.html');
    await (await tearSheet(both, [WALLET, OTHER])).save(path);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(pathToFileURL(path).href);
    const box = await page.locator('.chart-view > svg').first().boundingBox();
    expect([box?.width, box?.height]).toEqual([960, 260]);
    expect(await page.locator('.chart-reach').count()).toBe(0);
    await context.close();
  });

  it('tells two wallets apart where one points', async () => {
    const path = join(await temporaryFolder(), 'w.html');
    await (await tearSheet(both, [WALLET, OTHER])).save(path);
    const page = await browser.newPage();
    await page.goto(pathToFileURL(path).href);
    const said = new Set<string>();
    for (let down = 0.1; down < 0.95; down += 0.05) said.add((await pointAt(page, 0, 0.6, down))[0].slice(0, 19));
    expect([...said].sort()).toEqual(['Wallet: 0xaaaa…aaaa', 'Wallet: 0xbbbb…bbbb']);
    await page.close();
  });
});
