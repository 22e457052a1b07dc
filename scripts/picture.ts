import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { packageRoot } from '../src/base/packages.js';
import { firstLineOf } from '../test/support/run-command.js';

// Takes the README's picture of the notebook page, with the fourth example notebook run on the sample market:
// `npm run picture`.

const picture = join(packageRoot(), 'docs', 'images', 'lab.png');
const folder = mkdtempSync(join(tmpdir(), 'oddslab-picture-'));
let lab: ChildProcess | undefined;
let browser: Browser | undefined;
try {
  const words = [
    'lab',
    join(folder, 'study'),
    '--data',
    join(folder, 'data'),
    '--sample',
    '--no-browser',
    '--port',
    '0',
  ];
  lab = spawn(process.execPath, [join(packageRoot(), 'dist', 'cli', 'main.js'), ...words], {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = new URL(await firstLineOf(lab));
  address.pathname = '/lab/tree/examples/04-market-volume.ipynb';
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' });
  await page.goto(address.href);
  await runAll(page);
  await page.screenshot({ path: picture });
  console.error(`${picture}: ${statSync(picture).size} bytes`);
} finally {
  await browser?.close();
  lab?.kill('SIGTERM');
  if (lab && lab.exitCode === null) await new Promise((done) => lab?.once('close', done));
  rmSync(folder, { recursive: true, force: true });
}

/** Runs the open notebook and shows its first chart. */
async function runAll(page: Page): Promise<void> {
  const isIdle = '.jp-Notebook-ExecutionIndicator[data-status="idle"]';
  await page.waitForSelector(isIdle);
  await page.locator('.lm-MenuBar-itemLabel').getByText('Run', { exact: true }).click();
  await page.locator('.lm-Menu-itemLabel').getByText('Run All Cells', { exact: true }).click();
  await page.locator('.jp-InputPrompt').filter({ hasText: '[10]' }).waitFor();
  await page.waitForSelector(isIdle);
  // The run ends at the last cell: back to the table of events, with the chart below it.
  const heading = page.locator('.jp-MarkdownOutput h2', { hasText: 'By event' });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Home');
  await page.locator('.jp-MarkdownOutput h1').waitFor();
  await page.waitForTimeout(1000);
  await page.mouse.move(760, 500);
  const top = async () => (await heading.count()) && ((await heading.first().boundingBox())?.y ?? 0);
  for (let y = await top(); y === 0 || y > 110; y = await top()) {
    await page.mouse.wheel(0, 40);
    await page.waitForTimeout(150);
  }
  await page.mouse.move(1278, 858);
  await page.waitForTimeout(500);
}
