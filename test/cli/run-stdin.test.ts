import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseNotebook, serializeNotebook } from '../../src/notebook/format/nbformat.js';
import { makeNotebook } from '../notebook/make-notebook.js';
import { COMMAND, type Ended, endOf } from '../support/run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-stdin-'));
writeFileSync(join(folder, 'beside.ts'), 'export const beside = 5;');
afterAll(() => rmSync(folder, { recursive: true }));

function run(text: string, ...words: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [COMMAND, 'run', '-', ...words], { cwd: folder, stdio: 'pipe' });
  child.stdin.end(text);
  return endOf(child);
}

/** What the code cells of a notebook show. */
function shown(text: string): unknown[] {
  const { cells } = parseNotebook(text, 'stdout');
  return cells.flatMap(({ outputs = [] }) =>
    (outputs as { text?: string[]; data?: Record<string, string[]> }[]).map(({ text, data }) =>
      (text ?? data?.['text/plain'] ?? []).join(''),
    ),
  );
}

describe('oddslab run -', () => {
  it('runs plain TypeScript, and writes the notebook to stdout', async () => {
    const { code, out, err } = await run(`#!/usr/bin/env oddslab
import { beside } from './beside';
enum E { A = 1 }
console.log(await Promise.resolve(beside as number), import.meta.dirname === process.cwd());
E.A`);
    expect([code, err]).toEqual([0, '']);
    expect(shown(out)).toEqual(['5 true\n', '1']);
  });

  it('runs a program in percent format', async () => {
    const { code, out } = await run(
      '// %% [markdown]\n// # Title\n\n// %% tags=["parameters"]\nconst n: number = 1;\n\n// %%\nn + 1\n',
      '-p',
      'n=6',
    );
    expect(code).toBe(0);
    expect(shown(out)).toEqual(['7']);
    expect(parseNotebook(out, 'stdout').cells.map(({ cell_type: type }) => type)).toEqual([
      'markdown',
      'code',
      'code',
      'code',
    ]);
  });

  it('runs a notebook, and keeps its other bytes', async () => {
    const text = serializeNotebook(makeNotebook('1 + 1', '"é"'));
    const { code, out } = await run(`${text.trimEnd()}\n\n`);
    expect(code).toBe(0);
    expect(shown(out)).toEqual(['2', "'é'"]);
    expect(out.endsWith('}\n\n')).toBe(true);
  });

  it('writes into a folder that is named', async () => {
    const { code, out } = await run('{ a: 1 }', '-o', 'results', '--html');
    expect([code, out]).toEqual([0, 'results/stdin.ipynb\nresults/stdin.html\n']);
    expect(shown(readFileSync(join(folder, 'results/stdin.ipynb'), 'utf8'))).toEqual(['{ a: 1 }']);
    expect(readdirSync(join(folder, 'results')).sort()).toEqual(['stdin.html', 'stdin.ipynb']);
  });

  it('tells where it fails, and writes the part that ran', async () => {
    const { code, out, err } = await run('console.log("first")\n// %%\nconst a = 1;\nmissing + a');
    expect(code).toBe(1);
    expect(err).toContain('<stdin>: cell 2, line 2:1\nReferenceError: missing is not defined');
    expect(shown(out)[0]).toBe('first\n');
  });

  it('checks types and outputs', async () => {
    const typed = await run('const n: number = "a"; n', '--types', 'block');
    expect([typed.code === 0, typed.out]).toEqual([false, '']);
    expect(typed.err).toContain('<stdin>: its types are wrong');
    const stored = serializeNotebook(makeNotebook('1 + 1'));
    const checked = await run(stored, '--check');
    expect(checked.err + checked.out).toContain('<stdin>');
    expect(checked.code).not.toBe(0);
  });

  it.each([
    ['{"cells": [}', [], '<stdin>'],
    ['1', ['--html'], '--html needs a folder'],
    ['1', ['other.ipynb'], '- stands alone'],
  ])('refuses %j with %j', async (text, words, message) => {
    const { code, out, err } = await run(text, ...words);
    expect(code).not.toBe(0);
    expect(out).toBe('');
    expect(err).toContain(message);
  });

  it('runs nothing where nothing comes', async () => {
    const { code, out } = await run('');
    expect(code).toBe(0);
    expect(parseNotebook(out, 'stdout').cells).toEqual([]);
  });
});
