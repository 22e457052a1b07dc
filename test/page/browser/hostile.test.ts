import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isPageAbsent, notebookOf, openPage, serveFolder } from './open-page.js';

/** Marks the page, or the page that frames or opened it. */
const RUN = "for (const each of [window, parent, top, opener]) try { each.ran = 'a script ran' } catch {}";

const data = (type: string, value: unknown) => ({ output_type: 'display_data', metadata: {}, data: { [type]: value } });
const encoded = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script></svg>`,
).toString('base64');
const chart = {
  data: { values: [{ a: 1 }], name: 'd' },
  mark: { type: 'bar', href: `javascript:${RUN}`, tooltip: { content: `<img src=x onerror="${RUN}">` } },
  transform: [{ calculate: `window.ran = 'a script ran'`, as: 'b' }],
  encoding: { x: { field: 'a' }, href: { value: `javascript:${RUN}` } },
  usermeta: {
    embedOptions: {
      actions: true,
      sourceHeader: `<img src=x onerror="${RUN}">`,
      loader: { baseURL: 'http://evil.example/' },
    },
  },
};

/** Outputs that would run a script, or ask another machine, if the page took them at their word. */
const OUTPUTS = [
  data(
    'text/html',
    `<script>${RUN}</script><img src="x:" onerror="${RUN}"><svg onload="${RUN}"></svg><iframe srcdoc="<script>${RUN}</script>"></iframe>`,
  ),
  data(
    'text/html',
    `<a id="link" href="javascript:${RUN}">a link</a><form action="javascript:${RUN}"><button id="button">send</button></form>`,
  ),
  data(
    'text/html',
    `<meta http-equiv="refresh" content="0;url=http://evil.example/"><base href="http://evil.example/"><object data="data:text/html,x"></object>`,
  ),
  data(
    'text/html',
    `<div class="lm-Widget jp-ThemedContainer" data-commandlinker-command="notebook:restart-run-all" data-commandlinker-args="{}" >linked</div>`,
  ),
  data('application/javascript', RUN),
  data(
    'image/svg+xml',
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${RUN}"><script>${RUN}</script></svg>`,
  ),
  data('image/svg+xml', `"><script>${RUN}</script>`),
  data('image/png', `"><img src=x: onerror="${RUN}">`),
  data(
    'text/markdown',
    `<script>${RUN}</script> [a](javascript:alert) <img src="x:" onerror="${RUN}"> ![x](data:image/svg+xml;base64,${encoded})`,
  ),
  data(
    'text/latex',
    `$\\href{javascript:${RUN}}{x} \\style{background: url(http://evil.example/)}{y} \\unicode{x3c}script>$`,
  ),
  data('application/vnd.vegalite.v5+json', chart),
  data('application/vnd.vegalite.v5+json', { ...chart, transform: [] }),
  data('application/vnd.vegalite.v5+json', { ...chart, transform: [], data: { url: 'a.csv' } }),
  data('application/vnd.vega.v5+json', { ...chart, signals: [{ name: 's', init: `window.alert(1)` }] }),
  data('application/vnd.jupyter.widget-view+json', { model_id: 'x' }),
  data('application/json', { [`<img src=x: onerror="${RUN}">`]: `<script>${RUN}</script>` }),
  {
    output_type: 'error',
    ename: `<script>${RUN}</script>`,
    evalue: `<img src=x: onerror="${RUN}">`,
    traceback: [`<script>${RUN}</script>`],
  },
  { output_type: 'stream', name: 'stdout', text: `<script>${RUN}</script>\u001b]8;;javascript:${RUN}\u0007x` },
];

const trusted = { trusted: true };
const HOSTILE = {
  ...notebookOf([
    { source: '1', metadata: trusted, execution_count: 1, outputs: OUTPUTS },
    {
      cell_type: 'markdown',
      metadata: trusted,
      source: `<script>${RUN}</script><img src="x:" onerror="${RUN}"> <svg onload="${RUN}">`,
    },
    { cell_type: 'raw', metadata: trusted, source: `<script>${RUN}</script>` },
  ]),
};
const SHOWN = notebookOf([
  { source: '1', execution_count: 1, outputs: [data('text/html', `<b>seen</b><script>${RUN}</script>`)] },
]);

describe.skipIf(isPageAbsent('hostile notebooks'))('what others wrote', () => {
  const lab = openPage({
    files: {
      'hostile.ipynb': { ...HOSTILE, metadata: { ...Object(HOSTILE.metadata), trusted: true } },
      'shown.ipynb': SHOWN,
      'page.html': `<body></body><script>${RUN}
        try { document.cookie; document.body.textContent = 'read'; } catch { document.body.textContent = 'refused'; }
        fetch('/api/contents').then((a) => a.text(), String).then((text) => { document.title = text; });
      </script>`,
    },
  });
  const ran = () => lab.page.evaluate(() => (window as { ran?: string }).ran);

  test('runs no script of a notebook, and asks no other machine, whatever it says of trust', async () => {
    await lab.openNotebook('hostile.ipynb');
    await expect.poll(() => lab.page.locator('.jp-OutputArea-output').count(), { timeout: 20_000 }).toBeGreaterThan(3);
    await lab.page.locator('.vega-embed').first().waitFor();
    for (const text of ['a link', 'send', 'linked']) {
      const element = lab.page.locator('.jp-OutputArea').getByText(text, { exact: true });
      if ((await element.count()) > 0) await element.first().click({ force: true });
    }
    await lab.page.locator('.vega-embed canvas, .vega-embed svg').first().click({ force: true });
    await lab.page.waitForTimeout(1000);
    expect(await ran()).toBeUndefined();
    expect(new URL(lab.page.url()).origin).toBe(lab.url);
    expect(
      await lab.page.locator('.jp-OutputArea script, .jp-MarkdownOutput script, [onerror], [onload]').count(),
    ).toBe(0);
    // The page's policy told in the console what it has held back.
    const others = (fault: string) => /asks elsewhere/.test(fault) || !/^(console|40\d GET)/.test(fault);
    expect(lab.takeFaults().filter(others)).toEqual([]);
  });

  test('runs scripts of outputs that were trusted, which shows that it is trust that holds them back', async () => {
    await lab.openNotebook('shown.ipynb');
    await lab.page.getByText('seen', { exact: true }).waitFor();
    expect(await ran()).toBeUndefined();
    expect((await fetch(`${lab.url}/api/contents/shown.ipynb/trust`, { method: 'POST' })).status).toBe(403);
    const { status } = await lab.ask('/api/contents/shown.ipynb/trust', { method: 'POST' });
    expect(status).toBe(201);
    await lab.openNotebook('shown.ipynb');
    await expect.poll(ran, { timeout: 20_000 }).toBe('a script ran');
    lab.takeFaults();
  });

  test('shows a page of the folder as one of another site', async () => {
    const tab = await lab.page.context().newPage();
    await tab.goto(`${lab.url}/files/page.html`);
    await expect.poll(() => tab.title()).toMatch(/Failed to fetch|TypeError/);
    expect(await tab.locator('body').textContent()).toBe('refused');
    await tab.close();
    lab.takeFaults();
  });

  test('leaves the example notebooks unchanged and unmarked when they are opened and saved', async () => {
    const text = await readFile(new URL('../../../notebooks/01-quick-start.ipynb', import.meta.url), 'utf8');
    await writeFile(join(lab.folder, 'example.ipynb'), text);
    await lab.openNotebook('example.ipynb');
    await lab.page.locator('.vega-embed').first().waitFor();
    // The kernel's words, and what drawing a chart might add, would come by now.
    await lab.page.waitForTimeout(500);
    expect(await lab.page.locator('.jp-mod-dirty').count()).toBe(0);
    const saved = lab.page.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && /example/.test(answer.url()),
    );
    await lab.page.keyboard.press('Control+s');
    expect((await saved).status()).toBe(200);
    expect((await readFile(join(lab.folder, 'example.ipynb'), 'utf8')) === text).toBe(true);
  });
});

test.skipIf(isPageAbsent('a browser let in'))(
  'a browser is let in by a file that leads on, once, and keeps no code',
  async () => {
    const { served, close } = await serveFolder({});
    onTestFinished(close);
    const folder = await mkdtemp(join(tmpdir(), 'oddslab-open-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const address = served.address();
    await writeFile(join(folder, 'open.html'), `<meta http-equiv="refresh" content="0;url=${address}">`);
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
    onTestFinished(() => browser.close());
    const tab = await (await browser.newContext()).newPage();
    await tab.goto(pathToFileURL(join(folder, 'open.html')).href);
    await tab.waitForURL(`${served.url}/lab`);
    await tab.waitForFunction(() => performance.getEntriesByName('lab-restored').length > 0);
    expect(await tab.evaluate(() => [document.cookie, document.referrer])).toEqual(['', '']);
    // Going back finds no address with a code that works.
    const other = await (await browser.newContext()).newPage();
    expect((await other.goto(address))?.status()).toBe(403);
    expect(await other.locator('body').textContent()).toMatch(/^This browser has not been let in/);
  },
);
