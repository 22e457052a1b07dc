import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { winRate } from '../../../src/analysis/win-rate.js';
import { cumulativePnlChart } from '../../../src/charts/cumulative-pnl-chart.js';
import type { Chart } from '../../../src/charts/drawing/chart.js';
import { toHtml } from '../../../src/frame/display/frame-html.js';
import { exportHtml } from '../../../src/notebook/export/export-html.js';
import type { Cell, Notebook, Output } from '../../../src/notebook/format/nbformat.js';
import { type TearSheet, tearSheet } from '../../../src/report/tear-sheet.js';
import { axeFindings } from '../../page/browser/axe.js';
import { daysOf, pnlFrame, WALLET } from '../../report/sheet-frames.js';
import { isAbsent } from '../../support/is-absent.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { makeNotebook } from '../make-notebook.js';

const NOTEBOOKS = fileURLToPath(new URL('../../../notebooks', import.meta.url));
const CHROMIUM = '/usr/bin/chromium';

const TIP = "document.querySelector('.chart-tip').innerText";

/** Waits until the page has told its scripts that it was scrolled, at which tips go. */
const SCROLLED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** What a kernel hands over of a value that shows itself. */
async function shown(value: Chart | TearSheet): Promise<Output> {
  const show = Reflect.get(value, Symbol.for('Jupyter.display')) as () => object | Promise<object>;
  return { output_type: 'execute_result', data: await show.call(value), metadata: {}, execution_count: 1 };
}

/** A notebook with a table that is shown twice, a chart and a tear sheet. */
async function study(): Promise<Notebook> {
  const pnl = pnlFrame(daysOf(300, { edge: 0.1 }));
  const notebook = makeNotebook('# A study', 'pnl', 'pnl', 'cumulativePnlChart(pnl)', 'tearSheet(pnl)');
  const table = { output_type: 'display_data', data: { 'text/html': toHtml(pnl) }, metadata: {} } as Output;
  const outputs = [table, table, await shown(cumulativePnlChart(pnl)), await shown(await tearSheet(pnl))];
  const [heading, ...cells] = notebook.cells;
  const run = cells.map((cell, at) => ({ ...cell, outputs: outputs.slice(at, at + 1) }));
  return { ...notebook, cells: [heading, ...run] as Cell[] };
}

describe.skipIf(isAbsent(CHROMIUM, 'exported pages in a browser'))('an exported page in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
  });
  afterAll(() => browser.close());

  /** Points at a share of a picture, and reads the tip. */
  async function tipAt(page: Page, picture: string, across: number): Promise<string> {
    const place = page.locator(picture).first();
    await place.scrollIntoViewIfNeeded();
    await page.evaluate(SCROLLED);
    const box = await place.boundingBox();
    if (box === null) throw new Error('no picture');
    await page.mouse.move(box.x + across * box.width, box.y + box.height / 2);
    return String(await page.evaluate(TIP));
  }

  it('has no finding of axe, and its charts and its tear sheet answer to the pointer, light and dark', async () => {
    const notes: string[] = [];
    const folder = await temporaryFolder();
    const options = { folder, onNote: (text: string) => notes.push(text) };
    const path = await put(folder, 'study.html', await exportHtml(await study(), 'study', options));
    expect(notes).toEqual([]);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 390]) {
        const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
        const faults: string[] = [];
        page.on('console', (message) => faults.push(message.text()));
        page.on('request', (request) => request.url().startsWith('file:') || faults.push(request.url()));
        await page.goto(pathToFileURL(path).href);
        expect(await axeFindings(page, 'html')).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        expect(await tipAt(page, 'main > section .chart-view:visible > svg', 0.6)).toMatch(/^Date: \w+ \d+, 2025\n/);
        expect(await tipAt(page, '.ts-sheet .chart-view > svg', 0.5)).toMatch(/^Day: 2025-05-3\d\nCumulative PnL: \$/);
        await page.locator('.ts-sheet .chart-reach').first().focus();
        await page.keyboard.press('End');
        expect(await page.evaluate(TIP)).toContain('Day: 2025-10-27');
        expect(faults).toEqual([]);
        await page.close();
      }
    }
  });

  it.each(readdirSync(NOTEBOOKS).filter((name) => name.endsWith('.ipynb')))(
    '%s has no finding of axe, and fits a phone',
    async (name) => {
      const folder = await temporaryFolder();
      const notebook = JSON.parse(readFileSync(join(NOTEBOOKS, name), 'utf8')) as Notebook;
      const path = await put(
        folder,
        'n.html',
        await exportHtml(notebook, name, { folder: NOTEBOOKS, onNote: () => {} }),
      );
      for (const [width, colorScheme] of [
        [1280, 'light'],
        [390, 'dark'],
      ] as const) {
        const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
        await page.goto(pathToFileURL(path).href);
        expect(await axeFindings(page, 'html')).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        await page.close();
      }
    },
  );

  it('sets columns that were printed in the letters of a terminal, and sentences as the prose around them', async () => {
    const folder = await temporaryFolder();
    const notebook = makeNotebook('1;', '2;');
    const said = (text: string): Output => ({ output_type: 'stream', name: 'stdout', text }) as Output;
    const columns = String(winRate(pnlFrame(daysOf(30))));
    const outputs = [said(`${columns}\n`), said(`Of 12 markets nine were won, ${'and so on '.repeat(40)}.\n`)];
    const cells = notebook.cells.map((cell, at) => ({ ...cell, outputs: outputs.slice(at, at + 1) }) as Cell);
    const text = await exportHtml({ ...notebook, cells }, 'said', { folder, onNote: () => {} });
    const page = await browser.newPage({ viewport: { width: 600, height: 800 } });
    await page.goto(pathToFileURL(await put(folder, 'said.html', text)).href);
    const faces = `Array.from(document.querySelectorAll('pre.stdout'), (pre) =>
      [/mono/i.test(getComputedStyle(pre).fontFamily), pre.scrollWidth > pre.clientWidth])`;
    expect(await page.evaluate(faces)).toEqual([
      [true, false],
      [false, false],
    ]);
    await page.close();
  });

  it('gives the whole of an address that is copied from a table', async () => {
    const folder = await temporaryFolder();
    const page = await browser.newPage();
    await page.goto(
      pathToFileURL(await put(folder, 'p.html', await exportHtml(await study(), 'study', { folder, onNote: () => {} })))
        .href,
    );
    const address = page.locator('.oddslab-frame .id').first();
    expect((await address.boundingBox())?.width).toBeLessThan(140);
    await address.click();
    expect(await page.evaluate('String(getSelection())')).toBe(WALLET);
    await page.close();
  });
});
