import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ingest } from '../../src/service/ingest/ingest-inputs.js';
import { simulate } from '../../src/service/sample/simulate-sample.js';
import { freePort } from '../support/free-port.js';
import { isAbsent } from '../support/is-absent.js';
import { endOf, startCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';
import { runningCommands } from '../support/running-commands.js';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
const WHAT = 'a notebook in Jupyter in a browser';
const isMissing = isAbsent('/usr/bin/jupyter-notebook', WHAT) || isAbsent(CHROMIUM, WHAT);

const folder = mkdtempSync(join(tmpdir(), 'oddslab-browser-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a test looks for, within the last cell that has an output of that kind. */
const OUTPUT = {
  result: '.output_result',
  table: '.output_html table',
  chart: '.output_svg svg, .output_area svg',
  error: '.output_error',
  printed: '.output_stdout',
};

describe.skipIf(isMissing)('a notebook in Jupyter Notebook', () => {
  let lab: ChildProcess;
  let ended: ReturnType<typeof endOf>;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    const prefix = join(folder, 'prefix');
    await runHere(['kernel', 'install', '--prefix', prefix], { HOME: folder });
    // As in the sample, questions are long.
    const { files } = await simulate({ out: join(folder, 'sample'), markets: 200, wallets: 20, fills: 4000 });
    await ingest({ folder: join(folder, 'data'), inputs: files });
    const port = await freePort();
    const words = ['lab', join(folder, 'study'), '--data', join(folder, 'data'), '--no-browser', '--jupyter'];
    lab = startCommand([...words, '--port', String(port)], {
      ...{ HOME: folder, JUPYTER_PATH: join(prefix, 'share', 'jupyter'), JUPYTER_TOKEN: 'loopback' },
    });
    ended = endOf(lab);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    const list = await browser.newPage({ viewport: { width: 1200, height: 1900 } });
    await untilServed(port);
    await list.goto(`http://127.0.0.1:${port}/tree?token=loopback`);
    await list.click('#new-dropdown-button');
    const opened = list.waitForEvent('popup');
    await list.click('#new-menu a:has-text("TypeScript (Oddslab)")');
    page = await opened;
    page.on('pageerror', (error) => faults.push(error.message));
    await page.waitForSelector('#kernel_indicator_icon.kernel_idle_icon');
    await page.click('.code_cell .CodeMirror');
  });

  afterAll(async () => {
    await browser?.close();
    lab?.kill('SIGTERM');
    const { code } = await ended;
    expect(code).toBe(0);
    expect(runningCommands().filter((line) => line.includes(folder))).toEqual([]);
  });

  /** Types into the selected cell, which is empty, and runs it; the next one is selected then. */
  async function run(code: string): Promise<void> {
    await page.keyboard.insertText(code);
    await page.keyboard.press('Shift+Enter');
  }

  const selectedCode = () => page.evaluate('Jupyter.notebook.get_selected_cell().get_text()');
  const shown = (kind: keyof typeof OUTPUT) => page.locator(OUTPUT[kind]).last();

  test('runs a cell that is typed, and colours it', async () => {
    await page.keyboard.type('const answer: number = 6 * 7;');
    await page.keyboard.press('Enter');
    await run('answer');
    expect((await shown('result').textContent())?.trim()).toBe('42');
    const coloured = page.locator('.code_cell').first();
    expect(await coloured.locator('.cm-keyword').allTextContents()).toEqual(['const']);
    expect(await coloured.locator('.cm-number').allTextContents()).toEqual(['6', '7']);
    expect(await page.locator('#kernel_logo_widget img').getAttribute('src')).toMatch(/oddslab\/logo-64x64\.png/);
  });

  test('shows a frame as a table, in rows of one line without stripes', async () => {
    await run(`import { openLab, topN, volumeByEventChart } from 'oddslab';
const lab = await openLab();
const markets = await lab.markets({ closed: true }).frame();
topN(markets, 5, 'volume_total').loc({ columns: ['question', 'volume_total', 'close_date'] })`);
    const table = shown('table');
    await table.waitFor();
    expect(await table.locator('thead th').allTextContents()).toEqual(['question', 'volume_total', 'close_date']);
    const rows = await table.locator('tbody tr').evaluateAll((all) =>
      all.map((row) => ({
        height: row.getBoundingClientRect().height,
        background: getComputedStyle(row).backgroundColor,
      })),
    );
    expect(rows.length).toBe(5);
    expect(rows.filter(({ height }) => height > 30)).toEqual([]);
    expect([...new Set(rows.map(({ background }) => background))]).toEqual(['rgba(0, 0, 0, 0)']);
  });

  test('shows a chart', async () => {
    await run("volumeByEventChart(markets, { top: 10, title: 'Volume by event' })");
    const chart = shown('chart');
    await chart.waitFor();
    expect(await chart.textContent()).toContain('Volume by event');
    const { width = 0, height = 0 } = (await chart.boundingBox()) ?? {};
    expect(width > 300 && height > 150, `${width} x ${height}`).toBe(true);
  });

  test('completes by Tab', async () => {
    await page.keyboard.type('answer.to');
    await page.keyboard.press('Tab');
    const offered = page.locator('#complete option');
    await offered.first().waitFor();
    expect(await offered.allTextContents()).toEqual(expect.arrayContaining(['toFixed', 'toPrecision', 'toString']));
    await page.keyboard.press('Escape');
    await offered.first().waitFor({ state: 'detached' });
    await page.keyboard.type('F');
    await page.keyboard.press('Tab');
    // The only one that there is is put in at once.
    await expect.poll(selectedCode).toBe('answer.toFixed');
    await run('(1)');
    await expect.poll(() => shown('result').textContent()).toContain("'42.0'");
  });

  test('tells by Shift+Tab what a name is', async () => {
    await page.keyboard.type('volumeByEventChart');
    await page.keyboard.press('Shift+Tab');
    const tooltip = page.locator('#tooltip');
    await expect.poll(() => tooltip.textContent()).toContain('volumeByEventChart');
    expect(await tooltip.textContent()).toMatch(/function|\(.*\): /);
    const picture = join(folder, 'notebook.png');
    await page.screenshot({ path: picture });
    expect(statSync(picture).size).toBeGreaterThan(20_000);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+Enter');
  });

  test('interrupts an endless loop by the menu, and keeps the state', async () => {
    await run("console.log('in it'); await new Promise((go) => setTimeout(go, 100)); while (true) {}");
    await expect.poll(() => shown('printed').textContent()).toContain('in it');
    await page.click('#kernellink');
    await page.click('#int_kernel');
    await shown('error').waitFor();
    expect(await shown('error').textContent()).toMatch(/interrupt/i);
    await page.locator('.code_cell.selected .CodeMirror').click();
    await run('answer + 1');
    await expect.poll(() => shown('result').textContent()).toContain('43');
  });

  test('restarts by the menu, and forgets the state', async () => {
    await page.click('#kernellink');
    await page.click('#restart_kernel');
    await page.click('.modal-footer .btn-danger');
    await page.waitForSelector('.modal-dialog', { state: 'detached' });
    await page.waitForSelector('#kernel_indicator_icon.kernel_idle_icon');
    await page.locator('.code_cell.selected .CodeMirror').click();
    await run('typeof answer');
    await expect.poll(() => shown('result').textContent()).toContain("'undefined'");
    expect(faults).toEqual([]);
  });
});

async function untilServed(port: number): Promise<void> {
  while (!(await fetch(`http://127.0.0.1:${port}/api`).then(Boolean, () => false))) {
    await new Promise((done) => setTimeout(done, 100));
  }
}
