import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/base/errors.js';
import { packageRoot } from '../../src/base/packages.js';
import { addConvertCommand, convertFiles } from '../../src/cli/convert.js';

/** With a spelling of numbers that JavaScript would change. */
const NOTEBOOK = `{
 "cells": [
  {
   "attachments": {"a.png": {"image/png": "AQI="}},
   "cell_type": "markdown",
   "id": "first",
   "metadata": {},
   "source": "# Title"
  },
  {
   "cell_type": "code",
   "execution_count": 7,
   "id": "second",
   "metadata": {"tags": ["parameters"], "w": 1.0},
   "outputs": [{"output_type": "stream", "name": "stdout", "text": "30\\n"}],
   "source": ["const days = 30;\\n", "days"]
  }
 ],
 "metadata": {"kernelspec": {"language": "typescript", "name": "oddslab"}, "language_info": {"name": "typescript"}},
 "nbformat": 4,
 "nbformat_minor": 5
}`;

const PROGRAM = `// ---
// jupyter:
//   kernelspec:
//     language: typescript
//     name: oddslab
// ---

// %% [markdown]
// # Title

// %% tags=["parameters"] w=1
const days = 30;
days
`;

describe('convertFiles', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'oddslab-convert-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const save = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const read = (path: string): string => readFileSync(path, 'utf8');

  it('writes a notebook as a program beside it, and says what stays behind', async () => {
    const source = save('a.ipynb', NOTEBOOK);
    const notes: string[] = [];
    const target = join(folder, 'a.ts');
    expect(await convertFiles([source], {}, (note) => notes.push(note))).toEqual([target]);
    expect(read(target)).toBe(PROGRAM);
    expect(notes).toEqual([`${target}: the attached pictures of 1 cell stay in the notebook alone.`]);
    expect(await convertFiles([source], {}, (note) => notes.push(note))).toEqual([]);
    expect(notes.at(-1)).toBe(`${target} is up to date.`);
    expect(readdirSync(folder).sort()).toEqual(['a.ipynb', 'a.ts']);
  });

  it('keeps the digits of whole numbers there and back', async () => {
    const numbers = '"big": [12345678901234567890, -9007199254740993], "plain": 9007199254740991';
    const cell = `{"cell_type": "raw", "id": "cell-1", "metadata": {${numbers}}, "source": "x"}`;
    const notebook = `{"cells": [${cell}], "metadata": {${numbers}}, "nbformat": 4, "nbformat_minor": 5}`;
    const [program = ''] = await convertFiles([save('big.ipynb', notebook)], {});
    expect(read(program)).toContain(
      '//     - 12345678901234567890\n//     - -9007199254740993\n//   plain: 9007199254740991',
    );
    expect(read(program)).toContain('// %% [raw] big=[12345678901234567890, -9007199254740993] plain=9007199254740991');
    const [again = ''] = await convertFiles([program], { out: join(folder, 'again.ipynb') });
    expect(read(again).replace(/\s+/g, ' ').split('12345678901234567890, -9007199254740993')).toHaveLength(3);
    await convertFiles([program], { force: true });
    expect(read(join(folder, 'big.ipynb'))).toContain(cell);
  });

  it('brings a notebook in line with its program, outputs and bytes kept where the source is the same', async () => {
    const target = save('a.ipynb', NOTEBOOK);
    const source = save('a.ts', PROGRAM);
    expect(await convertFiles([source], {})).toEqual([]);
    save('a.ts', `${PROGRAM}\n// %%\ndays * 2\n`);
    await expect(convertFiles([source], {})).rejects.toEqual(
      new UsageError(
        `${target} is there and differs, so nothing was written: --force overwrites it; cells whose source is the same keep their outputs.`,
      ),
    );
    expect(read(target)).toBe(NOTEBOOK);
    const notes: string[] = [];
    expect(await convertFiles([source], { force: true }, (note) => notes.push(note))).toEqual([target]);
    expect(notes).toEqual([`${target}: 2 of 3 cells unchanged, with the outputs kept.`]);
    const added = `,
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "cell-3",
   "metadata": {},
   "outputs": [],
   "source": [
    "days * 2"
   ]
  }
 ],
 "metadata"`;
    expect(read(target)).toBe(NOTEBOOK.replace('\n ],\n "metadata"', added));
  });

  it('names the language in an older notebook that names our kernel alone', async () => {
    const source = save('a.ts', PROGRAM);
    const target = save('a.ipynb', NOTEBOOK.replace(', "language_info": {"name": "typescript"}', ''));
    expect(await convertFiles([source], { force: true })).toEqual([target]);
    expect(JSON.parse(read(target)).metadata).toEqual({
      kernelspec: { language: 'typescript', name: 'oddslab' },
      language_info: { file_extension: '.ts', mimetype: 'text/typescript', name: 'typescript' },
    });
  });

  it('makes a new notebook for our kernel where the program names none', async () => {
    const source = save('b.mts', '// %%\n1\n');
    const out = join(folder, 'c.ipynb');
    expect(await convertFiles([source], { out })).toEqual([out]);
    expect(JSON.parse(read(out))).toEqual({
      cells: [{ cell_type: 'code', execution_count: null, id: 'cell-1', metadata: {}, outputs: [], source: ['1'] }],
      metadata: {
        kernelspec: { display_name: 'TypeScript (Oddslab)', language: 'typescript', name: 'oddslab' },
        language_info: { file_extension: '.ts', mimetype: 'text/typescript', name: 'typescript' },
      },
      nbformat: 4,
      nbformat_minor: 5,
    });
  });

  it('converts many into a folder, and the example notebooks back to their own bytes', async () => {
    const sources = readdirSync(join(packageRoot(), 'notebooks')).filter((name) => name.endsWith('.ipynb'));
    const originals = sources.map((name) => join(packageRoot(), 'notebooks', name));
    const programs = await convertFiles(originals, { out: folder });
    expect(programs).toEqual(sources.map((name) => join(folder, name.replace('.ipynb', '.ts'))));
    for (const [index, name] of sources.entries()) writeFileSync(join(folder, name), read(originals[index] ?? ''));
    expect(await convertFiles(programs, {})).toEqual([]);
  });

  it('refuses what it cannot convert before it writes anything', async () => {
    const good = save('a.ipynb', NOTEBOOK);
    const convert = (paths: string[], options = {}) => convertFiles(paths, options);
    mkdirSync(join(folder, 'sub'));
    const twin = save('sub/a.ipynb', NOTEBOOK);
    const python = save('p.ipynb', NOTEBOOK.replace('"typescript"', '"python"'));
    const text = join(folder, 'a.txt');
    const none = join(folder, 'none.ipynb');
    await expect(convert([good, none])).rejects.toEqual(new UsageError(`Cannot read ${none}: there is no such file.`));
    await expect(convert([good, python])).rejects.toThrow(/^p\.ipynb is for python; /);
    await expect(convert([good, text])).rejects.toEqual(
      new UsageError(`${text} is neither a notebook (.ipynb) nor a program in percent format (.ts, .mts, .js, .mjs).`),
    );
    await expect(convert([good], { to: 'ipynb' })).rejects.toEqual(
      new UsageError(`${good} is a notebook already; --to names the other form.`),
    );
    await expect(convert([good, twin], { out: folder })).rejects.toEqual(
      new UsageError(
        `${good} and ${twin} would both become ${join(folder, 'a.ts')}: convert them one by one, with --out.`,
      ),
    );
    await expect(convert([good, twin], { out: '-' })).rejects.toThrow(UsageError);
    await expect(convert([good, twin], { out: join(folder, 'x') })).rejects.toThrow(
      'is no folder; several files need one',
    );
    expect(readdirSync(folder).sort()).toEqual(['a.ipynb', 'p.ipynb', 'sub']);
  });
});

it('teaches by its help', () => {
  const program = new Command('oddslab');
  addConvertCommand(program);
  const [command] = program.commands;
  const help: string[] = [];
  command?.configureOutput({ writeOut: (text) => help.push(text) });
  command?.outputHelp();
  expect(help.join('')).toContain('$ oddslab convert report.ipynb ');
  expect(help.join('')).toContain('--force');
});
