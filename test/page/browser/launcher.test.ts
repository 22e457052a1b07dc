import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labStarters } from '../../../src/cli/lab-starters.js';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { simulate } from '../../../src/service/sample/simulate-sample.js';
import { type Service, serve } from '../../../src/service/serve-folder.js';
import { axeFindings } from './axe.js';
import { isPageAbsent, openPage } from './open-page.js';

const SECTION = '.jp-Launcher-section:has([data-category="Oddslab"])';
const EXAMPLE = '04-market-volume.ipynb';

describe.skipIf(isPageAbsent('the launcher'))('the launcher', () => {
  let folder: string;
  let data: string;
  let wallet: string;
  let service: Service | undefined;
  // Filled before the page opens.
  const env: Record<string, string> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oddslab-launcher-'));
    data = join(folder, 'data');
    const { files } = await simulate({ out: join(folder, 'sample'), markets: 60, wallets: 20, fills: 3000 });
    const { version } = await ingest({ folder: data, inputs: files });
    wallet = version.manifest.busiest[0] ?? '';
    service = await serve({ folder: data, port: 0, open: true });
    env.ODDSLAB_URL = service.url;
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const lab = openPage({
    files: { 'examples/README.md': '', [`examples/${EXAMPLE}`]: readFileSync(join('notebooks', EXAMPLE), 'utf8') },
    env,
    starters: (study) => labStarters({ folder: study, data, wallets: [] }),
  });
  const card = (title: string) => lab.page.locator(`${SECTION} .jp-LauncherCard`).filter({ hasText: title });

  it('offers notebooks on the data at hand, and the examples', async () => {
    await lab.fresh();
    const cards = lab.page.locator(`${SECTION} .jp-LauncherCard`);
    await cards.first().waitFor();
    expect(await cards.allInnerTexts()).toEqual([
      'Wallet tear sheet',
      "A wallet's PnL",
      'Compare wallets',
      'Markets',
      'Where is the volume?',
    ]);
    expect(await card('Markets').getAttribute('title')).toBe('the largest markets, and where the volume is');
    expect(await axeFindings(lab.page, SECTION)).toEqual([]);
  });

  it('makes a notebook whose cells run as they are, to a chart', async () => {
    await lab.fresh();
    await card("A wallet's PnL").click();
    await lab.kernelIdle();
    await lab.menu('Run', 'Run All Cells');
    const charts = lab.page.locator('.jp-Notebook .jp-OutputArea-output svg.marks, .jp-Notebook .jp-RenderedSVG img');
    await charts.nth(1).waitFor();
    await lab.kernelIdle();
    expect(await lab.page.locator('.jp-RenderedText[data-mime-type*="error"]').count()).toBe(0);
    expect(readFileSync(join(lab.folder, 'wallet-pnl.ipynb'), 'utf8')).toContain(wallet);
    // After a reload it is still one whose outputs this user has made.
    await lab.save();
    await expect.poll(() => readFileSync(join(lab.folder, 'wallet-pnl.ipynb'), 'utf8')).toContain('image/svg+xml');
    await lab.page.reload();
    await charts.first().waitFor();
    expect(
      await lab.page.locator('.jp-StatusBar-TrustedIcon, [title*="trusted"]').first().getAttribute('title'),
    ).toMatch(/^Notebook trusted/);
  });

  it('takes another name where one is taken, in the folder at hand, and is done by keyboard', async () => {
    await lab.fresh();
    await card('Markets').press('Enter');
    await lab.page.locator('.lm-TabBar-tabLabel', { hasText: /^markets\.ipynb$/ }).waitFor();
    await lab.kernelIdle();
    await lab.command('Markets');
    await lab.page.locator('.lm-TabBar-tabLabel', { hasText: /^markets-2\.ipynb$/ }).waitFor();
    await lab.page.locator('.jp-NotebookPanel:not(.lm-mod-hidden) [data-status="idle"]').first().waitFor();
    expect(readdirSync(lab.folder).filter((name) => name.startsWith('markets'))).toEqual([
      'markets-2.ipynb',
      'markets.ipynb',
    ]);
  });

  it('opens an example notebook', async () => {
    await lab.fresh();
    await card('Where is the volume?').click();
    await lab.page.locator('.jp-Notebook h1', { hasText: 'Where is the volume?' }).waitFor();
    await lab.page.locator('.lm-TabBar-tabLabel', { hasText: EXAMPLE }).waitFor();
  });
});
