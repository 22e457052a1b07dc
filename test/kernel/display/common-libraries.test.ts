import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MimeBundle } from '../../../src/kernel/wire/runner.js';
import { exportHtml } from '../../../src/notebook/export/export-html.js';
import { areLibrariesAbsent, linkLibraries } from '../../support/libraries.js';
import { TestNotebook } from '../run-cells.js';

const LIBRARIES = [
  'arquero',
  'apache-arrow',
  'd3-selection',
  'linkedom',
  '@observablehq/plot',
  '@napi-rs/canvas',
  'vega-lite-api',
];
const PAGE = "import { parseHTML } from 'linkedom'; const { document } = parseHTML('<html><body></body></html>');";
const SPEC =
  "{ $schema: 'https://vega.github.io/schema/vega-lite/v6.json', data: { values: [{ a: 1 }, { a: 2 }] }, mark: 'bar', encoding: { x: { field: 'a', type: 'nominal' }, y: { field: 'a', type: 'quantitative' } } }";

const WHAT = 'values of common libraries';

describe.skipIf(areLibrariesAbsent(WHAT))(WHAT, () => {
  const notebook = new TestNotebook();
  beforeAll(() => linkLibraries(notebook.folder, LIBRARIES));
  afterAll(() => notebook.close());

  async function shown(code: string): Promise<MimeBundle['data']> {
    const { events, outcome } = await notebook.run(code);
    expect(outcome.status === 'error' ? outcome.fault.traceback.join('\n') : 'ok').toBe('ok');
    const last = events.at(-1);
    return last && 'data' in last ? last.data : {};
  }

  it('shows a table of arquero', async () => {
    const data = await shown("import { table } from 'arquero'; table({ a: [1, 2], b: ['<x>', null] })");
    expect(data['text/html']).toContain('&lt;x&gt;');
    expect(data['text/plain']).toBe('a  b\n1  <x>\n2');
  });

  it('shows a table of Arrow, its first rows', async () => {
    const data = await shown(
      "import { tableFromArrays } from 'apache-arrow'; tableFromArrays({ n: Int32Array.from({ length: 25 }, (_, i) => i), s: Array.from({ length: 25 }, (_, i) => String.fromCharCode(60) + i + String.fromCharCode(62)) })",
    );
    expect(data['text/html']).toMatch(
      /^<table><caption[^>]*>… 5 more rows<\/caption><thead><tr><th>n<\/th><th>s<\/th>.*&lt;19&gt;<\/td><\/tr><\/tbody><\/table>$/,
    );
    expect(String(data['text/plain']).split('\n').slice(-2)).toEqual(['19  <19>', '… 5 more rows']);
  });

  it('shows what a selection of d3 selects', async () => {
    const data = await shown(
      `${PAGE} import { select } from 'd3-selection'; const svg = select(document.body).append('svg').attr('width', 10); svg.append('circle').attr('r', 3); svg`,
    );
    expect(data['image/svg+xml']).toMatch(/^<svg [^>]*width="10"[^>]*><circle r="3"/);
  });

  it('shows all that a selection of d3 selects, the parts of a picture in it, and that it selects nothing', async () => {
    const begin = `${PAGE} import { select } from 'd3-selection'; const body = select(document.body);`;
    const rows = await shown(`${begin} body.selectAll('p').data([1, 2]).join('p').text((n) => 'row ' + n)`);
    expect(rows['text/html']).toBe('<p>row 1</p><p>row 2</p>');
    const list = await shown("document.querySelectorAll('p')");
    expect([list['text/html'], (await shown('[...document.body.children]'))['text/html']]).toEqual([
      rows['text/html'],
      rows['text/html'],
    ]);
    const circles = await shown(
      "const svg = body.append('svg'); svg.append('g').selectAll('circle').data([3, 4]).join('circle').attr('r', (r) => r)",
    );
    expect(circles['image/svg+xml']).toMatch(/^<svg [^>]*><g><circle r="3" ?\/><circle r="4" ?\/><\/g><\/svg>$/);
    expect(await shown("body.selectAll('table')")).toEqual({ 'text/plain': 'Nothing is selected.' });
    expect(await shown('[document.body, 1].length')).toEqual({ 'text/plain': '2' });
  });

  it('shows a plot of Observable Plot', async () => {
    const data = await shown(
      "import * as Plot from '@observablehq/plot'; Plot.plot({ document, marks: [Plot.dot([{ x: 1, y: 2 }], { x: 'x', y: 'y' })] })",
    );
    expect(data['image/svg+xml']).toContain('<circle');
  });

  it('shows a canvas', async () => {
    const data = await shown(
      "import { createCanvas } from '@napi-rs/canvas'; const canvas = createCanvas(20, 10); canvas.getContext('2d').fillRect(0, 0, 5, 5); canvas",
    );
    expect(data).toMatchObject({
      'image/png': expect.stringMatching(/^iVBORw0KGgo/),
      'text/plain': expect.stringContaining('20 × 10'),
    });
  });

  it('shows descriptions of charts: an object with the schema, and a builder', async () => {
    const plain = await shown(`const spec = ${SPEC}; spec`);
    expect(Object.keys(plain)).toEqual([
      'application/vnd.vegalite.v6+json',
      'application/vnd.vegalite.v5+json',
      'text/plain',
    ]);
    const built = await shown(
      "import * as vl from 'vega-lite-api'; vl.markBar().data([{ a: 1 }]).encode(vl.x().fieldQ('a'))",
    );
    expect(built['application/vnd.vegalite.v5+json']).toMatchObject({ mark: { type: 'bar' } });
  });

  it('prints what only looks like one of them', async () => {
    for (const code of [
      "({ $schema: 'https://json-schema.org/draft' })",
      '({ node: 1, nodes: 2 })',
      "({ toHTML: () => { throw new Error('no') } })",
      '({ numRows: 2, *[Symbol.iterator]() { yield 1; } })',
      "new Proxy({}, { get() { throw new Error('no') } })",
    ])
      expect(Object.keys(await shown(code)), code).toEqual(['text/plain']);
  });

  it('puts a text beside a hook that gives HTML alone', async () => {
    const data = await shown(
      "({ [Symbol.for('Jupyter.display')]: () => ({ 'text/html': '<style>b { }</style><h1>Fees</h1><table><tr><th>a</th><th>b</th></tr><tr><td>1 &lt; 2</td><td>x</td></tr></table>' }) })",
    );
    expect(data['text/plain']).toBe('Fees\na  b\n1 < 2  x');
  });
});

describe('a page of HTML', () => {
  const output = (data: object) => ({ output_type: 'display_data', data, metadata: {} });
  async function page(data: object): Promise<{ html: string; notes: string[] }> {
    const notes: string[] = [];
    const cell = {
      cell_type: 'code' as const,
      execution_count: 1,
      metadata: {},
      source: 'chart',
      outputs: [output(data)],
    };
    const notebook = { cells: [cell], metadata: {}, nbformat: 4 as const, nbformat_minor: 4 };
    const html = await exportHtml(notebook, 'charts', { folder: process.cwd(), onNote: (text) => notes.push(text) });
    return { html, notes };
  }
  const svgIn = (html: string): string => /<svg[\s\S]*<\/svg>/.exec(html)?.[0] ?? '';

  it('draws charts of Vega-Lite of which it has only the description', async () => {
    const spec = new Function(`return ${SPEC}`)();
    const { html, notes } = await page({ 'application/vnd.vegalite.v5+json': spec, 'text/plain': 'spec' });
    expect(svgIn(html)).toContain('<svg');
    expect(notes).toEqual([]);
  });

  it.each([
    [{ type: 'scatter', x: ['2024-01-01', '2024-01-02'], y: [1, 2] }],
    [{ type: 'bar', x: ['a', 'b'], y: [1, 2], name: 'wins' }],
    [{ type: 'histogram', x: [1, 2, 2, 3] }],
    [{ mode: 'markers', y: [3, 1] }],
  ])('draws a figure of Plotly: %j', async (trace) => {
    const figure = { data: [trace], layout: { title: { text: 'A title' }, xaxis: { title: 'Days' } } };
    const { html } = await page({ 'application/vnd.plotly.v1+json': figure });
    expect(svgIn(html)).toContain('A title');
    expect(svgIn(html)).toContain('Days');
  });

  it('draws nothing that loads data, or that only its library can draw, and says so', async () => {
    const loading = { mark: 'bar', data: { url: 'file:///etc/passwd' } };
    const { html, notes } = await page({ 'application/vnd.vegalite.v5+json': loading, 'text/plain': 'it loads' });
    expect([html.includes('it loads'), html.includes('<img')]).toEqual([true, false]);
    expect(notes).toEqual(['cell 1: the page cannot show application/vnd.vegalite.v5+json, and shows text instead']);
    const pie = await page({
      'application/vnd.plotly.v1+json': { data: [{ type: 'pie', values: [1] }] },
      'text/plain': 'a pie',
    });
    expect(pie.notes).toEqual(['cell 1: the page cannot show application/vnd.plotly.v1+json, and shows text instead']);
  });
});

describe('values that count their rows', () => {
  const notebook = new TestNotebook();
  afterAll(() => notebook.close());

  it('are not used up by being shown', async () => {
    const cursor =
      'class Cursor { rowCount = 3; i = 0; [Symbol.iterator]() { return this } next() { this.i += 1; return this.i > 3 ? { done: true, value: undefined } : { done: false, value: { n: this.i } } } }';
    await notebook.run(`${cursor} const rows = new Cursor();`);
    const { events } = await notebook.run('rows');
    expect(events).toMatchObject([{ data: { 'text/plain': expect.stringContaining('rowCount: 3') } }]);
    expect(await notebook.value('[...(rows as any)].length')).toBe('3');
  });

  it('have no more rows than they give', async () => {
    const { result } = await notebook.run('({ height: 10, *[Symbol.iterator]() { yield { a: 1 } } })');
    expect(result).toBe('a\n1');
    const many = 'yield* Array.from({ length: 20 }, (_, a) => ({ a }))';
    expect((await notebook.run(`({ height: 50, *[Symbol.iterator]() { ${many} } })`)).result).toMatch(
      /… 30 more rows$/,
    );
  });

  it('are asked once for what they hold', async () => {
    const code =
      'let asked = 0; class Table { get toHTML() { asked += 1; return () => "<b>1</b>" } get numRows() { asked += 1; return 1 } *[Symbol.iterator]() { yield { a: 1 } } }';
    expect(await notebook.value(code, 'new Table()', 'asked')).toBe('2');
  });
});
