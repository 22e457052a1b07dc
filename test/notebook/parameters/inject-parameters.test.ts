import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.js';
import { parametersOf } from '../../../src/kernel/parameters/parameters-of.js';
import type { Notebook } from '../../../src/notebook/format/nbformat.js';
import { givenByText, readParameterFile } from '../../../src/notebook/parameters/given-parameters.js';
import { injectParameters } from '../../../src/notebook/parameters/inject-parameters.js';
import {
  describeParameters,
  notebookParameters,
  refuseUnknownParameters,
} from '../../../src/notebook/parameters/notebook-parameters.js';
import { makeNotebook } from '../make-notebook.js';

const DEFAULTS = "const days = 7; // to look back\nlet wallets: string[] = ['0x1'];";

function withParameters(...more: string[]): Notebook {
  const notebook = makeNotebook('# Title', DEFAULTS, ...more);
  Object.assign(notebook.cells[1] ?? {}, { metadata: { tags: ['parameters'] } });
  return notebook;
}

function sources({ cells }: Notebook): unknown[] {
  return cells.map(({ source }) => source);
}

async function inject(notebook: Notebook, ...words: string[]): Promise<Notebook> {
  return injectParameters(notebook, await notebookParameters(notebook, 'nb'), words.map(givenByText));
}

describe('injectParameters', () => {
  it('declares what is set anew, right after the defaults', async () => {
    const notebook = withParameters('days');
    const before = structuredClone(notebook);
    const injected = await inject(notebook, 'days=1', 'wallets=["a","b"]', 'days=30');
    expect(notebook).toEqual(before);
    expect(injected.cells[2]).toEqual({
      cell_type: 'code',
      execution_count: null,
      metadata: { tags: ['injected-parameters'] },
      outputs: [],
      source: ['// Parameters\n', 'const days = 30;\n', 'let wallets: string[] = ["a", "b"];'],
    });
    expect(sources(injected)).toEqual(['# Title', DEFAULTS, injected.cells[2]?.source, 'days']);
    expect(injected.metadata).toEqual({
      ...Object(notebook.metadata),
      papermill: { parameters: { days: 30, wallets: ['a', 'b'] } },
    });
  });

  it('sets a member of an enum by its value or name, and declares it by its name', async () => {
    const cell = `enum Side { Yes = 'YES', No = 'NO', 'n/a' = 'Yes' }
const side: Side = Side.Yes; // to take
let byDefault = Side.No;
let more: { sides: Side[]; other?: Side | null };
type Mode = 'fast' | 'slow'; let mode: Mode;`;
    const notebook = makeNotebook(cell);
    Object.assign(notebook.cells[0] ?? {}, { metadata: { tags: ['parameters'] } });
    const lineOf = async (word: string): Promise<unknown> => Object(sources(await inject(notebook, word))[1])[1];
    expect(await lineOf('side=NO')).toBe('const side: Side = Side.No;');
    expect(await lineOf('side=No')).toBe('const side: Side = Side.No;');
    expect(await lineOf('side=Side.No')).toBe('const side: Side = Side.No;');
    expect(await lineOf('side=Yes')).toBe('const side: Side = Side["n/a"];');
    expect(await lineOf('byDefault=YES')).toBe('let byDefault = Side.Yes;');
    expect(await lineOf('more={"sides":["NO"],"other":null}')).toBe(
      'let more: { sides: Side[]; other?: Side | null } = { sides: [Side.No], other: null };',
    );
    const { metadata } = await inject(notebook, 'more={"sides":["No"]}');
    expect(Object(metadata).papermill).toEqual({ parameters: { more: { sides: ['NO'] } } });
    const accepted = 'one of Side.Yes ("YES") or Side.No ("NO") or Side["n/a"] ("Yes")';
    expect(describeParameters('nb', await notebookParameters(notebook, 'nb')).split('\n')).toEqual([
      'nb',
      `  side: Side = Side.Yes                         to take; ${accepted}`,
      `  byDefault: Side = Side.No                     ${accepted}`,
      '  more: { sides: Side[]; other?: Side | null }',
      '  mode: Mode                                    one of "fast" or "slow"',
      '',
    ]);
    await expect(inject(notebook, 'side=yes')).rejects.toThrow(
      'side must be Side.Yes ("YES") or Side.No ("NO") or Side["n/a"] ("Yes"); got "yes".',
    );
  });

  it('goes by the code cell that is tagged, whatever else is', async () => {
    const notebook = makeNotebook('# Meaning', 'let a = 1', 'a');
    notebook.cells = notebook.cells.map((cell, at) =>
      at < 2 ? { ...cell, metadata: { tags: ['parameters'] } } : cell,
    );
    expect(sources(await inject(notebook, 'a=2'))).toEqual([
      '# Meaning',
      'let a = 1',
      ['// Parameters\n', 'let a = 2;'],
      'a',
    ]);
  });

  it('replaces the cell of an earlier run, and keeps its place and what else is in it', async () => {
    const first = await inject({ ...withParameters('days'), nbformat_minor: 5 }, 'days=1');
    expect(first.cells[2]?.id).toBe('injected-parameters');
    const [title, defaults, injected, last] = first.cells;
    if (!title || !defaults || !injected || !last) throw new Error('four cells');
    const moved = { ...first, cells: [title, defaults, last, { ...injected, id: 'mine' }] };
    const second = await inject(moved, 'wallets=[]');
    expect(sources(second)).toEqual(['# Title', DEFAULTS, 'days', ['// Parameters\n', 'let wallets: string[] = [];']]);
    expect(second.cells[3]?.id).toBe('mine');
    expect(second.metadata).toMatchObject({ papermill: { parameters: { wallets: [] } } });
  });

  it('puts the cell at the top where no cell is tagged', async () => {
    const injected = await inject(makeNotebook('# A', '1'), 'n=2', 'text=a "b"', 'big={"__proto__":1}');
    expect(injected.cells[0]?.source).toEqual([
      '// Parameters\n',
      'let n = 2;\n',
      'let text = "a \\"b\\"";\n',
      'let big = { ["__proto__"]: 1 };',
    ]);
    expect(sources(injected).slice(1)).toEqual(['# A', '1']);
  });

  it('gives the notebook itself where nothing is set in it', async () => {
    const notebook = withParameters();
    expect(await inject(notebook, 'elsewhere=1')).toBe(notebook);
  });

  it('refuses a value that the parameter does not take', async () => {
    await expect(inject(withParameters(), 'days=abc')).rejects.toEqual(
      new UsageError('days must be a number; got "abc".'),
    );
  });
});

describe('refuseUnknownParameters', () => {
  const refuse = (name: string, ...cells: (string | undefined)[]) => {
    const notebooks = cells.map((cell, index) => {
      return { path: `${index}.ipynb`, declared: cell === undefined ? undefined : parametersOf(cell, 'c') };
    });
    refuseUnknownParameters([givenByText(`${name}=1`)], notebooks);
  };

  it('takes what one of the notebooks declares, and anything for one that declares nothing', () => {
    refuse('b', 'let a = 1', 'let b = 1');
    refuse('c', 'let a = 1', undefined);
  });

  it('says that names of a value taken apart are no parameters', () => {
    const notebooks = [{ path: 'a', declared: [], apart: ['q'] }];
    const given = [{ name: 'q', where: '-p', value: { text: '1' } }];
    expect(() => refuseUnknownParameters(given, notebooks)).toThrow('q is declared by taking a value apart');
  });

  it('names the nearest', () => {
    expect(() => refuse('dais', 'let days = 1, wallet = 2')).toThrow(
      new UsageError('-p: dais is no parameter of 0.ipynb. Did you mean days?'),
    );
    expect(() => refuse('x', 'let days = 1', 'let wallet = 2')).toThrow(
      new UsageError('-p: x is no parameter of any of the notebooks. There is days, wallet.'),
    );
    expect(() => refuse('x', '')).toThrow(new UsageError('-p: x is no parameter of 0.ipynb. There is none.'));
  });
});

describe('describeParameters', () => {
  it('tells type, default and meaning', async () => {
    expect(describeParameters('nb.ipynb', await notebookParameters(withParameters(), 'nb'))).toBe(
      "nb.ipynb\n  days: number = 7             to look back\n  wallets: string[] = ['0x1']\n",
    );
    const inferred = parametersOf('let a = [1], b = { c: new Date(0) }, d = f(), e;', 'c');
    expect(describeParameters('n', inferred)).toBe(
      'n\n  a: number[] = [1]\n  b: { c: Date } = { c: new Date(0) }\n  d: unknown = f()\n  e: any\n',
    );
  });

  it('says where there are none', () => {
    expect(describeParameters('n', undefined)).toBe('n\n  no parameters: none of its cells has the tag "parameters"\n');
    expect(describeParameters('n', [])).toBe('n\n  no parameters: the cell tagged "parameters" declares none\n');
  });
});

describe('readParameterFile', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'oddslab-params-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (text: string, name = 'p.yaml') => {
    writeFileSync(join(folder, name), text);
    return readParameterFile(join(folder, name));
  };

  it('reads YAML and JSON, and keeps big integers exact', async () => {
    const where = join(folder, 'p.yaml');
    const big = 12345678901234567890n;
    expect(await read(`days: 30\nwallets: [a, '007']\nsince: 2025-01-31\ntoken: ${big}\nnone: ~\n`)).toEqual([
      { name: 'days', where, value: { data: 30 } },
      { name: 'wallets', where, value: { data: ['a', '007'] } },
      { name: 'since', where, value: { data: '2025-01-31' } },
      { name: 'token', where, value: { data: big } },
      { name: 'none', where, value: { data: null } },
    ]);
    expect(await read('{"a": {"b": [1]}}', 'p.json')).toEqual([
      { name: 'a', where: join(folder, 'p.json'), value: { data: { b: [1] } } },
    ]);
    expect(await read('# nothing\n')).toEqual([]);
  });

  it('takes merged mappings, sets, dates and unquoted addresses for what they are', async () => {
    const address = '0xc3779611438639d8d588962b1681dd49fcb35ee9';
    const text = `o: {<<: {x: 1}, y: 2}\ns: !!set {a, b}\nd: !!timestamp 2025-01-31\nw: ${address}\n`;
    expect((await read(text)).map(({ value }) => value)).toEqual([
      { data: { x: 1, y: 2 } },
      { data: ['a', 'b'] },
      { data: new Date('2025-01-31T00:00:00Z') },
      { data: address },
    ]);
  });

  it.each([
    ['n: 1e400', '1e400 is no number that can be kept exactly: put it in quotes to have it as a text.'],
    ['n: 9007199254740993.0', '9007199254740993.0 is no number that can be kept exactly'],
    ['o: {null: c}', 'a key is null: put it in quotes, "null".'],
    ['o: &a {self: *a}', 'a value holds itself.'],
    ['b: !!binary aGk=', 'a value is tagged as !!binary, which no parameter takes.'],
    ['f: !foo 1', 'Unresolved tag: !foo'],
  ])('refuses what would be changed on its way: %s', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it('refuses what holds no parameters', async () => {
    await expect(read('- a\n')).rejects.toThrow(UsageError);
    await expect(read('a b: 1\n')).rejects.toThrow('"a b" cannot be the name of a parameter.');
    await expect(read('a: [1\n')).rejects.toThrow(UsageError);
    await expect(read('a: 1\na: 2\n')).rejects.toThrow(/cannot be taken as YAML or JSON: .*unique/);
    await expect(read('a: 1\n---\nb: 2\n')).rejects.toThrow(
      /p\.yaml cannot be taken as YAML or JSON: it holds several documents, parted by "---": leave one\.$/,
    );
    expect(await read('# c\n---\na: 1\n...\n')).toMatchObject([{ name: 'a', value: { data: 1 } }]);
    await expect(readParameterFile(join(folder, 'none.yaml'))).rejects.toThrow(
      /^Cannot read the parameters of .*ENOENT/,
    );
  });
});
