import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isPageAbsent, notebookOf, openPage } from './open-page.js';

describe.skipIf(isPageAbsent('the notebook page as a whole'))('the notebook page as a whole', () => {
  const lab = openPage({
    files: {
      'long.ipynb': notebookOf([
        { cell_type: 'markdown', source: '# Markets' },
        '1',
        { cell_type: 'markdown', source: '## Closed ones' },
        '2',
      ]),
    },
  });
  const press = (key: string) => lab.page.keyboard.press(key);
  const theme = () => lab.page.evaluate('document.body.dataset.jpThemeName');
  /** Waits until a theme is shown, and until JupyterLab's splash has gone, which stumbles over the next one. */
  const shows = async (name: string) => {
    await expect.poll(theme).toBe(name);
    await lab.page.locator('#jupyterlab-splash').waitFor({ state: 'detached' });
  };

  test('is ours by name and logo', async () => {
    expect(await lab.page.title()).toContain('Oddslab');
    await lab.page.locator('#jp-MainLogo svg').waitFor();
  });

  test("follows the system's colours, light and dark, until a theme is chosen", async () => {
    await shows('JupyterLab Light');
    await lab.page.emulateMedia({ colorScheme: 'dark' });
    await shows('JupyterLab Dark');
    await lab.page.emulateMedia({ colorScheme: 'light' });
    await shows('JupyterLab Light');
  });

  test('runs any command by its palette', async () => {
    await lab.command('Use Theme: JupyterLab Dark');
    await shows('JupyterLab Dark');
    await lab.command('Use Theme: JupyterLab Light');
    await shows('JupyterLab Light');
  });

  test('keeps settings that are changed, in its editor', async () => {
    await press('Control+,');
    await lab.page.locator('.jp-PluginList-entry').filter({ hasText: 'Theme' }).first().click();
    await lab.page.locator('.jp-SettingsPanel').getByText('Synchronize').first().waitFor({ state: 'attached' });
    const path = '/lab/api/settings/@jupyterlab/apputils-extension:themes';
    const raw = async () => ((await (await lab.ask(path)).json()) as { raw: string }).raw;
    await lab.command('Use Theme: JupyterLab Dark');
    await expect.poll(raw).toContain('JupyterLab Dark');
    await lab.page.reload();
    await shows('JupyterLab Dark');
    await lab.command('Use Theme: JupyterLab Light');
    await shows('JupyterLab Light');
  });

  test('lists the headings of a notebook, and leads there', async () => {
    await lab.openNotebook('long.ipynb');
    await lab.page.locator('.lm-TabBar-tab[data-id="table-of-contents"]').click();
    const headings = lab.page.locator('.jp-TableOfContents .jp-tocItem-content');
    await expect
      .poll(() => headings.allTextContents())
      .toEqual([expect.stringContaining('Markets'), expect.stringContaining('Closed ones')]);
    await headings.last().click();
    await expect
      .poll(() => lab.page.locator('.jp-Notebook .jp-Cell.jp-mod-active').textContent())
      .toContain('Closed ones');
  });

  test('opens a notebook alone, by its own address', async () => {
    await lab.page.goto(`${lab.url}/doc/tree/long.ipynb`);
    await lab.page.locator('.jp-MarkdownCell h1').getByText('Markets').waitFor();
    await lab.kernelIdle();
  });

  test('says what is wrong with a notebook that is none', async () => {
    await writeFile(join(lab.folder, 'broken.ipynb'), '{"cells": [');
    await lab.load('broken.ipynb');
    const dialog = lab.page.locator('.jp-Dialog');
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain('broken.ipynb');
    await press('Escape');
    lab.takeFaults();
  });

  test('fits a narrow screen', async () => {
    await lab.page.setViewportSize({ width: 390, height: 844 });
    await lab.load('long.ipynb');
    await lab.cells.first().click();
    const { width = 0 } = (await lab.page.locator('.jp-NotebookPanel').boundingBox()) ?? {};
    expect(width).toBeGreaterThan(300);
    expect(await lab.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });

  test('closes its side panels where its window is made narrow', async () => {
    await lab.page.setViewportSize({ width: 1280, height: 844 });
    await lab.fresh('long.ipynb');
    await lab.command('Show Variables');
    await lab.page.locator('.oddslab-variables').waitFor();
    await lab.page.setViewportSize({ width: 390, height: 844 });
    await lab.page.locator('.oddslab-variables').waitFor({ state: 'hidden' });
    await expect
      .poll(async () => (await lab.page.locator('.jp-NotebookPanel').boundingBox())?.width)
      .toBeGreaterThan(300);
    await lab.page.setViewportSize({ width: 1280, height: 844 });
  });

  test('asks nothing at its start that came with it', async () => {
    const asked: string[] = [];
    const note = (request: { url(): string }) => void asked.push(new URL(request.url()).pathname);
    lab.page.on('request', note);
    await lab.load('long.ipynb');
    await lab.kernelIdle();
    lab.page.off('request', note);
    const early = ['/lab/api/settings', '/lab/api/translations/default', '/api/me'];
    expect(asked).toContain('/static/lab.js');
    expect(asked.filter((path) => early.includes(path))).toEqual([]);
  });

  test('starts later what shows a notebook is not needed for', async () => {
    await lab.loadNotebook('long.ipynb');
    await lab.page.locator('#jp-main-statusbar').getByText('| Idle').waitFor();
    await lab.page
      .locator('#jp-main-statusbar')
      .getByText(/^Cell \d\/4$/)
      .waitFor();
  });

  test('gives a second tab a workspace of its own, and keeps that of one that is loaded anew', async () => {
    await lab.load('long.ipynb');
    const address = lab.page.url();
    await lab.page.reload();
    const second = await lab.page.context().newPage();
    await second.goto(address);
    await second.waitForURL(/\/lab\/workspaces\/auto-\w+\/tree\/long\.ipynb/);
    await second.locator('.jp-Notebook .jp-CodeCell').first().waitFor();
    await second.close();
    expect(lab.page.url()).toBe(address);
  });
});
