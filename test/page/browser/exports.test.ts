import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { axeFindings } from './axe.js';
import { isPageAbsent, notebookOf, openPage } from './open-page.js';

const FILE = 'study me.ipynb';
const BUTTON = '.jp-NotebookPanel-toolbar .oddslab-export';

describe.skipIf(isPageAbsent('exports'))('exports', () => {
  const lab = openPage({ files: { [FILE]: notebookOf(["const secret = 'forty-two';"]) } });

  /** Does something that downloads a file; its name and text. */
  async function downloaded(act: () => Promise<void>): Promise<[name: string, text: string]> {
    const [download] = await Promise.all([lab.page.waitForEvent('download'), act()]);
    return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')];
  }

  const exportBy = (label: string) => lab.menu('File', 'Save and Export Notebook As', label);

  it('saves first, and writes HTML with and without code, and TypeScript, by the menu', async () => {
    await lab.openNotebook(FILE);
    await lab.write('1 + 41 // shown');
    await lab.page.keyboard.press('Shift+Enter');
    await lab.page.locator('.jp-OutputArea-output', { hasText: '42' }).waitFor();
    const [name, whole] = await downloaded(() => exportBy('HTML'));
    expect([name, whole.includes('hljs'), whole.includes('shown')]).toEqual(['study me.html', true, true]);
    const [, bare] = await downloaded(() => exportBy('HTML without code'));
    expect([bare.includes('42'), bare.includes('shown')]).toEqual([true, false]);
    const [program, text] = await downloaded(() => exportBy('TypeScript (.ts)'));
    expect([program, text.includes('// %%\n1 + 41 // shown')]).toEqual(['study me.ts', true]);
  });

  it('does so by the palette and by the toolbar, too', async () => {
    await lab.openNotebook(FILE);
    const [name] = await downloaded(() => lab.command('Save and Export Notebook: HTML without code'));
    expect(name).toBe('study me.html');
    const [program] = await downloaded(async () => {
      await lab.page.locator(BUTTON).click();
      await lab.page.locator('.lm-Menu-itemLabel').getByText('TypeScript (.ts)', { exact: true }).click();
    });
    expect(program).toBe('study me.ts');
    expect(await axeFindings(lab.page, BUTTON)).toEqual([]);
  });

  it('tells on the page what went wrong, once', async () => {
    await lab.openNotebook(FILE);
    await lab.kernelIdle();
    rmSync(join(lab.folder, FILE));
    await exportBy('HTML');
    const dialog = lab.page.locator('.jp-Dialog');
    await dialog.waitFor();
    expect(await dialog.textContent()).toMatch(/Cannot export the notebook as HTML/);
    await lab.page.locator('.jp-Dialog-button').last().click();
    expect(lab.takeFaults().filter((fault) => !/\b404\b/.test(fault))).toEqual([]);
  });
});
