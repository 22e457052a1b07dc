import { describe, expect, it } from 'vitest';
import { axeFindings } from './axe.js';
import { isPageAbsent, notebookOf, openPage } from './open-page.js';

/** A mark under the code of a cell. */
const ERROR = '.cm-lintRange-error';
const HOVER = '.cm-tooltip .oddslab-hover';
const SIGNATURE = '.cm-tooltip.oddslab-signature';

describe.skipIf(isPageAbsent('what the page shows while one types'))('what the page shows while one types', () => {
  const lab = openPage({
    files: {
      'one.ipynb': notebookOf(["const size = 'a word';", '']),
      'two.ipynb': notebookOf(['const size = [1, 2];', '']),
      'plain.txt': 'const n: number = "text"',
    },
  });

  /**
   * Rests the pointer on a place of the last cell until its type is shown, and tells how often it had to: a busy kernel may
   * not know in time, and says nothing then.
   */
  async function restOn(place: { x: number; y: number }): Promise<number> {
    let rests = 0;
    const rest = async () => {
      await lab.page.mouse.move(5, 5);
      await lab.page.waitForTimeout(1100);
      rests += 1;
      await lab.cells.last().locator('.cm-line').hover({ position: place });
      await lab.page.waitForTimeout(rests * 1000);
      return lab.page.locator(HOVER).count();
    };
    await expect.poll(rest).toBe(1);
    return rests;
  }

  it('underlines what the cell would be warned of, until it is mended', async () => {
    await lab.newNotebook();
    const cell = lab.cells.last();
    await lab.write("const n: number = 'text'");
    const mark = cell.locator(ERROR);
    await mark.waitFor();
    expect(await mark.textContent()).toBe('n');
    await mark.hover();
    const told = lab.page.locator('.cm-tooltip .cm-diagnostic');
    expect(await told.first().textContent()).toContain("Type 'string' is not assignable to type 'number'.");
    await lab.page.keyboard.press('Escape');
    await told.first().waitFor({ state: 'detached' });
    await lab.write('const n: number = 1');
    await mark.waitFor({ state: 'detached' });
  });

  it('knows after a cell has run what the others meant', async () => {
    await lab.newNotebook();
    await lab.write('later.at(0)');
    await lab.cells.last().locator(ERROR).waitFor();
    await lab.page.keyboard.press('Escape');
    await lab.page.keyboard.press('a');
    await lab.page.keyboard.press('Enter');
    await lab.page.keyboard.insertText('const later = [1]');
    await lab.page.keyboard.press('Control+Enter');
    await lab.cells.last().locator(ERROR).waitFor({ state: 'detached' });
  });

  it('holds no editor of a notebook that was closed', async () => {
    const devtools = await lab.page.context().newCDPSession(lab.page);
    /** The editors that are alive, once what nobody holds was collected. */
    const editors = async (): Promise<number> => {
      const view =
        "let view = document.querySelector('.cm-content').cmTile?.view ?? document.querySelector('.cm-content').cmView.view;";
      const { result } = await devtools.send('Runtime.evaluate', {
        expression: `{ ${view} Object.getPrototypeOf(view); }`,
      });
      const { objects } = await devtools.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' });
      const { result: many } = await devtools.send('Runtime.callFunctionOn', {
        objectId: objects.objectId ?? '',
        functionDeclaration: 'function () { return this.length; }',
      });
      await devtools.send('Runtime.releaseObject', { objectId: objects.objectId ?? '' });
      return many.value as number;
    };
    const cells = lab.page.locator('.jp-NotebookPanel:visible .jp-CodeCell');
    const round = async (): Promise<void> => {
      await lab.page.locator('.jp-DirListing-itemName').getByText('one.ipynb').dblclick();
      await cells.filter({ hasText: 'a word' }).waitFor();
      await lab.page.locator('.jp-NotebookPanel:visible .jp-Notebook-ExecutionIndicator[data-status="idle"]').waitFor();
      await cells.nth(1).locator('.cm-content').click();
      await lab.page.keyboard.insertText('nowhere;');
      await cells.nth(1).locator(ERROR).waitFor();
      await lab.menu('File', 'Close Tab');
      await lab.answer('Discard');
      await cells.filter({ hasText: '[1, 2]' }).waitFor();
    };
    await lab.fresh('two.ipynb');
    await cells.filter({ hasText: '[1, 2]' }).waitFor();
    const before = await editors();
    for (let at = 0; at < 5; at += 1) await round();
    // JupyterLab holds the cells of the notebook closed last, and others until timers of its own have run.
    await expect.poll(editors, { timeout: 60_000, interval: 2000 }).toBeLessThanOrEqual(before + 2);
    await devtools.detach();
  });

  it('places marks behind characters of two units', async () => {
    await lab.newNotebook();
    await lab.write("'😀😀'; nowhere");
    const mark = lab.cells.last().locator(ERROR);
    await mark.waitFor();
    expect(await mark.textContent()).toBe('nowhere');
  });

  it('goes from finding to finding by F8, and reads them out', async () => {
    await lab.newNotebook();
    await lab.write("nowhere;\nconst n: number = 'text';");
    await lab.cells.last().locator(ERROR).nth(1).waitFor();
    await lab.page.keyboard.press('Control+Home');
    await lab.page.keyboard.press('F8');
    const selected = () => lab.page.evaluate(() => String(document.getSelection()));
    expect(await selected()).toBe('nowhere');
    const read = lab.cells.last().locator('.cm-announced');
    expect(await read.textContent()).toContain("error: Cannot find name 'nowhere'.");
    await lab.page.keyboard.press('F8');
    expect(await selected()).toBe('n');
    expect(await read.textContent()).toContain("error: Type 'string' is not assignable to type 'number'.");
    expect(await lab.page.locator('.cm-tooltip .cm-diagnostic').textContent()).toContain('is not assignable');
    await lab.page.keyboard.press('Shift+F8');
    expect(await selected()).toBe('nowhere');
  });

  it('marks nothing in a notebook that was only opened, nor in text files', async () => {
    await lab.openNotebook('one.ipynb');
    await lab.cells.nth(1).locator('.cm-content').click();
    await lab.page.keyboard.insertText('size.none');
    await lab.cells.nth(1).locator(ERROR).waitFor();
    expect(await lab.cells.first().locator(ERROR).count()).toBe(0);
    await lab.fresh('plain.txt');
    await lab.page.locator('.jp-FileEditor .cm-content').click();
    await lab.page.keyboard.insertText('const n: number = "x"');
    await lab.page.waitForTimeout(1500);
    expect(await lab.page.locator(ERROR).count()).toBe(0);
  });

  it('shows the type of the name under the pointer, and hides it by Escape', async () => {
    await lab.newNotebook();
    await lab.run('/** Adds **both**. */\nfunction add(a: number, b: string) { return a + b; }');
    await lab.write("'😀😀'; add;");
    await restOn(await placeOf('add'));
    const tooltip = lab.page.locator(HOVER);
    expect(await tooltip.textContent()).toContain('function add(a: number, b: string): string');
    expect(await tooltip.locator('strong').textContent()).toBe('both');
    await lab.page.keyboard.press('Escape');
    await tooltip.waitFor({ state: 'detached' });
  });

  it('leaves Escape to others once the notebook was closed in which a type was shown', async () => {
    await lab.newNotebook();
    await lab.write('const word = 1;');
    await restOn(await placeOf('word'));
    await lab.newNotebook();
    await lab.page.locator('.jp-Notebook.jp-mod-editMode').waitFor();
    await lab.page.keyboard.press('Escape');
    await lab.page.locator('.jp-Notebook.jp-mod-commandMode').waitFor();
  });

  it('asks nothing about what lies under the pointer while one types', async () => {
    let asked = 0;
    lab.page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        if (payload.includes('inspect_request')) asked += 1;
      }),
    );
    await lab.newNotebook();
    await lab.write('const word = 1;');
    const place = { position: await placeOf('word') };
    await lab.cells.last().locator('.cm-line').hover(place);
    for (let at = 0; at < 12; at++) {
      await lab.page.keyboard.type(' ');
      await lab.page.waitForTimeout(100);
    }
    expect([asked, await lab.page.locator(HOVER).count()]).toEqual([0, 0]);
    expect(await restOn(place.position)).toBe(asked);
  });

  it('underlines, explains and completes calls in a console, too', async () => {
    await lab.newNotebook();
    await lab.run('const amount = 3;');
    await lab.command('New Console for Notebook');
    const prompt = lab.page.locator('.jp-CodeConsole-promptCell');
    await prompt.locator('.cm-content').click();
    await lab.page.keyboard.insertText('amount.none');
    await prompt.locator(ERROR).waitFor();
    expect(await prompt.locator(ERROR).textContent()).toBe('none');
    await lab.page.keyboard.press('Control+a');
    await lab.page.keyboard.type('amount.toFixed(');
    await lab.page.locator(SIGNATURE).waitFor();
    expect(await lab.page.locator(SIGNATURE).locator('code').textContent()).toBe(
      'toFixed(fractionDigits?: number): string',
    );
  });

  it('shows the parameters of a call from its bracket until it is left', async () => {
    await lab.newNotebook();
    await lab.run('/** Adds.\n * @param b The second. */\nfunction add(a: number, b: string) { return a + b; }');
    const tooltip = lab.page.locator(SIGNATURE);
    const bold = tooltip.locator('strong');
    await lab.write('');
    await lab.page.keyboard.type('add(');
    await tooltip.waitFor();
    expect(await tooltip.locator('code').textContent()).toBe('add(a: number, b: string): string');
    expect(await bold.textContent()).toBe('a: number');
    await lab.page.keyboard.type('Math.max(1, 2), ');
    await bold.filter({ hasText: 'b: string' }).waitFor();
    expect(await tooltip.textContent()).toContain('The second.');
    await lab.page.keyboard.press('ArrowLeft');
    await lab.page.keyboard.press('ArrowLeft');
    await bold.filter({ hasText: 'a: number' }).waitFor();
    await lab.page.keyboard.press('End');
    await bold.filter({ hasText: 'b: string' }).waitFor();
    await lab.page.keyboard.type("'c');");
    await tooltip.waitFor({ state: 'detached' });
    expect(await lab.cells.last().locator('.cm-content').textContent()).toBe("add(Math.max(1, 2), 'c');");
  });

  it('shows the parameters however fast one writes on while the kernel is asked', async () => {
    await lab.newNotebook();
    const tooltip = lab.page.locator(SIGNATURE);
    for (const pauseMs of [70, 82, 86, 90, 95, 105]) {
      await lab.write('');
      await tooltip.waitFor({ state: 'detached' });
      await lab.page.keyboard.type('Math.max(');
      await lab.page.waitForTimeout(pauseMs);
      await lab.page.keyboard.type('1');
      await tooltip.waitFor();
    }
  });

  it('closes the parameters by Escape, and leaves the cell by the next one', async () => {
    await lab.newNotebook();
    await lab.write('');
    await lab.page.keyboard.type('Math.max(');
    const tooltip = lab.page.locator(SIGNATURE);
    await tooltip.waitFor();
    await lab.page.keyboard.press('Escape');
    await tooltip.waitFor({ state: 'detached' });
    expect(await lab.page.locator('.jp-Notebook.jp-mod-editMode').count()).toBe(1);
    await lab.page.keyboard.press('Escape');
    await lab.page.locator('.jp-Notebook.jp-mod-commandMode').waitFor();
  });

  it('leaves Tab, Enter and arrows to the completer', async () => {
    await lab.newNotebook();
    await lab.run('const amount = 3; const amounts = [4];');
    await lab.write('');
    await lab.page.keyboard.type('Math.max(amou');
    await lab.page.locator(SIGNATURE).waitFor();
    await lab.page.keyboard.press('Tab');
    await lab.page
      .locator('.jp-Completer.jp-mod-completer-enabled, .jp-Completer:not(.lm-mod-hidden)')
      .first()
      .waitFor();
    await lab.page.keyboard.press('ArrowDown');
    await lab.page.keyboard.press('Enter');
    await expect.poll(() => lab.cells.last().locator('.cm-content').textContent()).toBe('Math.max(amounts');
  });

  it('asks the kernel of its own notebook, of two side by side', async () => {
    const side = 'lab/api/workspaces/side';
    const tab = (path: string) => ({ type: 'tab-area', currentIndex: 0, widgets: [`notebook:${path}`] });
    const opened = (path: string) => [`notebook:${path}`, { data: { path, factory: 'Notebook' } }];
    const paths = ['one.ipynb', 'two.ipynb'];
    const dock = { type: 'split-area', orientation: 'horizontal', sizes: [0.5, 0.5], children: paths.map(tab) };
    const data = { 'layout-restorer:data': { main: { dock } }, ...Object.fromEntries(paths.map(opened)) };
    const body = JSON.stringify({ data, metadata: { id: 'side' } });
    expect((await lab.ask(`/${side}`, { method: 'PUT', body })).status).toBe(204);
    await lab.page.goto(`${lab.url}/lab/workspaces/side`);
    const panels = ["'a word'", '[1, 2]'].map((text) => lab.page.locator('.jp-NotebookPanel', { hasText: text }));
    for (const panel of panels) {
      await panel.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').waitFor();
      await panel.locator('.jp-CodeCell .cm-content').first().click();
      await lab.page.keyboard.press('Control+Enter');
      await panel
        .locator('.jp-CodeCell .jp-InputPrompt')
        .first()
        .filter({ hasText: /\[\d+\]:/ })
        .waitFor();
      await panel.locator('.jp-CodeCell .cm-content').nth(1).click();
      await lab.page.keyboard.insertText('size.no');
    }
    const told: string[] = [];
    for (const panel of panels) {
      const mark = panel.locator(ERROR);
      await mark.waitFor();
      await mark.hover();
      told.push((await lab.page.locator('.cm-tooltip .cm-diagnostic').first().textContent()) ?? '');
      await lab.page.keyboard.press('Escape');
      await lab.page.locator('.cm-tooltip .cm-diagnostic').first().waitFor({ state: 'detached' });
    }
    expect(told.map((text) => /on type '([^']+)'/.exec(text)?.[1])).toEqual(['"a word"', 'number[]']);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`can be read by everybody, in ${colorScheme} colours`, async () => {
      await lab.page.emulateMedia({ colorScheme });
      await lab.newNotebook();
      await lab.run(
        '/** Adds **both**, `a` and `b`. @see https://example.org */\nfunction add(a: number, b: string) { return a + b; }',
      );
      await lab.write("const n: number = 'text'; (n, add(1, 'b'));");
      const cell = lab.cells.last();
      await cell.locator(ERROR).hover();
      await lab.page.locator('.cm-tooltip .cm-diagnostic').first().waitFor();
      expect(await axeFindings(lab.page, '.cm-tooltip')).toEqual([]);
      await lab.page.keyboard.press('Escape');
      await restOn(await placeOf('add'));
      await lab.page.locator(HOVER).locator('strong').waitFor();
      expect(await axeFindings(lab.page, '.cm-tooltip')).toEqual([]);
      await lab.page.keyboard.press('Escape');
      await lab.page.mouse.move(5, 5);
      await lab.write('');
      await lab.page.keyboard.type('[1].reduce((a, b) => a + b, ');
      await lab.page.locator(SIGNATURE).waitFor();
      expect(await axeFindings(lab.page, SIGNATURE)).toEqual([]);
    });

  /** Where a word of the last cell's first line lies within that line. */
  async function placeOf(word: string): Promise<{ x: number; y: number }> {
    const line = lab.cells.last().locator('.cm-line').first();
    return line.evaluate((element, text) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const own = element.getBoundingClientRect();
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.textContent?.lastIndexOf(text) ?? -1;
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + text.length);
        const box = range.getBoundingClientRect();
        return { x: box.x + box.width / 2 - own.x, y: box.y + box.height / 2 - own.y };
      }
      throw new Error(`The line has no ${text}.`);
    }, word);
  }
});
