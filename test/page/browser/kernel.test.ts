import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isPageAbsent, notebookOf, openPage } from './open-page.js';

describe.skipIf(isPageAbsent("a notebook's kernel in the notebook page"))(
  "a notebook's kernel in the notebook page",
  () => {
    const lab = openPage();
    const press = (key: string) => lab.page.keyboard.press(key);
    const running = async () => (await (await lab.ask('/api/kernels')).json()) as { id: string }[];

    beforeAll(() => lab.newNotebook());

    test('is interrupted by I, I, and keeps its variables', async () => {
      await lab.run('const kept = 7;');
      const cell = await lab.begin('for (;;) {}');
      await lab.page.locator('.jp-Notebook-ExecutionIndicator[data-status="busy"]').waitFor();
      await press('Escape');
      await press('i');
      await press('i');
      await lab.ended(cell);
      expect(await lab.shown(cell)).toContain('interrupted');
      expect(await lab.shown(await lab.run('kept'))).toBe('7');
    });

    test('asks for a line by input()', async () => {
      const cell = await lab.begin("const who = await input('Who? ');\n'hello ' + who");
      const field = cell.locator('.jp-Stdin-input');
      await field.fill('Ada');
      await field.press('Enter');
      await lab.ended(cell);
      expect(await lab.shown(cell)).toContain("'hello Ada'");
    });

    test('starts anew after process.exit, and says so', async () => {
      const cell = await lab.run('process.exit(3)');
      expect(await lab.shown(cell)).toContain('process.exit(3)');
      expect(await lab.shown(await lab.run('typeof kept'))).toContain("'undefined'");
    });

    test('restarts by 0, 0, and forgets', async () => {
      await lab.run('const forgotten = 1;');
      await press('Escape');
      await press('0');
      await press('0');
      await lab.answer('Restart');
      await lab.kernelIdle();
      expect(await lab.shown(await lab.run('typeof forgotten'))).toContain("'undefined'");
      expect(await lab.page.locator('.jp-Dialog').count()).toBe(0);
    });

    test('restarts and runs all cells', async () => {
      await lab.newNotebook('all.ipynb');
      await lab.run('const first = 1;');
      await lab.run('first + 1');
      await lab.run('first + 2');
      await lab.run('"again"');
      await lab.menu('Kernel', 'Restart Kernel and Run All Cells…');
      await lab.answer('Restart');
      const counts = () => lab.page.locator('.jp-CodeCell .jp-Cell-inputWrapper .jp-InputPrompt').allTextContents();
      await expect.poll(counts).toEqual(['[1]:', '[2]:', '[3]:', '[4]:', expect.any(String)]);
      await lab.kernelIdle();
      // The numbers may be those of before the restart.
      await expect.poll(() => lab.shown(lab.cells.nth(1))).toBe('2');
      await expect.poll(() => lab.shown(lab.cells.nth(2))).toBe('3');
    });

    test('is shown in the running panel, and ends there', async () => {
      await lab.newNotebook('panel.ipynb');
      await lab.page.locator('.lm-TabBar-tab[data-id="jp-running-sessions"]').click();
      const panel = lab.page.locator('#jp-running-sessions');
      const label = panel.locator('.jp-RunningSessions-itemLabel:has(.jp-RunningSessions-item-label-kernel-id)');
      expect(await label.textContent()).toMatch(/^panel\.ipynb/);
      expect((await running()).length).toBe(1);
      await label.hover();
      await label.locator('xpath=following-sibling::*[@title="Shut Down"]').click();
      await expect.poll(async () => (await running()).length).toBe(0);
    });

    test('answers a console', async () => {
      await lab.fresh();
      await lab.page.locator('.jp-LauncherCard[data-category="Console"]').first().click();
      await lab.page.locator('.jp-CodeConsole-promptCell .cm-content').click();
      await expect.poll(async () => (await running()).length).toBe(1);
      await lab.page.keyboard.insertText('[1, 2, 3].map((x) => x ** 2)');
      await press('Shift+Enter');
      await lab.page.locator('.jp-CodeConsole-content').getByText('[ 1, 4, 9 ]').waitFor();
    });
  },
);

describe.skipIf(isPageAbsent('a session that begins late'))('a session that begins late', () => {
  const lab = openPage({ environmentAfterMs: 3000 });

  test('is that of a notebook which was renamed meanwhile', async () => {
    await writeFile(join(lab.folder, 'before.ipynb'), JSON.stringify(notebookOf([''])));
    await lab.fresh('before.ipynb');
    await lab.cells.first().waitFor();
    await lab.menu('File', 'Rename Notebook…');
    await lab.page.locator('.jp-Dialog input').fill('after.ipynb');
    await lab.answer('Rename');
    expect(await (await lab.ask('/api/sessions')).json()).toEqual([]);
    await lab.kernelIdle();
    const sessions = async () => (await (await lab.ask('/api/sessions')).json()) as { path: string; name: string }[];
    await expect.poll(sessions).toMatchObject([{ path: 'after.ipynb', name: 'after.ipynb' }]);
    expect(await (await lab.ask('/api/kernels')).json()).toHaveLength(1);
    lab.takeFaults();
  });
});

describe.skipIf(isPageAbsent('a kernel whose environment is late'))('a kernel whose environment is late', () => {
  const lab = openPage({ environmentAfterMs: 50 });
  const running = async () => (await (await lab.ask('/api/kernels')).json()) as { id: string }[];

  test('is the same after a reload, also where a checkpoint is there', async () => {
    await writeFile(join(lab.folder, 'one.ipynb'), JSON.stringify(notebookOf([''])));
    await lab.ask('/api/contents/one.ipynb/checkpoints', { method: 'POST' });
    for (let round = 0; round < 2; round++) {
      await lab.loadNotebook('one.ipynb');
      const [kernel, ...others] = await running();
      expect(others).toEqual([]);
      await lab.page.reload();
      await lab.kernelIdle();
      expect((await running()).map(({ id }) => id)).toEqual([kernel?.id]);
    }
  });
});
