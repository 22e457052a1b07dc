import { afterEach, describe, expect, it } from 'vitest';
import { isPageAbsent, notebookOf, openPage } from './open-page.js';

describe.skipIf(isPageAbsent('cells that wait for their kernel'))('a cell whose kernel is not ready', () => {
  const lab = openPage({
    files: {
      'three.ipynb': notebookOf(['const a = 1; a', 'const b = a + 1; b', 'const c = b + 1; c']),
      'never-opened.ipynb': notebookOf(['6 * 7']),
    },
  });
  afterEach(() => lab.page.unrouteAll({ behavior: 'wait' }));
  const prompt = (at: number) => lab.cells.nth(at).locator('.jp-InputPrompt');
  const isWaiting = (at: number) => prompt(at).filter({ hasText: '[*]:' }).waitFor();

  /** Holds back the answers to requests of the page until the returned function is called. */
  async function hold(method: string, address: string): Promise<() => void> {
    let release: () => void = () => undefined;
    const released = new Promise<void>((done) => {
      release = done;
    });
    await lab.page.route(address, async (route) => {
      if (route.request().method() === method) await released;
      await route.continue();
    });
    return () => release();
  }

  /** Answers what the page says and asks where no kernel starts. */
  async function refuseKernel(): Promise<void> {
    for (const label of ['Ok', 'No Kernel']) {
      await lab.page.locator('.jp-Dialog-button').getByText(label, { exact: true }).click();
    }
  }

  it('waits for a kernel that is starting, as do all others, in their order', async () => {
    const release = await hold('POST', '**/api/sessions*');
    await lab.load('three.ipynb');
    await lab.cells.first().locator('.cm-content').click();
    await lab.menu('Run', 'Run All Cells');
    for (const at of [0, 1, 2]) await isWaiting(at);
    release();
    for (const at of [0, 1, 2]) await lab.ended(lab.cells.nth(at));
    expect(await Promise.all([0, 1, 2].map((at) => prompt(at).textContent()))).toEqual(['[1]:', '[2]:', '[3]:']);
    expect(await Promise.all([0, 1, 2].map((at) => lab.shown(lab.cells.nth(at))))).toEqual(['1', '2', '3']);
  });

  it('starts its kernel, and asks for none, while the notebook has no checkpoint yet', async () => {
    const release = await hold('POST', '**/checkpoints*');
    await lab.fresh('never-opened.ipynb');
    await lab.cells.first().locator('.cm-content').click();
    await lab.page.keyboard.press('Control+Enter');
    await lab.ended(lab.cells.first());
    expect(await lab.shown(lab.cells.first())).toBe('42');
    expect(await lab.page.locator('.jp-Dialog').count()).toBe(0);
    release();
  });

  it('waits in a console, too, with all that is entered until its kernel comes', async () => {
    await lab.openNotebook('three.ipynb');
    const release = await hold('POST', '**/api/sessions*');
    await lab.menu('File', 'New', 'Console');
    await lab.answer('Select');
    await lab.page.locator('.jp-CodeConsole-input .cm-content').click();
    for (const code of ['const first = 20;', 'first + 1']) {
      await lab.page.keyboard.insertText(code);
      await lab.page.keyboard.press('Shift+Enter');
    }
    const entered = lab.page.locator('.jp-CodeConsole-content .jp-CodeCell');
    await entered.nth(1).locator('.jp-InputPrompt').filter({ hasText: '[*]:' }).waitFor();
    release();
    await entered.nth(1).locator('.jp-OutputArea-output').filter({ hasText: '21' }).waitFor();
    expect(await entered.locator('.jp-InputPrompt').allTextContents()).toEqual(['[1]:', '[2]:']);
  });

  it('waits for a kernel that restarts', async () => {
    await lab.openNotebook('three.ipynb');
    await lab.page.keyboard.press('Control+Enter');
    await lab.ended(lab.cells.first());
    const release = await hold('POST', '**/api/kernels/*/restart*');
    await lab.menu('Kernel', 'Restart Kernel…');
    await lab.answer('Restart');
    await lab.cells.first().locator('.cm-content').click();
    await lab.page.keyboard.press('Shift+Enter');
    await lab.page.keyboard.press('Shift+Enter');
    await isWaiting(0);
    await isWaiting(1);
    release();
    await lab.ended(lab.cells.nth(1));
    expect(await Promise.all([0, 1].map((at) => prompt(at).textContent()))).toEqual(['[1]:', '[2]:']);
  });

  it('says so if its kernel does not start, and waits no longer', async () => {
    await lab.page.route('**/api/sessions*', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, json: { message: 'There is no room.', reason: null } })
        : route.continue(),
    );
    await lab.fresh('three.ipynb');
    await refuseKernel();
    await lab.page.locator('.jp-Dialog').waitFor({ state: 'detached' });
    await lab.cells.first().locator('.cm-content').click();
    await lab.page.keyboard.press('Control+Enter');
    await isWaiting(0);
    await refuseKernel();
    await expect.poll(() => lab.shown(lab.cells.first())).toContain('The cell did not run: it has no kernel.');
    expect(await prompt(0).textContent()).toBe('[ ]:');
    expect(lab.takeFaults().every((fault) => /500|There is no room/.test(fault))).toBe(true);
  });

  it('says so if its kernel ends meanwhile, and waits no longer', async () => {
    await lab.openNotebook('three.ipynb');
    await lab.cells.first().locator('.cm-content').click();
    await lab.page.keyboard.press('Control+a');
    await lab.page.keyboard.insertText("console.log('begun'); await new Promise(() => setInterval(() => {}, 1000))");
    await lab.page.keyboard.press('Shift+Enter');
    await expect.poll(() => lab.shown(lab.cells.first())).toBe('begun');
    await lab.page.keyboard.press('Shift+Enter');
    await isWaiting(1);
    await lab.menu('Kernel', 'Shut Down Kernel');
    for (const at of [0, 1]) await prompt(at).filter({ hasText: '[*]:' }).waitFor({ state: 'detached' });
    await expect
      .poll(() => lab.shown(lab.cells.first()))
      .toMatch(/begun\s+(The kernel has ended before the cell was done|ProcessClosed)/);
    // The next cell starts a kernel, as JupyterLab does.
    await lab.cells.nth(2).locator('.cm-content').click();
    await lab.page.keyboard.press('Control+a');
    await lab.page.keyboard.insertText('1 + 1');
    await lab.page.keyboard.press('Control+Enter');
    await lab.ended(lab.cells.nth(2));
    expect(await prompt(2).textContent()).toBe('[1]:');
    expect(await lab.shown(lab.cells.nth(2))).toBe('2');
  });

  it('waits for the next kernel while its own is being shut down', async () => {
    await lab.openNotebook('three.ipynb');
    await lab.page.keyboard.press('Control+Enter');
    await lab.ended(lab.cells.first());
    const release = await hold('DELETE', '**/api/sessions/*');
    await lab.menu('Kernel', 'Shut Down Kernel');
    await lab.cells.first().locator('.cm-content').click();
    await lab.page.keyboard.press('Control+Enter');
    await isWaiting(0);
    release();
    await lab.ended(lab.cells.first());
    expect(await lab.shown(lab.cells.first())).toBe('1');
  });
});
