import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { axeFindings } from './axe.js';
import { isPageAbsent, notebookOf, openPage } from './open-page.js';

const WALLET = `0xf442${'a'.repeat(32)}31d2`;
const ROWS = `import { DataFrame } from 'oddslab';
const rows = Array.from({ length: 5000 }, (_, row) => ({ row, wallet: '0x' + ((row * 7919) % 5000).toString(16), pnl: row % 2 ? row : -row }));
let frame = new DataFrame(rows);
const fee = 0.02; const label = 'a text'; class Market {} let unset;`;

describe.skipIf(isPageAbsent('the variables on the page'))('variables', () => {
  const opened = openPage();
  const row = (name: string) => opened.page.locator(`.oddslab-variables tr[data-name="${name}"]`);
  const note = () => opened.page.locator('.oddslab-variables > [role="status"]').textContent();
  const words = async (name: string) => (await row(name).locator('th, td').allTextContents()).join(' | ');
  const names = () => opened.page.locator('.oddslab-variables tr[data-name] th').allInnerTexts();
  const cell = (at: number, column: number) =>
    opened.page.locator(`.oddslab-table [role="gridcell"][data-row="${at}"][data-column="${column}"]`);
  const header = (column: number) =>
    opened.page.locator(`.oddslab-table [role="columnheader"][data-column="${column}"]`);
  const status = () => opened.page.locator('.oddslab-table-bar [role="status"]').textContent();
  const showPanel = async (): Promise<void> => {
    await opened.page.locator('.jp-SideBar [data-id="oddslab-variables"]').click();
    await opened.page.getByLabel('Search the variables').fill('');
  };
  const openFrame = async (): Promise<void> => {
    await opened.newNotebook();
    await showPanel();
    await opened.run(ROWS);
    await row('frame').dblclick();
    await cell(0, 0).filter({ hasText: /^0$/ }).waitFor();
  };

  it('lists what the cells of the notebook in focus declared, and follows them', async () => {
    const { page } = opened;
    await opened.newNotebook();
    await showPanel();
    await expect.poll(note).toBe('No variables yet: run a cell that declares some.');
    await opened.run(ROWS);
    await row('frame').waitFor();
    expect(await names()).toEqual(['fee', 'frame', 'label', 'Market', 'rows', 'unset', 'DataFrame']);
    await expect.poll(() => words('frame')).toBe('frame | DataFrame | 5,000 × 3');
    await expect.poll(() => words('fee')).toBe('fee | number | 0.02');
    await expect.poll(() => words('Market')).toBe('Market | class | class Market');
    await opened.run('unset = [1, 2, 3]; const late = new Map();');
    await expect.poll(() => words('unset')).toBe('unset | Array | (3) [1, 2, 3]');
    expect(await names()).toContain('late');
    await page.getByLabel('Search the variables').fill('NUMBER');
    expect(await names()).toEqual(['fee']);
    await page.getByLabel('Search the variables').fill('no such');
    expect(await note()).toBe('No variable matches the search.');
  });

  it('cuts no type and no short value where the panel is as wide as at first', async () => {
    await opened.newNotebook();
    await showPanel();
    await opened.run(`${ROWS} const wallet = '${WALLET}'; const aVeryLongNameOfAVariable = new Float64Array(3);`);
    await row('aVeryLongNameOfAVariable').waitFor();
    const cut = () =>
      opened.page
        .locator('.oddslab-variables :is(tr[data-name], thead tr) > *')
        .evaluateAll((cells) =>
          cells
            .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 1)
            .map(({ textContent }) => textContent),
        );
    expect(await cut()).toEqual([]);
    expect(await row('wallet').locator('td').last().getAttribute('title')).toBe(`"${WALLET}"`);
  });

  it('shows those of the console in focus, and of nothing once all is closed', async () => {
    const { page } = opened;
    await opened.newNotebook();
    await showPanel();
    await opened.run('const ofNotebook = 1;');
    await row('ofNotebook').waitFor();
    await opened.menu('File', 'New', 'Console');
    await opened.answer('Select');
    await page.locator('.jp-CodeConsole-input .cm-content').click();
    await expect.poll(note).toBe('No variables yet: run a cell that declares some.');
    await page.keyboard.insertText('const ofConsole = [1, 2];');
    await page.keyboard.press('Shift+Enter');
    await expect.poll(() => words('ofConsole')).toBe('ofConsole | Array | (2) [1, 2]');
    expect(await names()).toEqual(['ofConsole']);
    await opened.menu('File', 'Close All Tabs');
    await opened.answer('Discard');
    await expect.poll(note).toBe('Open a notebook or a console, and its variables are listed here.');
  });

  it('is used by the keyboard alone, from the search to a cell of a table', async () => {
    const { page } = opened;
    await opened.newNotebook();
    await opened.run(ROWS);
    await opened.command('Show Variables');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await row('frame').waitFor();
    await page.keyboard.type('frame');
    await expect.poll(names).toEqual(['frame', 'DataFrame']);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await cell(0, 0).filter({ hasText: /^0$/ }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('gridcell');
    for (const key of ['ArrowUp', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await cell(0, 2).filter({ hasText: '-4,998' }).waitFor();
    expect(await header(2).getAttribute('aria-sort')).toBe('ascending');
    await page.keyboard.press('Enter');
    await cell(0, 2).filter({ hasText: '4,999' }).waitFor();
    expect(await header(2).getAttribute('aria-sort')).toBe('descending');
    await page.keyboard.press('Enter');
    await cell(0, 2).filter({ hasText: /^0$/ }).waitFor();
    expect(await header(2).getAttribute('aria-sort')).toBe('none');
    await page.keyboard.press('Control+End');
    await cell(4999, 2).filter({ hasText: '4,999' }).waitFor();
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.row)).toBe('4999');
    await page.keyboard.press('Control+Home');
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.row)).toBe('0');
  });

  it('sorts and filters in the kernel, and draws only the rows in sight', async () => {
    const { page } = opened;
    await openFrame();
    expect(await status()).toBe('5,000 rows');
    expect(await page.locator('.oddslab-table [role="row"]').count()).toBeLessThan(80);
    expect(await page.locator('.oddslab-table [role="grid"]').getAttribute('aria-rowcount')).toBe('5001');
    expect(await header(2).textContent()).toBe('pnlint32');
    await header(1).click();
    await cell(1, 1).filter({ hasText: /^0x1$/ }).waitFor();
    await page.getByLabel('Filter the rows of frame').fill('pnl > 4990');
    await expect.poll(status).toBe('5 of 5,000 rows');
    await page.getByLabel('Filter the rows of frame').fill('pnl > lots');
    await expect.poll(status).toBe('The column "pnl" holds numbers: compare it with one, not with "lots".');
    await page.getByLabel('Filter the rows of frame').fill('0x138');
    await expect.poll(status).toBe('9 of 5,000 rows');
    await page.getByLabel('Filter the rows of frame').fill('pnl > 10,000');
    await expect.poll(status).toBe('0 of 5,000 rows: pnl holds -4998 to 4999');
    await page.getByLabel('Filter the rows of frame').fill('');
    await expect.poll(status).toBe('5,000 rows');
    await page.locator('.oddslab-table-grid').evaluate((grid) => grid.scrollTo(0, 60_000));
    await cell(2510, 0).filter({ hasText: /\d/ }).waitFor();
    expect(await page.locator('.oddslab-table [role="row"]').count()).toBeLessThan(80);
    const head = await header(0).boundingBox();
    const grid = await page.locator('.oddslab-table-grid').boundingBox();
    expect(Math.abs((head?.y ?? 0) - (grid?.y ?? 1000))).toBeLessThan(3);
  });

  it('copies the cells that are selected, as text', async () => {
    const { page } = opened;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openFrame();
    await cell(1, 0).click();
    await cell(2, 1).click({ modifiers: ['Shift'] });
    expect(await page.locator('.oddslab-table [aria-selected="true"]').count()).toBe(4);
    await page.keyboard.press('Control+c');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('1\t0xb67\n2\t0x346');
  });

  it('copies whole what it shows shortened or rounded, and tells it', async () => {
    const { page } = opened;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await opened.newNotebook();
    await showPanel();
    await opened.run(
      `import { DataFrame } from 'oddslab'; const long = new DataFrame([{ wallet: '${WALLET}', pnl: 1266.479 }, { wallet: '0xb', pnl: 2.5 }]);`,
    );
    await row('long').dblclick();
    await cell(0, 0).filter({ hasText: '0xf442…31d2' }).waitFor();
    expect(await cell(0, 1).textContent()).toBe('1,266.48');
    expect(await cell(0, 0).getAttribute('title')).toBe(WALLET);
    expect(await cell(0, 1).getAttribute('title')).toBe('1266.479');
    await cell(0, 0).click();
    await cell(0, 1).click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+c');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${WALLET}\t1266.479`);
    for (const sought of ['1,266.48', '0xf442…31d2', WALLET, 'PNL > 1000']) {
      await page.getByLabel('Filter the rows of long').fill(sought);
      await expect.poll(status).toBe('1 of 2 rows');
      await page.getByLabel('Filter the rows of long').fill('');
      await expect.poll(status).toBe('2 rows');
    }
    await page.getByLabel('Filter the rows of long').fill('zzz > 5');
    await expect.poll(status).toBe('There is no column "zzz": there are wallet, pnl.');
    expect(await page.locator('.oddslab-table [role="gridcell"]').count()).toBe(0);
  });

  it('says that a cell computes while it cannot sort or filter, and then does', async () => {
    const { page } = opened;
    await openFrame();
    await page.locator('.lm-TabBar-tabLabel').getByText('new.ipynb').click();
    await opened.begin('const until = Date.now() + 6000; while (Date.now() < until);');
    await page.locator('.lm-TabBar-tabLabel').getByText('frame · new').click();
    await page.getByLabel('Filter the rows of frame').fill('pnl > 4990');
    await expect.poll(status).toBe('A cell is computing: the rows follow.');
    await page.locator('.oddslab-table [role="grid"][aria-busy="true"]').waitFor();
    await expect.poll(status, { timeout: 20_000 }).toBe('5 of 5,000 rows');
    expect(await page.locator('.oddslab-table [role="grid"]').getAttribute('aria-busy')).toBe('false');
  });

  /** Renames the notebook in focus by its tab, as the menu does. */
  const rename = async (name: string): Promise<void> => {
    await opened.menu('File', 'Rename Notebook…');
    await opened.page.locator('.jp-Dialog input').fill(name);
    await opened.answer('Rename');
    await opened.page.locator('.lm-DockPanel .lm-TabBar-tabLabel').getByText(name, { exact: true }).waitFor();
  };
  const tab = (label: string) =>
    opened.page.locator('.lm-DockPanel .lm-TabBar-tabLabel').getByText(label, { exact: true });
  const made = (value: string) => `const rows = Array.from({ length: 3 }, () => ({ of: '${value}' }));`;
  const shownFirst = () => opened.page.locator('.oddslab-table:visible [data-row="0"][data-column="0"]').textContent();

  it('tells tables of the same name apart, by the notebooks and not by their paths', async () => {
    const { page } = opened;
    // Of a first try.
    await rm(join(opened.folder, 'gamma.ipynb'), { force: true });
    await opened.newNotebook('beta.ipynb');
    await showPanel();
    await opened.run(made('first'));
    await row('rows').dblclick();
    await expect.poll(shownFirst).toBe('first');
    await tab('beta.ipynb').click();
    await rename('gamma.ipynb');
    await expect.poll(() => page.locator('.oddslab-variables-of').textContent()).toBe('gamma.ipynb');
    await tab('rows · gamma').waitFor();
    await writeFile(join(opened.folder, 'beta.ipynb'), JSON.stringify(notebookOf([made('second')])));
    await page.locator('.jp-FileBrowser-toolbar [data-jp-item-name="refresh"] jp-button').click();
    await page.locator('.jp-DirListing-itemName').getByText('beta.ipynb').dblclick();
    await tab('beta.ipynb').waitFor();
    await page.locator('.jp-Notebook:visible .cm-content').first().click();
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => page.locator('.oddslab-variables-of').textContent()).toBe('beta.ipynb');
    await row('rows').dblclick();
    await tab('rows · beta').waitFor();
    await expect.poll(shownFirst).toBe('second');
    await tab('rows · gamma').click();
    await expect.poll(shownFirst).toBe('first');
    // JupyterLab may still have asked for the checkpoints of a name that the notebook had.
    const faults = opened.takeFaults().filter((fault) => !/beta\.ipynb|status of 404/.test(fault));
    expect(faults).toEqual([]);
  });

  it('says that its notebook was closed, and comes back with it', async () => {
    const { page } = opened;
    await opened.newNotebook('closed.ipynb');
    await showPanel();
    await opened.run(made('kept'));
    await row('rows').dblclick();
    await expect.poll(shownFirst).toBe('kept');
    await tab('closed.ipynb').click();
    await opened.save();
    await opened.menu('File', 'Close Tab');
    await tab('closed.ipynb').waitFor({ state: 'detached' });
    await expect.poll(status).toBe('Its notebook was closed: open it again, and the rows of rows come back.');
    await page.locator('.jp-DirListing-itemName').getByText('closed.ipynb').dblclick();
    await tab('closed.ipynb').waitFor();
    await row('rows').waitFor();
    await row('rows').dblclick();
    await expect.poll(shownFirst).toBe('kept');
    expect(await page.locator('.oddslab-table').count()).toBe(1);
  });

  it('comes back after a reload', async () => {
    const { page } = opened;
    await opened.newNotebook('again.ipynb');
    await showPanel();
    await opened.run(made('reloaded'));
    await opened.save();
    await row('rows').dblclick();
    await expect.poll(shownFirst).toBe('reloaded');
    // JupyterLab keeps the layout a moment later.
    await page.waitForTimeout(1500);
    await page.reload();
    await page.waitForFunction(() => performance.getEntriesByName('lab-restored').length > 0);
    await tab('rows · again').click();
    await expect.poll(shownFirst).toBe('reloaded');
  });

  it('follows a value that changes, at the same place, and says that a kernel has restarted', async () => {
    const { page } = opened;
    await openFrame();
    await page.locator('.oddslab-table-grid').evaluate((grid) => grid.scrollTo(0, 60_000));
    await cell(2510, 0).filter({ hasText: '2,510' }).waitFor();
    await page.locator('.lm-TabBar-tabLabel').getByText('new.ipynb').click();
    await opened.run('frame = new DataFrame(rows.slice(0, 4000).map((one) => ({ ...one, row: one.row + 100_000 })));');
    await page.locator('.lm-DockPanel .lm-TabBar-tabLabel').getByText('frame · new', { exact: true }).click();
    await cell(2510, 0).filter({ hasText: '102,510' }).waitFor();
    expect(await status()).toBe('4,000 rows');
    expect(await page.locator('.oddslab-table-grid').evaluate((grid) => grid.scrollTop)).toBe(60_000);
    await page.locator('.lm-TabBar-tabLabel').getByText('new.ipynb').click();
    await opened.command('Restart Kernel…');
    await opened.answer('Restart');
    await expect.poll(note).toBe('The kernel has restarted, and its variables are gone: run the cells again.');
    expect(await names()).toEqual([]);
    await page.locator('.lm-DockPanel .lm-TabBar-tabLabel').getByText('frame · new', { exact: true }).click();
    await expect
      .poll(status)
      .toMatch(/^The kernel has restarted: run the cells again that make frame\.$|^No cell has run/);
  });

  it('goes through a million rows', async () => {
    const { page } = opened;
    await opened.newNotebook();
    await showPanel();
    await opened.run('const many = Float64Array.from({ length: 1_000_000 }, (_, row) => 1_000_000 - row);');
    await row('many').dblclick();
    await cell(0, 0).filter({ hasText: '1000000' }).waitFor();
    await page.locator('.oddslab-table-grid').focus();
    await cell(0, 0).click();
    await page.keyboard.press('Control+End');
    await cell(999_999, 0).filter({ hasText: /^1$/ }).waitFor();
    for (const key of ['ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('3');
    await page
      .locator('.oddslab-table-grid')
      .evaluate((grid) => grid.scrollTo(0, (grid.scrollHeight - grid.clientHeight) / 2));
    await cell(500_000, 0).filter({ hasText: '500000' }).waitFor();
    await header(0).click();
    await cell(0, 0).filter({ hasText: /^1$/ }).waitFor();
  });

  it.each(['light', 'dark'] as const)('has no findings of axe, in %s', async (colorScheme) => {
    const { page } = opened;
    await page.emulateMedia({ colorScheme });
    await openFrame();
    await cell(1, 1).click();
    await page.getByLabel('Search the variables').fill('a');
    expect(await axeFindings(page, '.oddslab-variables')).toEqual([]);
    expect(await axeFindings(page, '.oddslab-table')).toEqual([]);
  });
});
