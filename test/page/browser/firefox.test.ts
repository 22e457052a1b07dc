import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isAbsent } from '../../support/is-absent.js';
import { Firefox } from './firefox.js';
import { isPageAbsent, notebookOf, PICTURE, serveFolder } from './open-page.js';

const PROGRAM = '/usr/bin/firefox-esr';
const WHAT = 'the notebook page in Firefox';

describe.skipIf(isPageAbsent(WHAT) || isAbsent(PROGRAM, WHAT))(WHAT, () => {
  let lab: Awaited<ReturnType<typeof serveFolder>>;
  let firefox: Firefox;
  const until = (expression: string) => expect.poll(() => firefox.evaluate(expression)).toBe(true);
  const idle = () => until(`!!document.querySelector('.jp-Notebook-ExecutionIndicator[data-status="idle"]')`);
  const shown = (at: number) =>
    firefox.evaluate(
      `document.querySelectorAll('.jp-CodeCell')[${at}]?.querySelector('.jp-OutputArea-output')?.innerText.trim()`,
    );

  beforeAll(async () => {
    lab = await serveFolder({ files: { 'study.ipynb': notebookOf(['']) } });
    firefox = await Firefox.start(PROGRAM);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await writeFile(PICTURE, await firefox.picture());
  });
  afterAll(async () => {
    await firefox?.close();
    await lab?.close();
  });

  test('opens, by the address that lets a browser in', async () => {
    await firefox.goto(lab.served.address());
    await until(`performance.getEntriesByName('lab-restored').length > 0`);
    expect(await firefox.evaluate('document.cookie')).toBe('');
  });

  test('runs what is typed', async () => {
    await firefox.goto(`${lab.served.url}/lab/tree/study.ipynb`);
    await idle();
    await firefox.click('.jp-CodeCell .cm-content');
    await firefox.type('const answer: number = 6 * 7;\nanswer');
    await firefox.press('Shift+Enter');
    await expect.poll(() => shown(0)).toBe('42');
  });

  test('completes by Tab', async () => {
    await firefox.click('.jp-Cell.jp-mod-active .cm-content');
    await firefox.type('answer.to');
    await firefox.press('Tab');
    const offered = () => firefox.evaluate(`document.querySelector('.jp-Completer')?.innerText ?? ''`);
    await expect.poll(offered).toContain('toFixed');
    await firefox.press('Enter');
    await until(`/answer\\.to\\w+/.test(document.querySelector('.jp-Cell.jp-mod-active .cm-content').innerText)`);
  });

  test('draws a chart, and mathematics', async () => {
    await firefox.click('.jp-Cell.jp-mod-active .cm-content');
    await firefox.press('Control+a');
    await firefox.type(
      "import { Chart } from 'oddslab';\nnew Chart({ mark: 'bar', data: { values: [{ a: 1 }] }, encoding: { y: { field: 'a', type: 'quantitative' } } })",
    );
    await firefox.press('Shift+Enter');
    await until(`!!document.querySelector('.vega-embed canvas, .vega-embed svg')`);
    await firefox.type("display.latex('$x^2$')");
    await firefox.press('Shift+Enter');
    await until(`!!document.querySelector('mjx-container')`);
  });

  test('saves', async () => {
    await firefox.press('Control+s');
    const saved = async () =>
      JSON.parse(await readFile(join(lab.folder, 'study.ipynb'), 'utf8')).cells[0].outputs.length;
    await expect.poll(saved).toBe(1);
    expect(firefox.errors.filter((text) => !/yjs|favicon/.test(text))).toEqual([]);
  });
});
