import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.js';
import { type Cell, joinLines, type Notebook } from '../../../src/notebook/format/nbformat.js';
import { parsePercent, serializePercent } from '../../../src/notebook/format/percent.js';
import fc from '../../support/fast-check.js';

/** As jupytext lays out a TypeScript notebook. */
const PROGRAM = `// ---
// jupyter:
//   kernelspec:
//     display_name: TypeScript (Oddslab)
//     language: typescript
//     name: oddslab
// ---

// %% [markdown]
// # Title
//
// \`\`\`ts
// const a = 1; /* not ours */
// \`\`\`

// %% Parameters tags=["parameters", "kept"] days=1.5
const days = 30;

function f() {
  return days;
}

// %%% sub-cell
f();

// %% [raw] {"a b": {"c": null}}
// raw text

// %%
`;

const NOTEBOOK: Notebook = {
  cells: [
    {
      cell_type: 'markdown',
      id: 'cell-1',
      metadata: {},
      source: ['# Title\n', '\n', '```ts\n', 'const a = 1; /* not ours */\n', '```'],
    },
    {
      cell_type: 'code',
      execution_count: null,
      id: 'cell-2',
      metadata: { days: 1.5, tags: ['parameters', 'kept'], title: 'Parameters' },
      outputs: [],
      source: ['const days = 30;\n', '\n', 'function f() {\n', '  return days;\n', '}'],
    },
    {
      cell_type: 'code',
      execution_count: null,
      id: 'cell-3',
      metadata: { cell_depth: 1, title: 'sub-cell' },
      outputs: [],
      source: ['f();'],
    },
    { cell_type: 'raw', id: 'cell-4', metadata: { 'a b': { c: null } }, source: ['raw text'] },
    { cell_type: 'code', execution_count: null, id: 'cell-5', metadata: {}, outputs: [], source: [] },
  ],
  metadata: { kernelspec: { display_name: 'TypeScript (Oddslab)', language: 'typescript', name: 'oddslab' } },
  nbformat: 4,
  nbformat_minor: 5,
};

function notebookOf(...cells: Cell[]): Notebook {
  return { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
}

function code(source: string, metadata: Record<string, unknown> = {}): Cell {
  return { cell_type: 'code', execution_count: null, metadata, outputs: [], source };
}

function markdown(source: string): Cell {
  return { cell_type: 'markdown', metadata: {}, source };
}

/** What both forms of a notebook keep. */
function keptOf({ cells, metadata }: Notebook): unknown {
  return {
    cells: cells.map((cell) => ({ type: cell.cell_type, metadata: cell.metadata, source: joinLines(cell.source) })),
    metadata,
  };
}

function sourcesOf(text: string): string[] {
  return parsePercent(text, 'a.ts').cells.map(({ source }) => joinLines(source));
}

describe('parsePercent', () => {
  it('reads cells, titles, metadata and the header', () => {
    expect(parsePercent(PROGRAM, 'a.ts')).toEqual(NOTEBOOK);
  });

  it.each([
    ['', []],
    ['const a = 1;\n\nconst b = 2;\n', ['const a = 1;\n\nconst b = 2;']],
    ['\n\nimport "x";\n\n// %%\n1\n', ['import "x";', '1']],
    ['// %%\n1\n// %%\n\n2\n\n\n// %%', ['1', '\n2\n', '']],
    ['// %% [markdown]\n//plain\n//  two\nbare\n\n// last\n', ['plain\n two\nbare\n\nlast']],
    ['//%% tight\n1', ['1']],
    ['// %%tight is no cell\n1', ['// %%tight is no cell\n1']],
    ['// %% a\r\n1\r\n\r\n// %%\r\n2\r\n3\r\n', ['1', '2\n3']],
    ['\ufeff// %%\n1\n', ['1']],
  ])('takes %j apart', (text, sources) => {
    expect(sourcesOf(text)).toEqual(sources);
  });

  it.each([
    ['// %% [md] A = title', { cell_type: 'markdown', metadata: { A: 'title' } }],
    ['// %% A title', { cell_type: 'code', metadata: { title: 'A title' } }],
    ['// %% A [markdown] b=1', { cell_type: 'markdown', metadata: { b: 1, title: 'A' } }],
    ['// %% tags=[bad, worse] c=1', { cell_type: 'code', metadata: { tags: ['bad', 'worse'], c: 1 } }],
    ['// %% tags=bad', { cell_type: 'code', metadata: { tags: ['bad'] } }],
    [`// %% tags=['a', "b"] c=True d=None`, { cell_type: 'code', metadata: { c: true, d: null, tags: ['a', 'b'] } }],
    [
      '// %% a=1 hidden b={"c": [1, "] x="]}',
      { cell_type: 'code', metadata: { a: 1, b: { c: [1, '] x='] }, hidden: null } },
    ],
    ['// %% T {"a": 1}', { cell_type: 'code', metadata: { a: 1, title: 'T' } }],
    ['// %% T {not: json', { cell_type: 'code', metadata: { title: 'T {not: json' } }],
  ])('reads the marker %s', (line, expected) => {
    expect(parsePercent(`${line}\n`, 'a.ts').cells).toMatchObject([expected]);
  });

  it('keeps what else the header holds as a raw cell', () => {
    const text = '// ---\n// title: A\n// jupyter:\n//   kernelspec:\n//     name: x\n// ---\n\n// %%\n1\n';
    const { cells, metadata } = parsePercent(text, 'a.ts');
    expect(metadata).toEqual({ kernelspec: { name: 'x' } });
    expect(cells.map((cell) => [cell.cell_type, joinLines(cell.source)])).toEqual([
      ['raw', '---\ntitle: A\n---'],
      ['code', '1'],
    ]);
  });

  it.each([
    [PROGRAM, NOTEBOOK.metadata],
    ['// %%\n1;\n', {}],
    ['// ---\n// jupyter:\n//   jupytext:\n//     a: b\n// ---\n\n// %%\n1;\n', { jupytext: { a: 'b' } }],
  ])('keeps the line above the header that names what executes the file', (program, metadata) => {
    const text = `#!/usr/bin/env node\n${program}`;
    const notebook = parsePercent(text, 'a.ts');
    expect(notebook.cells).toEqual(parsePercent(program, 'a.ts').cells);
    const jupytext = { ...Object(Object(metadata).jupytext), executable: '/usr/bin/env node' };
    expect(notebook.metadata).toEqual({ ...Object(metadata), jupytext });
    expect(serializePercent(notebook)).toBe(text);
  });

  it('says where a header is no YAML', () => {
    const parse = () => parsePercent('// ---\n// a: [\n// ---\n', 'a.ts');
    expect(parse).toThrow(InputError);
    expect(parse).toThrow(/^a\.ts: the header between the lines "\/\/ ---" is no YAML: /);
  });
});

describe('serializePercent', () => {
  it('writes what it read byte for byte', () => {
    expect(serializePercent(parsePercent(PROGRAM, 'a.ts'))).toBe(PROGRAM);
  });

  it('leaves behind what runs and kernels wrote', () => {
    const cell = { ...code('1', { execution: { iopub: 'x' }, tags: ['a'] }), outputs: [{ output_type: 'x' }], id: 'b' };
    const notebook = { ...notebookOf(cell), metadata: { language_info: { name: 'typescript' } } };
    expect(serializePercent(notebook)).toBe('// %% tags=["a"]\n1\n');
  });

  it('escapes lines that would begin a cell, and what would end a comment', () => {
    const notebook = notebookOf(code('// %% x\n  //%%\n// \\%%'), markdown('%% y\na\u2028b\rc\r\nd */'));
    const text = `// %%
// \\%% x
  //\\%%
// \\\\%%

// %% [markdown]
// \\%% y
// a\u2028// b\r// c\r
// d */
`;
    expect(serializePercent(notebook)).toBe(text);
    expect(keptOf(parsePercent(text, 'a.ts'))).toEqual(keptOf(notebook));
  });

  it('writes titles and keys that could not be told apart as JSON', () => {
    const titles = ['a=b', '[raw]', '% deep', ' x', 'a  b', 'x\n// %%', '', 'Straße'];
    const cells = titles.map((title) => code('', { title }));
    const text = serializePercent(notebookOf(...cells, code('', { cell_depth: 'x', 'a b': '\u2028ü' })));
    expect(text.split('\n\n')).toEqual([
      '// %% title="a=b"',
      '// %% title="[raw]"',
      '// %% title="% deep"',
      '// %% title=" x"',
      '// %% title="a  b"',
      '// %% title="x\\n// %%"',
      '// %% title=""',
      '// %% Straße',
      '// %% {"cell_depth": "x", "a b": "\\u2028\\u00fc"}\n',
    ]);
    expect(parsePercent(text, 'a.ts').cells.map(({ metadata }) => metadata)).toEqual([
      ...titles.map((title) => ({ title })),
      { 'a b': '\u2028ü', cell_depth: 'x' },
    ]);
  });

  it('is a program that an editor can check, whatever stands in comments', () => {
    const prose = fc.record({
      cell_type: fc.constantFrom('markdown' as const, 'raw' as const),
      metadata: fc.dictionary(fc.string(), fc.string({ unit: 'binary' })),
      source: fc.string({
        unit: fc.oneof(fc.constantFrom('\n', '\r', '\u2028', '\u2029', '*/', '`'), fc.string({ unit: 'binary' })),
      }),
    });
    const metadata = fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(prose), metadata, (cells, own) => {
        const written = serializePercent({ ...notebookOf(code('1;'), ...cells), metadata: own });
        const { errors, program } = parseSync('a.ts', written);
        expect([errors, program.body.length]).toEqual([[], 1]);
      }),
      { numRuns: 100 },
    );
  });

  it('keeps sources, kinds, tags and metadata of any notebook, and then the file', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '',
        ' ',
        '// %%',
        '//%% [markdown]',
        '// \\%% a',
        '%%',
        '// ---',
        '\r',
        '*/',
        '```',
        '`',
        '\u2028',
        '\t// x',
      ),
      fc.string({ unit: 'binary' }),
    );
    const source = fc.array(line).map((lines) => lines.join('\n'));
    const key = fc.oneof(fc.constantFrom('title', 'tags', 'cell_depth', 'a.b-c', 'yes', '1'), fc.string());
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('no', '2024-01-01', '0o17', '1_0', '~'),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.double({ noDefaultInfinity: true, noNaN: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(key, tie('value')),
      ),
    }));
    const metadata = fc.dictionary(key, value);
    const cell = fc
      .record({ cell_type: fc.constantFrom('code' as const, 'markdown' as const, 'raw' as const), metadata, source })
      .map((fields): Cell => (fields.cell_type === 'code' ? { ...code(''), ...fields } : fields));
    fc.assert(
      fc.property(fc.array(cell), metadata, (cells, own) => {
        const notebook = { ...notebookOf(...cells), metadata: own };
        const written = serializePercent(notebook);
        const read = parsePercent(written, 'a.ts');
        expect(keptOf(read)).toEqual(keptOf(notebook));
        expect(serializePercent(read)).toBe(written);
      }),
      { numRuns: 150 },
    );
  });
});

it('keeps cells that begin with two percent signs', () => {
  const cells = ['%%sql daily\nSELECT 1', '%time 1 + 1', '%%html\n<b>'];
  const text = `${cells.map((code) => `// %%\n${code}`).join('\n\n')}\n`;
  expect(parsePercent(text, 'a.ts').cells.map(({ source }) => joinLines(source))).toEqual(cells);
  expect(serializePercent(parsePercent(text, 'a.ts'))).toBe(text);
});
