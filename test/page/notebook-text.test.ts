import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/base/packages.js';
import { joinLines, type Notebook } from '../../src/notebook/format/nbformat.js';
import { NotebookText, ownKernel } from '../../src/page/notebook-text.js';
import fc, { cases } from '../support/fast-check.js';

const KERNEL = ownKernel();

function textOf(text: string): NotebookText {
  return new NotebookText(text, 'a.ipynb', KERNEL);
}

/** What the page makes of a notebook by opening it: it trusts cells, raises old formats, and adds pictures to charts. */
function opened(shown: Notebook): Notebook {
  const notebook = JSON.parse(JSON.stringify(shown)) as Notebook;
  if (notebook.nbformat_minor < 4) notebook.nbformat_minor = 4;
  const { orig_nbformat: _, ...metadata } = Object(notebook.metadata);
  notebook.metadata = metadata;
  for (const cell of notebook.cells) {
    if (cell.cell_type === 'code') cell.metadata = { ...Object(cell.metadata), trusted: true };
  }
  if (notebook.cells.length === 0) {
    notebook.cells = [
      { cell_type: 'code', source: '', metadata: { trusted: true }, outputs: [], execution_count: null },
    ];
  }
  return notebook;
}

const words = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r\n', '"', '\\', '\u2028', ' ') });
const multiline = fc.oneof(
  words,
  words.map((text) => text.match(/[^\n]*\n|[^\n]+/g) ?? []),
  fc.array(words),
);
const json = fc.jsonValue({ maxDepth: 2 });
const data = fc.dictionary(
  fc.constantFrom(
    'text/plain',
    'text/html',
    'image/svg+xml',
    'image/png',
    'application/json',
    'application/vnd.vegalite.v5+json',
  ),
  fc.oneof(multiline, json),
);
const output = fc.oneof(
  fc.record({ output_type: fc.constant('stream'), name: fc.constant('stdout'), text: multiline }),
  fc.record({
    output_type: fc.constantFrom('display_data', 'execute_result'),
    data,
    metadata: fc.dictionary(words, json),
  }),
  fc.record({ output_type: fc.constant('error'), ename: words, evalue: words, traceback: fc.array(words) }),
);
const metadata = fc.dictionary(fc.constantFrom('tags', 'trusted', 'other', 'execution'), json);
const cell = fc.oneof(
  fc.record({
    ...{ cell_type: fc.constant('code'), source: multiline, metadata, outputs: fc.array(output) },
    execution_count: fc.option(fc.nat()),
  }),
  fc.record(
    {
      cell_type: fc.constantFrom('markdown', 'raw'),
      source: multiline,
      metadata,
      attachments: fc.dictionary(words, data),
    },
    { requiredKeys: ['cell_type', 'source', 'metadata'] },
  ),
);
const notebook = fc
  .record({
    cells: fc.array(cell, { maxLength: 6 }),
    metadata: fc.record(
      {
        kernelspec: fc.oneof(fc.constant({ name: 'oddslab', display_name: 'An older name' }), json),
        language_info: fc.oneof(fc.constant({ name: 'typescript' }), json),
        orig_nbformat: fc.constant(3),
        own: json,
      },
      { requiredKeys: [] },
    ),
    nbformat: fc.constant(4),
    nbformat_minor: fc.nat(6),
    more: json,
  })
  .map((made) => ({
    ...made,
    cells: made.cells.map((each, index) => (made.nbformat_minor < 5 ? each : { id: `cell-${index}`, ...each })),
  }));
const file = fc
  .record({
    notebook,
    indent: fc.constantFrom<string | number>('', 1, 2, '\t'),
    mark: fc.constantFrom('', '\uFEFF'),
    end: fc.constantFrom('', '\n', '\r\n\n'),
  })
  .map(({ notebook: made, indent, mark, end }) => `${mark}${JSON.stringify(made, undefined, indent)}${end}`);

it('leaves every byte of a notebook that the page only opens and saves', () => {
  fc.assert(
    fc.property(file, (text) => {
      const read = textOf(text);
      expect(read.saved(opened(read.shown()))).toBe(text);
    }),
    { numRuns: cases(1500) },
  );
});

it('leaves every byte of the example notebooks', () => {
  const folder = join(packageRoot(), 'notebooks');
  const names = readdirSync(folder).filter((name) => name.endsWith('.ipynb'));
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    const text = readFileSync(join(folder, name), 'utf8');
    expect([name, textOf(text).saved(opened(textOf(text).shown())) === text]).toEqual([name, true]);
  }
});

it('writes what was edited, and leaves the bytes of all other cells', () => {
  fc.assert(
    fc.property(file, fc.nat(), words, (text, at, source) => {
      const read = textOf(text);
      const now = opened(read.shown());
      const edited = now.cells[at % now.cells.length];
      if (!edited) return;
      edited.source = `edited ${source}`;
      const saved = JSON.parse(read.saved(now).replace(/^\uFEFF/, '')) as Notebook;
      const index = now.cells.indexOf(edited);
      expect(joinLines(saved.cells[index]?.source ?? '')).toBe(edited.source);
      const others = ({ cells }: Notebook) => cells.filter((_, other) => other !== index);
      if (read.notebook.cells.length > 0) expect(others(saved)).toEqual(others(read.notebook));
    }),
    { numRuns: cases(900) },
  );
});

it('finds cells again that were moved, removed and added', () => {
  const source = (text: string, more: object = {}) => ({
    cell_type: 'raw',
    source: text,
    metadata: { trusted: 1 },
    ...more,
  });
  for (const ids of [true, false]) {
    const cells = ['a', 'b', 'c'].map((text) => source(`${text}\n1`, ids ? { id: text } : {}));
    const read = textOf(JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: ids ? 5 : 2 }));
    const now = opened(read.shown());
    const [a, b, c] = now.cells;
    if (!a || !b || !c) throw new Error('no cells');
    const added = { ...source('new\n2', ids ? { id: 'new' } : {}), metadata: {} } as Notebook['cells'][0];
    // Without ids the cells that stay are found by their source, in their order.
    const order = ids ? [c, added, a] : [a, added, b, c];
    const saved = JSON.parse(read.saved({ ...now, cells: order })) as Notebook;
    expect(saved.cells.map((each) => [each.source, each.metadata])).toEqual(
      order.map((each) => (each === added ? [['new\n', '2'], {}] : [each.source, { trusted: 1 }])),
    );
    expect(saved.nbformat_minor).toBe(ids ? 5 : 2);
  }
});

it('shows the kernel as it is and leaves the words of other kernels', () => {
  const of = (own: object) =>
    textOf(JSON.stringify({ cells: [], metadata: own, nbformat: 4, nbformat_minor: 5 })).shown().metadata;
  expect(of({ kernelspec: { name: 'oddslab', display_name: 'old' } })).toEqual(KERNEL);
  const python = { kernelspec: { name: 'python3' }, language_info: { name: 'python' } };
  expect(of(python)).toEqual(python);
  expect(of({})).toEqual({});
});

it('keeps a change of the kernel', () => {
  const spec = { name: 'oddslab', display_name: 'old', language: 'typescript' };
  const read = textOf(JSON.stringify({ cells: [], metadata: { kernelspec: spec }, nbformat: 4, nbformat_minor: 5 }));
  const other = { kernelspec: { name: 'python3', display_name: 'Python' }, language_info: { name: 'python' } };
  expect(JSON.parse(read.saved({ ...read.shown(), metadata: other })).metadata).toEqual(other);
  // An output that was run again has the kernel's own words, of which none are new.
  expect(JSON.parse(read.saved({ ...read.shown() })).metadata).toEqual({ kernelspec: spec });
});
