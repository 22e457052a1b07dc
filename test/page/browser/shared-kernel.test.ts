import { beforeAll, describe, expect, it } from 'vitest';
import { isPageAbsent, notebookOf, openPage } from './open-page.js';

describe.skipIf(isPageAbsent('a console on the kernel of a notebook'))('a kernel of a notebook and a console', () => {
  const lab = openPage({ files: { 'shared.ipynb': notebookOf(["console.log('of the notebook')"]) } });

  // The page asks whether to leave what is not saved.
  beforeAll(() => void lab.page.on('dialog', (dialog) => void dialog.accept()));

  let count = 0;
  const inNotebook = async (): Promise<void> => {
    await lab.page.locator('.jp-Notebook .cm-content').first().click();
    await lab.page.keyboard.press('Control+a');
    await lab.page.keyboard.insertText(`console.log('notebook ${++count}')`);
    await lab.page.keyboard.press('Control+Enter');
    await expect.poll(() => lab.shown(lab.cells.first())).toBe(`notebook ${count}`);
    await expect.poll(() => lab.cells.first().locator('.jp-InputPrompt').textContent()).toMatch(/^\[\d+\]:$/);
  };
  const inConsole = async (): Promise<void> => {
    await lab.page.locator('.jp-CodeConsole-input .cm-content').click();
    await lab.page.keyboard.insertText(`console.log('console ${++count}')`);
    await lab.page.keyboard.press('Shift+Enter');
    const ran = lab.page.locator('.jp-CodeConsole-content .jp-CodeCell').last();
    await expect.poll(() => lab.shown(ran)).toBe(`console ${count}`);
    await expect.poll(() => ran.locator('.jp-InputPrompt').textContent()).toMatch(/^\[\d+\]:$/);
  };

  it('tells both all that is theirs, in any order, before and after a reload', async () => {
    await lab.openNotebook('shared.ipynb');
    await lab.menu('File', 'New Console for Notebook');
    await lab.page.locator('.jp-CodeConsole-input .cm-content').waitFor();
    for (const run of [inNotebook, inConsole, inConsole, inNotebook, inNotebook]) await run();
    // JupyterLab keeps the layout a moment later.
    await lab.page.waitForTimeout(1500);
    await lab.page.reload();
    await lab.page.waitForFunction(() => performance.getEntriesByName('lab-restored').length > 0);
    await lab.page.locator('.jp-CodeConsole-input .cm-content').waitFor();
    await lab.kernelIdle();
    for (const run of [inConsole, inNotebook, inNotebook, inConsole, inConsole]) await run();
  });

  it('passes on once what the server sends twice', async () => {
    await lab.page.routeWebSocket(/\/channels/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        socket.send(message);
        socket.send(message);
      });
    });
    // It is heeded by a page that is loaded after it.
    await lab.loadNotebook('shared.ipynb');
    await inNotebook();
  });
});
