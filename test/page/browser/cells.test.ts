import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isPageAbsent, openPage } from './open-page.js';

describe.skipIf(isPageAbsent('cells in the notebook page'))('cells in the notebook page', () => {
  const lab = openPage();
  const press = (key: string) => lab.page.keyboard.press(key);

  beforeAll(() => lab.newNotebook());

  test('run by Shift+Enter, and the next one is selected', async () => {
    const cell = await lab.run('const answer: number = 6 * 7;\nanswer');
    expect(await lab.shown(cell)).toBe('42');
    expect(await cell.locator('.jp-InputPrompt').first().textContent()).toBe('[1]:');
    expect(await lab.cells.count()).toBe(2);
    await expect.poll(() => lab.cells.last().getAttribute('class')).toContain('jp-mod-active');
  });

  test('are coloured as TypeScript', async () => {
    const first = lab.cells.first().locator('.cm-line').first();
    const colours = await first
      .locator('span')
      .evaluateAll((all) => all.map((part) => `${part.textContent}: ${getComputedStyle(part).color}`));
    expect(colours.find((part) => part.startsWith('const:'))).not.toBe(colours.find((part) => part.startsWith('6:')));
    expect(colours.length).toBeGreaterThan(3);
  });

  test('are warned of a wrong type below them', async () => {
    const cell = await lab.run('const wrong: string = answer;\nwrong.length');
    await expect.poll(() => lab.shown(cell)).toContain("Type 'number' is not assignable to type 'string'");
  });

  test('complete by Tab', async () => {
    await lab.write(
      'interface Trade { price: number; shares: number }\nconst trade: Trade = { price: 0.4, shares: 10 };\ntrade.',
    );
    await press('Tab');
    const items = lab.page.locator('.jp-Completer-item');
    await items.first().waitFor();
    expect(await items.allInnerTexts()).toEqual([expect.stringContaining('price'), expect.stringContaining('shares')]);
    await press('Enter');
    await expect.poll(() => lab.cells.last().locator('.cm-line').last().textContent()).toBe('trade.price');
  });

  test('tell types and documentation by Shift+Tab', async () => {
    await press('Shift+Tab');
    const tooltip = lab.page.locator('.jp-Tooltip');
    await expect.poll(() => tooltip.textContent()).toContain('Trade.price: number');
    await press('Escape');
    await tooltip.waitFor({ state: 'detached' });
  });

  test('tell an error by its place in the cell', async () => {
    const cell = await lab.run('function market() {\n  throw new TypeError("no such market");\n}\nmarket()');
    const shown = await lab.shown(cell);
    expect(shown).toContain('TypeError: no such market');
    expect(shown).toMatch(/2.*9/);
    expect(
      await cell
        .locator('[data-mime-type="application/vnd.jupyter.stderr"], [data-mime-type="application/vnd.jupyter.error"]')
        .count(),
    ).toBe(1);
  });

  test('undo what was typed, piece by piece', async () => {
    const text = () => lab.cells.last().locator('.cm-content').textContent();
    await lab.write('first');
    await press('Enter');
    await lab.page.keyboard.insertText('second');
    await press('Control+z');
    await expect.poll(text).not.toContain('second');
    await press('Control+Shift+z');
    await expect.poll(text).toContain('second');
  });

  test('are found by what they hold', async () => {
    await press('Control+f');
    const search = lab.page.locator('.jp-DocumentSearch-overlay');
    await search.locator('.jp-DocumentSearch-input').first().fill('wrong');
    await expect.poll(() => search.locator('.jp-DocumentSearch-index-counter').textContent()).toBe('-/2');
    await press('Enter');
    await expect.poll(() => search.locator('.jp-DocumentSearch-index-counter').textContent()).toMatch(/^[12]\/2$/);
    await press('Escape');
    await search.waitFor({ state: 'detached' });
  });

  test("obey JupyterLab's keys: above, below, cut, undo, to Markdown and back", async () => {
    const count = await lab.cells.count();
    const all = lab.page.locator('.jp-Notebook .jp-Cell');
    await lab.cells.last().locator('.cm-content').click();
    await press('Escape');
    await press('a');
    await press('b');
    await expect.poll(() => lab.cells.count()).toBe(count + 2);
    await press('x');
    await expect.poll(() => all.count()).toBe(count + 1);
    // JupyterLab undoes together what was done within half a second.
    await lab.page.waitForTimeout(600);
    await press('d');
    await press('d');
    await expect.poll(() => all.count()).toBe(count);
    await press('z');
    await expect.poll(() => all.count()).toBe(count + 1);
    await press('m');
    await expect.poll(() => lab.page.locator('.jp-MarkdownCell').count()).toBe(1);
    await press('y');
    await expect.poll(() => lab.cells.count()).toBe(count + 1);
  });

  test('render Markdown with mathematics', async () => {
    await lab.newNotebook('markdown.ipynb');
    await press('Escape');
    await press('m');
    await press('Enter');
    await lab.page.keyboard.insertText('# Odds\n\nFair at $p = \\frac{1}{2}$.');
    await press('Shift+Enter');
    const rendered = lab.page.locator('.jp-MarkdownCell .jp-RenderedMarkdown');
    expect(await rendered.locator('h1').textContent()).toContain('Odds');
    await rendered.locator('mjx-container').waitFor();
  });

  test('can be written, run and saved with the keyboard alone', async () => {
    await lab.newNotebook('keys.ipynb');
    await press('Escape');
    await press('Enter');
    await lab.page.keyboard.type('const odds = [0.25, 0.5]');
    await press('Enter');
    await lab.page.keyboard.type('odds.map((p) => 1 / p)');
    await press('Shift+Enter');
    await lab.ended(lab.cells.first());
    expect(await lab.shown(lab.cells.first())).toBe('[ 4, 2 ]');
    await press('Control+s');
    const saved = async () => JSON.parse(await readFile(join(lab.folder, 'keys.ipynb'), 'utf8')).cells[0];
    await expect.poll(async () => (await saved()).source.join?.('') ?? (await saved()).source).toContain('1 / p');
    await expect.poll(async () => (await saved()).outputs.length).toBe(1);
  });
});
