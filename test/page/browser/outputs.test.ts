import { beforeAll, describe, expect, test } from 'vitest';
import { isPageAbsent, notebookOf, openPage } from './open-page.js';

const CHART = `import { DataFrame, cumulativePnlChart } from 'oddslab';
const days = new DataFrame({
  bucket_start: ['2024-01-01', '2024-01-02', '2024-01-03'],
  realized_pnl_usd: [5, -2, 4],
});`;

/** A bar chart as a notebook from elsewhere holds it. */
const SPEC = {
  $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
  data: {
    values: [
      { market: 'A', volume: 3 },
      { market: 'B', volume: 5 },
    ],
  },
  mark: 'bar',
  encoding: { x: { field: 'market', type: 'nominal' }, y: { field: 'volume', type: 'quantitative' } },
};
const EVIL = '<b>shown</b><script>window.isTaken = true</script><img src="x" onerror="window.isTaken = true">';

/** A notebook from elsewhere: its outputs were never run here. */
const ELSEWHERE = notebookOf([
  {
    source: 'chart',
    execution_count: 1,
    outputs: [output({ 'application/vnd.vegalite.v5+json': SPEC, 'text/plain': 'a chart' })],
  },
  { source: 'html', execution_count: 2, outputs: [output({ 'text/html': EVIL, 'text/plain': 'html' })] },
  {
    source: 'js',
    execution_count: 3,
    outputs: [output({ 'application/javascript': 'window.isTaken = true', 'text/plain': 'plain' })],
  },
]);

function output(data: Record<string, unknown>) {
  return { output_type: 'display_data', metadata: {}, data };
}

describe.skipIf(isPageAbsent('outputs in the notebook page'))('outputs in the notebook page', () => {
  const lab = openPage({ files: { 'elsewhere.ipynb': ELSEWHERE } });

  beforeAll(() => lab.newNotebook());

  test('are drawn as charts', async () => {
    await lab.run(CHART);
    const cell = await lab.run(
      'const { Chart } = await import("oddslab");\nnew Chart({ ...SPEC })'.replace('SPEC', JSON.stringify(SPEC)),
    );
    const chart = cell.locator('.vega-embed canvas, .vega-embed svg').first();
    await chart.waitFor();
    const { width = 0, height = 0 } = (await chart.boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThan(20);
  });

  test('that are long are drawn whole, in blocks, while more of them comes', async () => {
    const cell = await lab.run(`for (let part = 0; part < 4; part += 1) {
      for (let line = 0; line < 2000; line += 1) console.log(\`\${part}.\${line} \${'x'.repeat(20)}\`);
      console.log('see https://example.org/' + part);
      await new Promise((done) => setTimeout(done, 300));
    }`);
    const output = cell.locator('.jp-OutputArea-output').first();
    const lines = [0, 1, 2, 3].flatMap((part) => [
      ...Array.from({ length: 2000 }, (_, line) => `${part}.${line} ${'x'.repeat(20)}\n`),
      `see https://example.org/${part}\n`,
    ]);
    expect(await output.evaluate(({ textContent }) => textContent)).toBe(lines.join(''));
    expect(await output.locator('.oddslab-text-block').count()).toBeGreaterThan(5);
    expect(await output.locator('a[href="https://example.org/2"]').count()).toBe(1);
    // As high before it was in sight as if it had been: no block is laid out anew on the way to its end.
    const height = await output.evaluate(({ scrollHeight }) => scrollHeight);
    expect(height / lines.length).toBeGreaterThan(10);
    expect(height / lines.length).toBeLessThan(30);
  });

  test('that are long and coloured keep their colours', async () => {
    const cell = await lab.run("console.log('\\x1b[31m' + 'red '.repeat(30_000))");
    const red = cell.locator('.jp-OutputArea-output .ansi-red-fg').first();
    expect((await red.textContent())?.length).toBe(120_001);
  });

  test('are drawn as mathematics', async () => {
    const cell = await lab.run("display.latex('$$\\\\int_0^1 x^2\\\\,dx = \\\\tfrac13$$')");
    await cell.locator('mjx-container').first().waitFor();
  });

  test('are shown as HTML, whose scripts run where one ran the cell', async () => {
    const cell = await lab.run(
      `display.html('<b class="hello">bold</b><script>document.querySelector(".hello").textContent = "script ran"</script>')`,
    );
    await expect.poll(() => cell.locator('.hello').textContent()).toBe('script ran');
  });

  test('are shown as a tree of JSON, which opens', async () => {
    const cell = await lab.run('display.json({ market: { title: "Rain", odds: [0.25, 0.75] } })');
    const tree = cell.locator('.jp-RenderedJSON');
    await tree.getByText('market').first().waitFor();
    await tree.locator('li').getByText('market').first().click();
    await tree.getByText('title').first().waitFor();
  });

  test('grow while a cell runs: progress, and lines in their order', async () => {
    const cell = await lab.run(
      'for (const day of display.progress([1, 2, 3], "days")) {\n  console.log("day", day);\n  await new Promise((done) => setTimeout(done, 5));\n}',
    );
    const shown = await lab.shown(cell);
    expect(shown).toContain('days: 3 done');
    expect(shown).toMatch(/day 1\s+day 2\s+day 3/);
  });

  test('of a frame are a table', async () => {
    const cell = await lab.run('days');
    await cell.locator('table').first().waitFor();
    expect(await cell.locator('table thead th').allTextContents()).toEqual(
      expect.arrayContaining(['bucket_start', 'realized_pnl_usd']),
    );
  });

  test('of 10,000 lines are all there', async () => {
    const cell = await lab.run('for (let i = 0; i < 10_000; i++) console.log("line", i);');
    await expect.poll(() => lab.shown(cell)).toMatch(/line 9999$/);
  });

  test('of a notebook from elsewhere show charts, and run nothing', async () => {
    await lab.fresh('elsewhere.ipynb');
    await lab.kernelIdle();
    await lab.cells.nth(0).locator('.vega-embed canvas, .vega-embed svg').first().waitFor();
    await lab.cells.nth(1).locator('b').getByText('shown').waitFor();
    await expect.poll(() => lab.shown(lab.cells.nth(2))).toBe('plain');
    expect(await lab.page.evaluate('window.isTaken')).toBeUndefined();
    // The picture that JupyterLab's own charts add to their notebooks would come by now.
    await lab.page.waitForTimeout(500);
    expect(await lab.page.locator('.jp-mod-dirty').count()).toBe(0);
    lab.takeFaults();
  });

  test('of charts are readable in the dark, too', async () => {
    await lab.page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => lab.page.evaluate('document.body.dataset.jpThemeLight')).toBe('false');
    await lab.fresh('elsewhere.ipynb');
    const canvas = lab.cells.nth(0).locator('.vega-embed canvas');
    await canvas.waitFor();
    const brightness = () =>
      canvas.evaluate((node: HTMLCanvasElement) => {
        const pixels = node.getContext('2d')?.getImageData(0, 0, node.width, node.height).data ?? [];
        // How bright the brightest is of what is drawn: words and axes, as what lies behind them is dark.
        let brightest = 0;
        for (let at = 0; at < pixels.length; at += 4) {
          if ((pixels[at + 3] ?? 0) > 200) brightest = Math.max(brightest, Math.min(...pixels.slice(at, at + 3)));
        }
        return brightest;
      });
    await expect.poll(brightness).toBeGreaterThan(180);
    await lab.page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => lab.page.evaluate('document.body.dataset.jpThemeLight')).toBe('true');
    // The picture that the hostile output names is not there.
    lab.takeFaults();
  });
});

describe.skipIf(isPageAbsent('charts on a phone'))('charts on a phone', () => {
  const lab = openPage({
    files: {
      'phone.ipynb': notebookOf([
        `${CHART}\ncumulativePnlChart(new DataFrame({ date: days['bucket_start'].values, pnl: [5, -2, 4] }))`,
      ]),
    },
    browser: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  });
  const chart = () => lab.page.locator('.jp-OutputArea-output:has(.marks)').first();
  const overflow = () => chart().evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  /** The width on the screen of a pixel of the chart: below 10 / 11 its labels are too small to be read. */
  const scale = () =>
    chart()
      .locator('.marks')
      .evaluate((marks) => marks.getBoundingClientRect().width / Number(marks.getAttribute('width')));

  test('fit the page with all their words, and follow its width', async () => {
    const { page } = lab;
    // A page that is loaded there shows no side panel.
    await lab.load('phone.ipynb');
    await page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').waitFor({ state: 'attached' });
    await page.locator('.jp-Notebook .jp-CodeCell .cm-content').first().click();
    await page.keyboard.press('Shift+Enter');
    await chart().locator('.marks').waitFor();
    await expect.poll(overflow).toBeLessThanOrEqual(0);
    expect(await scale()).toBeGreaterThan(0.9);
    expect((await chart().locator('.marks').textContent())?.replaceAll(/\s/g, '')).toContain('CumulativerealizedPnL');
    const narrow = Number(await chart().locator('.marks').getAttribute('width'));
    await page.setViewportSize({ width: 1280, height: 844 });
    await expect.poll(async () => Number(await chart().locator('.marks').getAttribute('width'))).toBeGreaterThan(600);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(async () => Number(await chart().locator('.marks').getAttribute('width'))).toBe(narrow);
    expect(await overflow()).toBeLessThanOrEqual(0);
  });
});
