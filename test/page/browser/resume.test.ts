import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as afterMs } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { isPageAbsent, notebookOf, openPage } from './open-page.js';

const counting = (count: number, everyMs = 200) =>
  `for (let i = 0; i < ${count}; i++) { console.log('n' + i); await new Promise((done) => setTimeout(done, ${everyMs})); } 'end'`;

const counted = (count: number) => [...Array.from({ length: count }, (_, i) => `n${i}`), '', "'end'"].join('\n');

/** Counts for 6 s, and on for as long as the reader takes. */
const COUNTING_ON = `let i = 0;
for (; i < 30 || !require('node:fs').existsSync('enough'); i++) { console.log('n' + i); await new Promise((done) => setTimeout(done, 200)); }
'end'`;

describe.skipIf(isPageAbsent('a cell that runs while its page is reloaded'))('a page that is reloaded', () => {
  const lab = openPage({
    files: {
      'counting.ipynb': notebookOf([COUNTING_ON, "console.log('second')"]),
      'ended.ipynb': notebookOf([
        counting(8),
        "display.html('<b>shown</b>')",
        "console.log('three'); throw new RangeError('on purpose')",
      ]),
      'typed.ipynb': notebookOf(['']),
      'asking.ipynb': notebookOf(["const name = await input('Name? '); console.log('Hello ' + name)"]),
    },
  });

  // The page asks whether to leave what is not saved.
  beforeAll(() => void lab.page.on('dialog', (dialog) => void dialog.accept()));

  /** Leaves the page as a reader does who reloads it without saving. */
  const reload = async () => {
    await lab.page.reload();
    await lab.page.waitForFunction(() => performance.getEntriesByName('lab-restored').length > 0);
    await lab.cells.first().waitFor();
  };
  const prompt = (at: number) => lab.cells.nth(at).locator('.jp-InputPrompt').textContent();
  const shown = (at: number) => lab.shown(lab.cells.nth(at));

  it('shows a cell that counts for 6 s from its first number to its last, each once', async () => {
    await lab.loadNotebook('counting.ipynb');
    await lab.page.keyboard.press('Shift+Enter');
    await lab.page.keyboard.press('Shift+Enter');
    await expect.poll(() => shown(0)).toContain('n5');
    await reload();
    await expect.poll(() => prompt(0)).toBe('[*]:');
    await expect.poll(() => shown(0)).toMatch(/^n0\nn1\n/);
    expect(await prompt(1)).toBe('[*]:');
    const early = await shown(0);
    await expect.poll(() => shown(0)).not.toBe(early);
    await writeFile(join(lab.folder, 'enough'), '');
    await expect.poll(() => shown(0)).toContain('end');
    const text = await shown(0);
    expect(text).toBe(counted(text.match(/n\d+/g)?.length ?? 0));
    await expect.poll(() => prompt(0)).toBe('[1]:');
    await expect.poll(() => prompt(1)).toBe('[2]:');
    expect(await shown(1)).toBe('second');
  });

  it('shows what ended while nobody looked, and saves it', async () => {
    await lab.loadNotebook('ended.ipynb');
    await lab.page.keyboard.press('Control+Home');
    for (let cell = 0; cell < 3; cell++) await lab.page.keyboard.press('Shift+Enter');
    await expect.poll(() => shown(0)).toContain('n2');
    const { page } = lab;
    const address = page.url();
    await page.goto('about:blank');
    await afterMs(2500);
    await page.goto(address);
    await lab.cells.first().waitFor();
    await expect.poll(() => prompt(2)).toBe('[3]:');
    expect(await shown(0)).toBe(counted(8));
    expect(await shown(1)).toBe('shown');
    expect(await shown(2)).toMatch(/^three\n(.|\n)*RangeError: on purpose/);
    // A save soon after an output leaves it with the server, too: shown again, it is the same.
    await lab.page.keyboard.press('Control+s');
    await lab.page.locator('.jp-mod-current.jp-mod-dirty').waitFor({ state: 'detached' });
    await reload();
    await expect.poll(() => shown(0)).toBe(counted(8));
    await expect.poll(() => shown(2)).toMatch(/^three\n(.|\n)*RangeError: on purpose/);
  });

  it('has the code that ran, where the file has not got it, and no code that was changed since and saved', async () => {
    await lab.loadNotebook('typed.ipynb');
    const codes = ["'first'", "'second'", "'third'"];
    for (const code of codes) await lab.run(code);
    await reload();
    await expect.poll(() => shown(2)).toBe("'third'");
    const sources = () => lab.cells.locator('.cm-content').allInnerTexts();
    expect(await sources()).toEqual(codes);
    expect(await Promise.all([0, 1, 2].map(prompt))).toEqual(['[1]:', '[2]:', '[3]:']);
    await lab.cells.nth(1).locator('.cm-content').click();
    await lab.page.keyboard.press('Control+a');
    await lab.page.keyboard.insertText("'changed'");
    await lab.page.keyboard.press('Control+s');
    await lab.page.locator('.jp-mod-current.jp-mod-dirty').waitFor({ state: 'detached' });
    await reload();
    await expect.poll(() => shown(2)).toBe("'third'");
    await lab.kernelIdle();
    expect(await sources()).toEqual(["'first'", "'changed'", "'third'"]);
  });

  it('asks again what a cell asks', async () => {
    await lab.loadNotebook('asking.ipynb');
    await lab.page.keyboard.press('Shift+Enter');
    await lab.page.locator('.jp-Stdin-input').waitFor();
    await reload();
    const field = lab.page.locator('.jp-Stdin-input');
    await field.fill('Ada');
    await field.press('Enter');
    await expect.poll(() => shown(0)).toContain('Hello Ada');
    await expect.poll(() => prompt(0)).toBe('[1]:');
  });
});
