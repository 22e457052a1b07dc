import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { packageRoot } from '../src/base/packages.js';

// Runs the example notebooks on the sample market, stores them with their outputs, and takes the README's pictures from
// these: `npm run notebooks`. test/e2e/demo.test.ts checks that the outputs are up to date.

interface Notebook {
  cells: { source: string[]; outputs?: { data?: Record<string, string | string[]> }[] }[];
}

const [stored, images] = [join(packageRoot(), 'notebooks'), join(packageRoot(), 'docs', 'images')];
const folder = mkdtempSync(join(tmpdir(), 'oddslab-notebooks-'));
try {
  const out = join(folder, 'out');
  const command = [join(packageRoot(), 'dist', 'cli', 'main.js'), 'demo', '--data', join(folder, 'data'), '--out', out];
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`The notebooks did not run: exit code ${status}.`);
  for (const name of readdirSync(out).filter((each) => each.endsWith('.ipynb'))) {
    copyFileSync(join(out, name), join(stored, name));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
mkdirSync(images, { recursive: true });
writeFileSync(
  join(images, 'chart.svg'),
  outputOf('02-wallet-track-record', 'cumulativePnlChart(daily)', 'image/svg+xml'),
);
await photograph(outputOf('03-skill-or-luck', 'const board = leaderboard', 'text/html'), join(images, 'table.png'));

/** The output, in one media type, of the cell that begins with some code. */
function outputOf(name: string, code: string, mime: string): string {
  const { cells } = JSON.parse(readFileSync(join(stored, `${name}.ipynb`), 'utf8')) as Notebook;
  const cell = cells.find(({ source }) => source.join('').startsWith(code));
  const shown = cell?.outputs?.find(({ data }) => data && mime in data)?.data?.[mime];
  if (shown === undefined) throw new Error(`${name}: no ${mime} below ${code}.`);
  return [shown].flat().join('');
}

async function photograph(html: string, path: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage({ deviceScaleFactor: 2, viewport: { width: 900, height: 600 } });
    await page.setContent(`<body style="margin:12px;display:inline-block;font:14px sans-serif">${html}</body>`);
    await page.locator('body').screenshot({ path });
  } finally {
    await browser.close();
  }
}
