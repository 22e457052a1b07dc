import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isPageAbsent, notebookOf, openPage } from './open-page.js';

/** A picture of one red point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#14324f"/></svg>';

describe.skipIf(isPageAbsent('files in the notebook page'))('files in the notebook page', () => {
  const lab = openPage({
    files: {
      'fees.ts': 'export const fee = (price: number): number => price * 0.02;\n',
      'tables/prices.csv': 'market,price\nRain,0.25\nSnow,0.75\n',
      'point.png': PNG,
      'box.svg': SVG,
      'notes.md': '# Notes\n\nOdds of **Rain**.\n',
      'page.html': '<title>x</title><p>A report</p><script>document.write("ran")</script>',
      'facts.json': { market: 'Rain' },
      'study.ipynb': notebookOf(['const answer = 6 * 7;\nanswer', { cell_type: 'markdown', source: '# Title' }]),
    },
  });
  const press = (key: string) => lab.page.keyboard.press(key);
  const item = (name: string) =>
    lab.page.locator('.jp-DirListing-item').filter({ has: lab.page.getByText(name, { exact: true }) });
  const names = async () => (await readdir(lab.folder)).sort();
  const text = (name: string) => readFile(join(lab.folder, name), 'utf8');
  const fromMenu = async (name: string, label: string) => {
    await item(name).click({ button: 'right' });
    await lab.page.locator('.lm-Menu-itemLabel').getByText(label, { exact: true }).first().click();
  };

  test('are saved by Ctrl+S, a notebook as it stands, with no other byte changed', async () => {
    await lab.openNotebook('study.ipynb');
    const before = JSON.parse(await text('study.ipynb'));
    await press('Control+Enter');
    await lab.ended(lab.cells.first());
    await press('Control+s');
    await expect.poll(async () => JSON.parse(await text('study.ipynb')).cells[0].outputs.length).toBe(1);
    const saved = JSON.parse(await text('study.ipynb'));
    expect(saved.cells[1]).toEqual(before.cells[1]);
    expect(saved.cells[0].source).toEqual(before.cells[0].source);
  });

  test('that changed on disk meanwhile are not overwritten unasked', async () => {
    const changed = (await text('study.ipynb')).replace('# Title', '# Changed elsewhere');
    await writeFile(join(lab.folder, 'study.ipynb'), changed);
    await lab.cells.first().locator('.cm-content').click();
    await lab.page.keyboard.insertText('// mine\n');
    const dialog = lab.page.locator('.jp-Dialog');
    // JupyterLab saves nothing while it is still busy with an earlier save, also after that is in the file.
    const saved = async (): Promise<boolean> => {
      await press('Control+s');
      return dialog.isVisible();
    };
    await expect.poll(saved, { interval: 500 }).toBe(true);
    expect(await dialog.textContent()).toMatch(/changed on disk/);
    expect(await text('study.ipynb')).toBe(changed);
    await lab.answer('Revert');
    await lab.page.locator('.jp-MarkdownCell h1').getByText('Changed elsewhere').waitFor();
    lab.takeFaults();
  });

  test('are listed, uploaded, small and large', async () => {
    await lab.fresh();
    await item('fees.ts').waitFor();
    const large = Buffer.alloc(3_000_000, 7);
    const [chooser] = await Promise.all([
      lab.page.waitForEvent('filechooser'),
      lab.page.locator('[data-command="filebrowser:upload"], [title="Upload Files"]').first().click(),
    ]);
    await chooser.setFiles([
      { name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('hällo') },
      { name: 'large.bin', mimeType: 'application/octet-stream', buffer: large },
    ]);
    await item('small.txt').waitFor();
    await item('large.bin').waitFor();
    expect(await text('small.txt')).toBe('hällo');
    await expect.poll(async () => large.equals(await readFile(join(lab.folder, 'large.bin')))).toBe(true);
  });

  test('are downloaded', async () => {
    const [download] = await Promise.all([lab.page.waitForEvent('download'), fromMenu('small.txt', 'Download')]);
    expect(download.suggestedFilename()).toBe('small.txt');
    expect(await readFile(await download.path(), 'utf8')).toBe('hällo');
  });

  test('are duplicated, renamed and deleted', async () => {
    await fromMenu('small.txt', 'Duplicate');
    await item('small-Copy1.txt').click();
    await press('F2');
    await lab.page.locator('.jp-DirListing-editor').fill('renamed.txt');
    await press('Enter');
    await item('renamed.txt').waitFor();
    expect(await names()).toContain('renamed.txt');
    await fromMenu('renamed.txt', 'Delete');
    await lab.answer('Delete');
    await expect.poll(names).not.toContain('renamed.txt');
  });

  test('lie in folders, which are made and opened', async () => {
    await lab.page.locator('[data-command="filebrowser:create-new-directory"], [title="New Folder"]').first().click();
    await lab.page.locator('.jp-DirListing-editor').fill('fresh');
    await press('Enter');
    await item('fresh').waitFor();
    expect(await names()).toContain('fresh');
    await item('tables').dblclick();
    await item('prices.csv').waitFor();
  });

  test('of comma-separated values open as a table', async () => {
    await lab.fresh('tables/prices.csv');
    const viewer = lab.page.locator('.jp-CSVViewer .lm-DataGrid canvas').first();
    await viewer.waitFor();
    expect((await viewer.boundingBox())?.width).toBeGreaterThan(100);
  });

  test('of TypeScript open in an editor with colours, and are saved', async () => {
    await lab.fresh('fees.ts');
    const editor = lab.page.locator('.jp-FileEditor .cm-content');
    await editor.click();
    expect(await editor.locator('.cm-line').first().locator('span').count()).toBeGreaterThan(4);
    await press('Control+Home');
    await lab.page.keyboard.insertText('// Fees\n');
    await press('Control+s');
    await expect
      .poll(() => text('fees.ts'))
      .toBe('// Fees\nexport const fee = (price: number): number => price * 0.02;\n');
  });

  test('that are pictures are shown', async () => {
    for (const name of ['point.png', 'box.svg']) {
      await lab.fresh(name);
      const picture = lab.page.locator('.jp-ImageViewer img');
      await expect.poll(() => picture.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBeGreaterThan(0);
    }
  });

  test('of Markdown are previewed, of JSON shown as a tree', async () => {
    await lab.fresh();
    await item('notes.md').click({ button: 'right' });
    await lab.page.locator('.lm-Menu-itemLabel').getByText('Open With', { exact: true }).hover();
    await lab.page.locator('.lm-Menu-itemLabel').getByText('Markdown Preview', { exact: true }).click();
    await lab.page.locator('.jp-MarkdownViewer strong').getByText('Rain').waitFor();
    await item('facts.json').dblclick();
    await lab.page.locator('.jp-RenderedJSON').getByText('market').waitFor();
  });

  test('of HTML are shown apart, without running their scripts', async () => {
    await lab.fresh('page.html');
    const frame = lab.page.frameLocator('.jp-HTMLViewer iframe');
    await frame.getByText('A report').waitFor();
    expect(await frame.getByText('ran').count()).toBe(0);
    lab.takeFaults();
  });

  test('lie beside each other in tabs, which are closed', async () => {
    await lab.fresh();
    const tabs = lab.page.locator('#jp-main-dock-panel .lm-TabBar-tabLabel');
    await item('fees.ts').dblclick();
    await item('box.svg').dblclick();
    await expect.poll(() => tabs.allTextContents()).toEqual(['Launcher', 'fees.ts', 'box.svg']);
    await press('Control+Shift+BracketLeft');
    await expect
      .poll(() => lab.page.locator('#jp-main-dock-panel .lm-mod-current').allTextContents())
      .toEqual(['fees.ts']);
    await lab.page
      .locator('#jp-main-dock-panel .lm-TabBar-tab')
      .filter({ hasText: 'box.svg' })
      .locator('.lm-TabBar-tabCloseIcon')
      .click();
    await expect.poll(() => tabs.allTextContents()).toEqual(['Launcher', 'fees.ts']);
  });

  test('are made by the launcher', async () => {
    await lab.fresh();
    await lab.page.locator('.jp-LauncherCard[data-category="Notebook"]').first().click();
    await lab.kernelIdle();
    expect(await names()).toContain('Untitled.ipynb');
    expect(await lab.shown(await lab.run('1 + 1'))).toBe('2');
  });
});
