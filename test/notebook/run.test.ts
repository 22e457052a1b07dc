import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.js';
import { serializeNotebook } from '../../src/notebook/document.js';
import { runNotebook } from '../../src/notebook/run.js';
import { makeNotebook } from './make-notebook.js';

const file = join(tmpdir(), 'nb.ipynb');

describe('runNotebook', () => {
  it('stores outputs and counts as Jupyter does, and leaves the argument alone', async () => {
    const notebook = makeNotebook(
      '# Title',
      'console.log("a"); console.log("b"); console.error("c"); display("d")',
      ' ',
      'type A = 1; ({ [Symbol.for("Jupyter.display")]: () => ({ "image/svg+xml": "<svg>\\n</svg>", "a/json": { b: 1 } }) })',
    );
    const before = structuredClone(notebook);
    const { notebook: executed, failure } = await runNotebook(notebook, { file });
    expect(failure).toBe(undefined);
    expect(notebook).toEqual(before);
    expect(executed.cells.map(({ execution_count, outputs }) => ({ execution_count, outputs }))).toEqual([
      { execution_count: undefined, outputs: undefined },
      {
        execution_count: 1,
        outputs: [
          { name: 'stdout', output_type: 'stream', text: ['a\n', 'b\n'] },
          { name: 'stderr', output_type: 'stream', text: ['c\n'] },
          { data: { 'text/plain': ["'d'"] }, metadata: {}, output_type: 'display_data' },
        ],
      },
      { execution_count: null, outputs: [] },
      {
        execution_count: 2,
        outputs: [
          {
            data: { 'image/svg+xml': ['<svg>\n', '</svg>'], 'a/json': { b: 1 } },
            execution_count: 2,
            metadata: {},
            output_type: 'execute_result',
          },
        ],
      },
    ]);
    expect(executed.cells[1]?.metadata).toEqual({ tags: ['kept'] });
  });

  it('stops at the first cell that fails and keeps its error', async () => {
    const notebook = makeNotebook('const a = 1', '# Text', 'console.log(a);\nnope()', 'a');
    const { notebook: partial, failure } = await runNotebook(notebook, { file });
    expect(failure).toMatchObject({
      cell: 2,
      fault: { name: 'ReferenceError', at: { name: 'cell 2', line: 2, column: 1 } },
    });
    expect(partial.cells[2]?.outputs).toEqual([
      { name: 'stdout', output_type: 'stream', text: ['1\n'] },
      {
        ename: 'ReferenceError',
        evalue: 'nope is not defined',
        output_type: 'error',
        traceback: failure?.fault.traceback,
      },
    ]);
    expect(partial.cells[3]).toMatchObject({ execution_count: null, outputs: [] });
  });

  it('gives equal bytes when run again', async () => {
    const notebook = makeNotebook(
      'for (let i = 0; i < 500; i++) (i % 2 ? console.log : console.error)(i)',
      'new Error("e")',
    );
    const first = await runNotebook(notebook, { file });
    const second = await runNotebook(first.notebook, { file });
    expect(serializeNotebook(second.notebook)).toBe(serializeNotebook(first.notebook));
  });

  it('passes the environment on', async () => {
    const { notebook } = await runNotebook(makeNotebook('process.env.ODDSLAB_TEST'), {
      file,
      env: { ODDSLAB_TEST: 'yes' },
    });
    expect(notebook.cells[0]?.outputs).toMatchObject([{ data: { 'text/plain': ["'yes'"] } }]);
  });

  it('refuses a notebook of another language', async () => {
    const notebook = { ...makeNotebook('1'), metadata: { kernelspec: { language: 'python' } } };
    const error = new InputError('nb.ipynb is written in python; only TypeScript and JavaScript notebooks run here.');
    await expect(runNotebook(notebook, { file })).rejects.toEqual(error);
  });

  it('ends with the reason of its signal, even in an endless loop', async () => {
    const controller = new AbortController();
    const reason = new InputError('enough');
    const run = runNotebook(makeNotebook('for (;;);'), {
      file,
      signal: controller.signal,
      onCell: () => controller.abort(reason),
    });
    await expect(run).rejects.toBe(reason);
  });
});

it('tells how far a cell is, and keeps nothing of it', async () => {
  const notebook = makeNotebook(
    'const tell = globalThis[Symbol.for("oddslab.progress")]; tell("half"); await new Promise((r) => setTimeout(r, 50)); tell(""); "done"',
  );
  const told: unknown[] = [];
  const { notebook: executed } = await runNotebook(notebook, { file, onCell: (...shown) => told.push(shown) });
  expect(told).toEqual([
    [1, 1],
    [1, 1, 'half'],
    [1, 1, ''],
  ]);
  expect(executed.cells.flatMap(({ outputs = [] }) => outputs)).toEqual([
    { data: { 'text/plain': ["'done'"] }, execution_count: 1, metadata: {}, output_type: 'execute_result' },
  ]);
});
