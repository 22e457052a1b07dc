import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { toHtml } from '../../../src/frame/display/frame-html.js';
import { diagnosticsText } from '../../../src/kernel/types/cell-diagnostics.js';
import { exportHtml as exportTo } from '../../../src/notebook/export/export-html.js';
import type { Cell, Notebook, Output } from '../../../src/notebook/format/nbformat.js';
import { isAbsent } from '../../support/is-absent.js';
import { processorMs } from '../../support/processor-time.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { makeNotebook } from '../make-notebook.js';

/** Letters that take far longer than a test may, where time grows with their square. */
const LONG = 100_000;
const PNG = Buffer.from('iVBORw0KGgo=', 'base64');
const CHROMIUM = '/usr/bin/chromium';
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><title>Volume</title><defs><clipPath id="c"><rect width="9" height="9"/></clipPath></defs><rect width="40" height="20" fill="teal"/></svg>';

let launched: Promise<Browser> | undefined;
afterAll(async () => (await launched)?.close());

/** The browser of all tests that need one, started by the first. */
function browser(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  return launched;
}

/** The page of a notebook in some folder. */
function exportHtml(notebook: Notebook, name: string): Promise<string> {
  return exportTo(notebook, name, { folder: tmpdir(), onNote: () => {} });
}

describe('exportHtml', () => {
  it('shows each kind of output, escaped, in its richest format', async () => {
    const page = await exportHtml(sample(), 'sample');
    expect(page).toContain('<title>Win rates &amp; luck</title>');
    expect(page).toContain('<span class="hljs-keyword">const</span>');
    expect(page).toContain('aria-label="Output">1 &lt; 2\n</pre>');
    expect(page).toContain('<pre class="output stderr" tabindex="0" aria-label="Messages">careful\n</pre>');
    expect(page).toContain('aria-label="Error">TypeError: red\n  at</pre>');
    expect(page).toContain('<div class="rich"><table><tr><td>7</td></tr></table></div>');
    expect(page).not.toContain('poorer');
    expect(page.match(/<img class="figure" alt="Volume" src="data:image\/svg\+xml;base64,/g)).toHaveLength(2);
    expect(page).toContain('<strong>bold</strong>');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toMatch(/(src|href)="(?!data:)/);
  });

  it('has a switch that hides the code, and sets sentences as prose but columns as a terminal does', async () => {
    const notebook = makeNotebook('1;', '2;');
    const said = (text: string): Output => ({ output_type: 'stream', name: 'stdout', text }) as Output;
    notebook.cells[0] = { ...notebook.cells[0], outputs: [said('Of 12 markets nine were won.\n')] } as Cell;
    notebook.cells[1] = { ...notebook.cells[1], outputs: [said('a    b\n1    2 of it\n')] } as Cell;
    const page = await exportHtml(notebook, 'said');
    expect(page.match(/<input type="checkbox" id="fold-code">/g)).toHaveLength(1);
    expect(page).toContain('<pre class="output stdout said" tabindex="0" aria-label="Output">Of 12 markets');
    expect(page).toContain('<pre class="output stdout" tabindex="0" aria-label="Output">a    b');
    const bare = await exportTo(notebook, 'said', { folder: tmpdir(), onNote: () => {}, code: false });
    expect(bare).not.toContain('<input');
  });

  it('leaves the code out where it is told to, and with it the cells that show nothing', async () => {
    const options = { folder: tmpdir(), onNote: () => {} };
    const notebook = sample();
    notebook.cells.push({ ...makeNotebook('const secret = 1;').cells[0], outputs: [] } as Cell);
    const [whole, bare] = [
      await exportTo(notebook, 'sample', options),
      await exportTo(notebook, 'sample', { ...options, code: false }),
    ];
    const outputsOf = (page: string) => page.match(/<(?:pre class="output|div class="rich|img class="figure)/g);
    expect(outputsOf(bare)).toEqual(outputsOf(whole));
    expect([whole, bare].map((page) => page.match(/<section/g)?.length)).toEqual([3, 2]);
    expect(bare).toContain('<strong>bold</strong>');
    for (const part of ['secret', 'class="source"', 'class="count"']) {
      expect([part, whole.includes(part), bare.includes(part)]).toEqual([part, true, false]);
    }
  });

  it('quotes no code in errors and messages where it is left out', async () => {
    const told = diagnosticsText(
      [
        {
          ...{ severity: 'error', code: 2322, message: "Type 'A' is not assignable.\n  Types of property differ." },
          ...{ start: { line: 2, column: 7 }, end: { line: 2, column: 8 } },
        },
      ],
      'const a = 1;\nconst secret: A = a;',
      'cell 3',
    );
    expect(told).toContain('> 2 | const secret');
    const notebook = makeNotebook('1', '2');
    const traceback = ['ReferenceError: x is not defined', '', '> 1 | const secret = x', '    at cell 1:1:7'];
    Object.assign(notebook.cells[0] as Cell, {
      outputs: [
        { output_type: 'stream', name: 'stderr', text: `before\n${told}after\n` },
        { output_type: 'error', ename: 'ReferenceError', evalue: 'x is not defined\nsecret', traceback },
      ],
    });
    Object.assign(notebook.cells[1] as Cell, { outputs: [{ output_type: 'stream', name: 'stderr', text: told }] });
    const options = { folder: tmpdir(), onNote: () => {} };
    expect(await exportTo(notebook, 'sample', options)).toContain('secret: A');
    const bare = await exportTo(notebook, 'sample', { ...options, code: false });
    expect(bare).toContain('aria-label="Messages">before\nafter\n</pre>');
    expect(bare).toContain('aria-label="Error">ReferenceError: x is not defined</pre>');
    expect(bare).not.toMatch(/secret|TS2322|Types of property/);
    expect(bare.match(/<section/g)).toHaveLength(1);
  });

  it('shows the text of a terminal’s link, and neither its address nor a window’s title', async () => {
    const [ends, link] = [['\u0007', '\u001b\\'], '\u001b]8;;javascript:alert(1)'];
    for (const end of ends) {
      const notebook = makeNotebook('1');
      const [cell] = notebook.cells;
      const text = `${link}${end}link\u001b]8;;${end}, \u001b]0;a title here${end}\u001b[1mbold\u001b[0m`;
      if (cell) cell.outputs = [{ output_type: 'stream', name: 'stdout', text }];
      expect(await exportHtml(notebook, 'links')).toContain('aria-label="Output">link, bold</pre>');
    }
  });

  it('puts a white card behind a picture unless it follows the viewer’s scheme itself', async () => {
    const notebook = makeNotebook('1');
    const adaptive = SVG.replace('<defs>', '<style>@media (prefers-color-scheme:dark){rect{fill:white}}</style><defs>');
    const [cell] = notebook.cells;
    if (cell) {
      cell.outputs = [SVG, adaptive].map((svg) => ({
        output_type: 'display_data',
        data: { 'image/svg+xml': svg },
        metadata: {},
      }));
    }
    const page = await exportHtml(notebook, 'sample');
    expect(page.match(/<img class="[^"]*"/g)).toEqual(['<img class="figure"', '<img class="figure adaptive"']);
  });

  it('draws charts as figures that one script of ours serves, whatever their words are', async () => {
    const evil = `</figure><script>alert(1)</script>' onload='x" \u2028`;
    const values = [{ a: 1, b: evil }];
    const encoding = { x: { field: 'a', type: 'quantitative' }, tooltip: { field: 'b', type: 'nominal' } };
    const spec = { description: `Chart of ${evil}`, data: { values }, mark: 'bar', encoding };
    const notebook = makeNotebook('1', '2');
    for (const cell of notebook.cells) {
      const data = { 'application/vnd.vegalite.v5+json': spec, 'image/svg+xml': SVG, 'text/plain': 'Chart' };
      cell.outputs = [{ output_type: 'display_data', data, metadata: {} }];
    }
    const page = await exportHtml(notebook, 'charts');
    expect(page.match(/<figure class="chart-figure/g)).toHaveLength(2);
    expect(page.match(/<script/g)).toHaveLength(1);
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(page).toContain(`script-src 'sha256-${hash}';`);
    expect(page).toContain('role="img" aria-label="Chart: Chart of &lt;/figure&gt;');
    expect(page).not.toMatch(/<[^<>]*\son\w+='/);
    expect(await exportHtml(makeNotebook('1'), 'none')).toContain("script-src 'none'");
  });

  it('describes a picture by its own sentence, not by the first label in it', async () => {
    const notebook = makeNotebook('1');
    const named =
      '<svg xmlns="http://www.w3.org/2000/svg" aria-label="Chart: Win &amp; lose. 59%"><g aria-label="X-axis"/></svg>';
    const [cell] = notebook.cells;
    if (cell) {
      cell.outputs = [named, named.replace(/ aria-label="Chart[^"]*"/, '')].map((svg) => {
        return { output_type: 'display_data', data: { 'image/svg+xml': svg }, metadata: {} };
      });
    }
    const page = await exportHtml(notebook, 'alt');
    expect(page.match(/ alt="[^"]*"/g)).toEqual([' alt="Chart: Win &amp; lose. 59%"', ' alt="Chart"']);
  });

  it('typesets formulas of Markdown and of outputs, and leaves what it cannot read as it is written', async () => {
    const text = String.raw`Sum $\sum x_{i} \, dx$ and $a_1*b_1$
$$\frac{1}{n}
- 2 \\ \{a\}$$
\begin{align} a &= b \end{align}

Costs $5 and $6, \$7, ${'`$x$`'}, $\foo<b$
`;
    const notebook = makeNotebook(`# A\n${text}`, '1');
    const [, cell] = notebook.cells;
    const outputs = [{ 'text/markdown': '*$c_1*d_1$*' }, { 'text/latex': '$$e_1$$' }, { 'text/latex': 'no $ formula' }];
    if (cell) cell.outputs = outputs.map((data) => ({ output_type: 'display_data', data, metadata: {} }));
    const page = await exportHtml(notebook, 'n');
    const formulas = [...page.matchAll(/<math[^>]*>(.*?)<\/math>/g)].map(([, inner = '']) =>
      inner.replace(/<[^>]*>/g, ''),
    );
    expect(formulas).toEqual(['∑xidx', 'a1∗b1', '1n−2{a}', 'a=b', 'c1∗d1', 'e1']);
    expect(page.match(/<math display="block"/g)).toHaveLength(3);
    expect(page).toContain('<p>Costs $5 and $6, $7, <code>$x$</code>, $\\foo&lt;b$</p>');
    expect(page).toContain('aria-label="Formula in LaTeX">no $ formula</pre>');
  });

  it.each([
    ['costs $5 (or US$) and $6 (or HK$)', 'costs $5 (or US$) and $6 (or HK$)'],
    ['costs US$5 or A$6$', 'costs US$5 or A$6$'],
    ['[up to $1](http://x.y/?a=$b)', '<a href="http://x.y/?a=$b">up to $1</a>'],
    ['$1 - C$, $2x$, CO$_2$', /^<math>.*<\/math>, <math>.*<\/math>, CO<math>.*<\/math>$/],
    ['$f[x](y)$, [$a$](u)', /^<math>.*<\/math>, <a href="u"><math>.*<\/math><\/a>$/],
  ])('takes dollars of money and of addresses for no formula: %j', async (text, html) => {
    const page = await exportHtml(makeNotebook(`# A\n\n${text}`), 'n');
    const shown = /<p>(.*)<\/p>/.exec(page)?.[1];
    expect(shown).toEqual(typeof html === 'string' ? html : expect.stringMatching(html));
  });

  it('shows a formula as it is written that its own macros would make far larger', async () => {
    const definition = `\\def\\a{${'x'.repeat(4000)}}`;
    const page = await exportHtml(makeNotebook(`# A\n$$${definition}${'\\a'.repeat(300)}$$`), 'n');
    expect(page.length).toBeLessThan(20_000);
    expect(await exportHtml(makeNotebook(`# A\n$\\def\\a{x}${'\\a '.repeat(200)}y$`), 'n')).toContain('<math>');
  });

  it.each(['$1', '$a ', '$$', '$$\n', '\\begin{a}', '$a$', '\\begin{a}\n', '$1](', '$1 a'])(
    'reads a Markdown cell of many %j in little time',
    async (unit) => {
      const notebook = makeNotebook(`# ${unit.repeat(20_000)}`);
      const start = processorMs();
      await exportHtml(notebook, 'n');
      expect(processorMs() - start).toBeLessThan(5000);
    },
  );

  it('shows data as text, and what a terminal shows in the end', async () => {
    const notebook = makeNotebook('1');
    const [cell] = notebook.cells;
    if (cell) {
      cell.outputs = [
        { output_type: 'display_data', data: { 'application/json': { a: [1, '<'] } }, metadata: {} },
        { output_type: 'display_data', data: { 'application/json': ['x', 'y'] }, metadata: {} },
        { output_type: 'display_data', data: { 'image/gif': 'AQI=\n', 'text/plain': 'poorer' }, metadata: {} },
        { output_type: 'stream', name: 'stdout', text: ['10%\r50%\r', '100%\n', 'next\r\n', 'end\r\r'] },
        { output_type: 'display_data', data: { 'application/javascript': 'alert(1)', 'text/plain': 'no script' } },
      ];
    }
    const page = await exportHtml(notebook, 'n');
    const blocks = [...page.matchAll(/aria-label="([^"]+)">([^<]*)<\/pre>/g)].map(([, label, text]) => [label, text]);
    expect(blocks).toEqual([
      ['Data', '{\n  &quot;a&quot;: [\n    1,\n    &quot;&lt;&quot;\n  ]\n}'],
      ['Data', '[\n  &quot;x&quot;,\n  &quot;y&quot;\n]'],
      ['Output', '100%\nnext\nend'],
      ['Result', 'no script'],
    ]);
    expect(page).toContain('src="data:image/gif;base64,AQI="');
    expect(page).not.toContain('poorer');
  });

  it.each([
    ['one long line', 'x'.repeat(LONG)],
    ['carriage returns', '\r'.repeat(LONG)],
    ['lines begun anew', 'x\r'.repeat(LONG)],
    ['escapes', '\u001b['.repeat(LONG)],
    ['commands of a terminal', '\u001b]8;;'.repeat(LONG)],
    ['titles that do not end', '<title'.repeat(LONG)],
  ])('takes time in proportion to its outputs: %s', async (_, text) => {
    const notebook = makeNotebook('1');
    const [cell] = notebook.cells;
    const picture = { output_type: 'display_data', data: { 'image/svg+xml': text } };
    if (cell) cell.outputs = [{ output_type: 'stream', name: 'stdout', text }, picture];
    const start = processorMs();
    await exportHtml(notebook, 'n');
    expect(processorMs() - start).toBeLessThan(3000);
  });

  it('shows a notebook of whose outputs some lack what they should hold', async () => {
    const notebook = makeNotebook('1');
    const [cell] = notebook.cells;
    const types = ['stream', 'error', 'display_data', 'execute_result'];
    if (cell)
      cell.outputs = [...types.map((type) => ({ output_type: type })), { output_type: 'stream', text: 'after' }];
    expect(await exportHtml(notebook, 'n')).toContain('aria-label="Output">after</pre>');
  });

  it.each([
    ['in one string', { 'image/png': 'AQI=' }],
    ['in lines', { 'image/png': ['AQ\n', 'I='] }],
    ['behind its words', { 'text/plain': 'it', 'image/png': 'AQI=' }],
  ])('shows pictures that a Markdown cell carries, %s', async (_, picture) => {
    const notebook = makeNotebook('# A\n![it](attachment:p.png)');
    const [cell] = notebook.cells;
    if (cell) cell.attachments = { 'p.png': picture };
    expect(await exportHtml(notebook, 'n')).toContain('<img src="data:image/png;base64,AQI=" alt="it">');
  });

  it.each([
    ['50%.png', '50%.png', 'data:image/png;base64,AQI='],
    ['a%20b.png', 'a b.png', 'data:image/png;base64,AQI='],
    ['a%20b.png', 'a%20b.png', 'data:image/png;base64,AQI='],
    ['50%.png', 'other.png', 'attachment:50%25.png'],
    ['toString', 'other.png', 'attachment:toString'],
  ])('takes the link to %s for the picture %s, as %s', async (link, name, address) => {
    const notebook = makeNotebook(`# A\n![it](attachment:${link})`);
    const [cell] = notebook.cells;
    if (cell) cell.attachments = { [name]: { 'image/png': 'AQI=' } };
    expect(await exportHtml(notebook, 'n')).toContain(`<img src="${address}" alt="it">`);
  });

  it('has pictures inside that lie beside the notebook, and tells of what it cannot show', async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'a b.png'), PNG);
    writeFileSync(join(folder, 'a.txt'), 'secret');
    const names = ['a%20b.png', 'b.png', 'https://x.y/c.png', '//x.y/d.png', 'a.txt', 'attachment:e.png', '%ff.png'];
    const notebook = makeNotebook(`# A\n${names.map((name) => `![it](${name})`).join('\n')}`, '1', '2');
    const outputs = [
      { 'application/vnd.vegalite.v5+json': {}, 'text/plain': 'chart' },
      { 'application/vnd.vegalite.v5+json': {}, 'image/svg+xml': SVG },
      { 'application/x': 1 },
    ];
    const cell = notebook.cells.at(-1);
    if (cell) cell.outputs = outputs.map((data) => ({ output_type: 'display_data', data, metadata: {} }));
    const notes: string[] = [];
    const page = await exportTo(notebook, 'n', { folder, onNote: (note) => notes.push(note) });
    expect(page).toContain(`<img src="data:image/png;base64,${PNG.toString('base64')}" alt="it">`);
    expect(notes).toEqual([
      expect.stringMatching(/^the page lacks the picture b\.png: ENOENT/),
      'the page lacks the picture https://x.y/c.png: it is no file beside the notebook',
      'the page lacks the picture //x.y/d.png: it is no file beside the notebook',
      expect.stringMatching(/^the page lacks the picture a\.txt: its name ends in none of /),
      'the page lacks the picture attachment:e.png: it is no file beside the notebook',
      expect.stringMatching(/^the page lacks the picture .*ff\.png: /),
      'cell 2: the page cannot show application/vnd.vegalite.v5+json, and shows text instead',
      'cell 2: the page cannot show application/x, and shows nothing instead',
    ]);
  });

  it('has inside only what is a picture in the folder of the notebook or below, whoever names it', async () => {
    const above = await temporaryFolder();
    const folder = join(above, 'notebooks');
    mkdirSync(join(folder, 'charts.png'), { recursive: true });
    writeFileSync(join(above, 'secret.png'), PNG);
    writeFileSync(join(folder, 'text.png'), 'secret');
    writeFileSync(join(folder, 'text.svg'), 'secret');
    writeFileSync(join(folder, 'charts.png/a.svg'), SVG);
    writeFileSync(join(folder, 'large.png'), PNG);
    truncateSync(join(folder, 'large.png'), 20_000_001);
    symlinkSync('../secret.png', join(folder, 'link.png'));
    symlinkSync('charts.png/a.svg', join(folder, 'near.svg'));
    execFileSync('mkfifo', [join(folder, 'pipe.png')]);
    const names = ['../secret.png', 'link.png', 'pipe.png', 'charts.png', 'large.png', 'text.png', 'text.svg'];
    const text = [...names, 'charts.png/a.svg', 'near.svg'].map((name) => `![it](${name})`).join('\n');
    const inOutput = makeNotebook('# A', '1');
    const cell = inOutput.cells.at(-1);
    if (cell) cell.outputs = [{ output_type: 'display_data', data: { 'text/markdown': text }, metadata: {} }];
    for (const notebook of [makeNotebook(`# A\n${text}`), inOutput]) {
      const notes: string[] = [];
      const page = await exportTo(notebook, 'n', { folder, onNote: (note) => notes.push(note) });
      expect(page.match(/src="data:image\/svg\+xml;base64,/g)).toHaveLength(2);
      expect(page).not.toContain('data:image/png');
      expect(notes.map((note) => /the page lacks the picture (.*)/.exec(note)?.[1])).toEqual([
        "../secret.png: it lies outside the notebook's folder",
        "link.png: it lies outside the notebook's folder",
        'pipe.png: it is no file',
        'charts.png: it is no file',
        'large.png: it is larger than 20 MB',
        'text.png: its content is no image/png',
        'text.svg: its content is no image/svg+xml',
      ]);
    }
  });

  it('leaves elements without effect that would lead elsewhere, and tells of them', async () => {
    const html = '<META\nhttp-equiv=refresh><b>7</b><iframe src="//x.y"></iframe><metal><link/rel=preconnect>';
    const { page, notes } = await pageAndNotes(html);
    expect(page).toContain(
      '<param\nhttp-equiv=refresh><b>7</b><inert-iframe src="//x.y"></inert-iframe><metal><param/rel=preconnect>',
    );
    expect(notes).toEqual([
      'cell 1: the page shows HTML without the effect of its <meta>, <iframe>, <link>: nothing in it runs or reaches other sites',
    ]);
  });

  it('tells of scripts that do not run, and of nothing that has no effect anyway', async () => {
    const said = '<meta charset="utf-8"><meta itemprop=price content=5><link itemprop=url href="//x.y"><metal>';
    expect((await pageAndNotes(said)).notes).toEqual([]);
    expect(
      (await pageAndNotes(`${said}<div id="a"></div><script src="https://x.y/plotly.js"></script>`)).notes,
    ).toEqual([
      'cell 1: the page shows HTML without the effect of its <script>: nothing in it runs or reaches other sites',
    ]);
  });

  it('takes its name where there is no heading', async () => {
    expect(await exportHtml(makeNotebook('1'), 'a<b')).toContain('<title>a&lt;b</title>');
  });

  it.skipIf(isAbsent(CHROMIUM, 'an exported page on paper'))(
    'prints wide and long outputs whole (needs chromium)',
    async () => {
      const columns = Array.from({ length: 24 }, (_, index) => [
        `column_number_${index}`,
        Array(30).fill(1_234_567.25),
      ]);
      const notebook = makeNotebook('1');
      const [cell] = notebook.cells;
      const data = { 'text/html': toHtml(new DataFrame(Object.fromEntries(columns)), { rows: 30 }) };
      if (cell) {
        cell.outputs = [
          { output_type: 'display_data', data },
          { output_type: 'display_data', data: { 'text/plain': `${'x'.repeat(400)}\n`.repeat(100) } },
        ];
      }
      const page = await (await browser()).newPage({ viewport: { width: 700, height: 900 } });
      await page.emulateMedia({ media: 'print' });
      await page.setContent(await exportHtml(notebook, 'n'));
      const clipped = `[document.documentElement, ...document.querySelectorAll('.output, .box')]
        .filter((each) => each.scrollWidth > each.clientWidth ||
          (each.localName !== 'html' && each.scrollHeight > each.clientHeight))
        .map((each) => each.className)`;
      expect(await page.evaluate(clipped)).toEqual([]);
      await page.close();
    },
  );

  it.skipIf(isAbsent(CHROMIUM, 'the layout of foreign HTML'))(
    'lays out foreign HTML as it is, whatever in it has no effect (needs chromium)',
    async () => {
      const items = '<div class="item">1</div><div class="item">2</div>';
      const html = `<div style="display:flex"><meta itemprop=x content=1><link itemprop=y href=z>${items}</div>`;
      const page = await (await browser()).newPage();
      await page.setContent(await exportHtml(outputs({ 'text/html': html }), 'n'));
      const tops = `[...document.querySelectorAll('.item')].map((each) => each.getBoundingClientRect().top)`;
      const [first, second] = Array.from<number>(await page.evaluate(tops));
      expect(second).toBe(first);
      await page.close();
    },
  );

  it.skipIf(isAbsent(CHROMIUM, 'an exported page of foreign HTML'))(
    'stays where it is and connects to nothing, whatever is in the HTML of outputs (needs chromium)',
    async () => {
      let connections = 0;
      const server = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${Object(server.address()).port}`;
      const file = join(await temporaryFolder(), 'page.html');
      const foreign = reaching(url).map((html) => ({ 'text/html': html }));
      writeFileSync(file, await exportHtml(outputs(...foreign), 'n'));
      // What is in `noscript` counts only without scripts.
      for (const javaScriptEnabled of [true, false]) {
        const page = await (await browser()).newPage({ javaScriptEnabled });
        await page.goto(pathToFileURL(file).href);
        await new Promise((resolve) => setTimeout(resolve, 300));
        expect(page.url()).toBe(pathToFileURL(file).href);
        await page.close();
      }
      expect(connections).toBe(0);
      server.close();
    },
  );

  it.skipIf(isAbsent(CHROMIUM, 'an exported page in a browser'))(
    'opens offline in a browser, without an error or a request (needs chromium)',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'oddslab-export-'));
      const file = join(folder, 'page.html');
      writeFileSync(file, await exportHtml(sample(), 'sample'));
      const page = await (await browser()).newPage({ colorScheme: 'dark' });
      const seen: string[] = [];
      page.on('request', (request) => seen.push(request.url().slice(0, 5)));
      page.on('console', (message) => seen.push(message.text()));
      await page.goto(pathToFileURL(file).href);
      expect(await page.title()).toBe('Win rates & luck');
      const widths = await page
        .locator('img.figure')
        .evaluateAll((all) => all.map((each) => Reflect.get(each, 'naturalWidth')));
      expect(widths).toEqual([40, 40]);
      // Covers that move along with what is wide, over shades that stay.
      const backgrounds = `getComputedStyle(document.querySelector('div.output')).backgroundAttachment`;
      expect(await page.evaluate(backgrounds)).toBe('local, local, scroll, scroll');
      expect(seen.filter((each) => each !== 'file:' && each !== 'data:')).toEqual([]);
      await page.close();
      rmSync(folder, { recursive: true });
    },
  );
});

/** A notebook of one cell that shows these. */
function outputs(...all: object[]): Notebook {
  const notebook = makeNotebook('1');
  const [cell] = notebook.cells;
  if (cell) cell.outputs = all.map((data) => ({ output_type: 'display_data', data, metadata: {} }));
  return notebook;
}

/** The page of an output of HTML, and what is told of it. */
async function pageAndNotes(html: string): Promise<{ page: string; notes: string[] }> {
  const notes: string[] = [];
  const onNote = (note: string): number => notes.push(note);
  return { page: await exportTo(outputs({ 'text/html': html }), 'n', { folder: tmpdir(), onNote }), notes };
}

/** Ways in which HTML asks for something without a script or a click. */
function reaching(url: string): string[] {
  const refresh = `<meta http-equiv="&#114;efresh" content="0;url=${url}">`;
  const links = ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'prerender', 'stylesheet', 'icon', 'manifest'];
  return [
    refresh,
    `<svg><foreignObject>${refresh}</foreignObject>${refresh}</svg>`,
    `<noscript>${refresh}</noscript>`,
    `<iframe srcdoc='${refresh}'></iframe><iframe src="${url}"></iframe>`,
    ...links.map((rel) => `<link rel=${rel} as=image href="${url}/${rel}">`),
    `<base href="${url}"><img src="a" srcset="b 2x"><table background="c"></table><input type=image src="d">`,
    `<object data="${url}"></object><embed src="${url}"><object data='data:text/html,${refresh}'></object>`,
    `<video autoplay poster="${url}/a" src="${url}/b"></video><audio autoplay src="${url}/c"></audio>`,
    `<style>@import "${url}/a"; @font-face { font-family: f; src: url(${url}/b) } p { font-family: f }</style><p>a`,
    `<p style="background: url(${url}); cursor: url(${url}/a), auto">a</p>`,
    `<svg><use href="${url}/a#b"/><use xlink:href="${url}/c#d"/><image href="${url}/e"/></svg>`,
    `<svg><image><animate attributeName="href" to="${url}/a" dur="1ms" fill="freeze"/></image></svg>`,
    `<svg><filter id="f"><feImage href="${url}/a"/></filter><rect filter="url(#f)" width="9" height="9"/></svg>`,
    `<svg><script href="${url}/a"/></svg><script src="${url}/b"></script>`,
    `<script type=speculationrules>{"prefetch":[{"urls":["${url}/a"]}],"prerender":[{"urls":["${url}/b"]}]}</script>`,
    `</div></main></body><frameset><frame src="${url}"></frameset>`,
  ];
}

function sample(): Notebook {
  const notebook = makeNotebook('# Win rates & luck\n\n**bold** <script>alert(1)</script>', 'const a: number = 1;');
  const outputs: Output[] = [
    { output_type: 'stream', name: 'stdout', text: ['1 < 2\n'] },
    { output_type: 'stream', name: 'stderr', text: 'careful\n' },
    {
      output_type: 'error',
      ename: 'TypeError',
      evalue: 'red',
      traceback: ['\u001b[31mTypeError\u001b[0m: red', '  at'],
    },
    {
      output_type: 'display_data',
      data: { 'text/plain': 'poorer', 'text/html': ['<table><tr>', '<td>7</td></tr></table>'] },
    },
    { output_type: 'display_data', data: { 'image/svg+xml': SVG, 'text/plain': 'poorer' } },
    { output_type: 'execute_result', execution_count: 1, data: { 'image/svg+xml': SVG } },
    { output_type: 'display_data', data: { 'application/odd': 1 } },
  ];
  const [, cell] = notebook.cells;
  if (cell) cell.outputs = outputs;
  return notebook;
}
