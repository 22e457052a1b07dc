import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAbsent } from '../support/is-absent.js';
import { shownCells } from '../tslab/shown-cells.js';
import { PYTHON_PACKAGES } from './kernel-argv.js';
import { kernelFolder } from './kernel-folder.js';
import { type NbclientRun, notebookOf, runByNbclient, runEachByNbclient } from './run-by-nbclient.js';
import { writeKernelSpec } from './write-kernel-spec.js';

const LINES = 100_000;
const CELLS = 400;

/** Notebooks, and whether their errors are allowed; one Python runs them all, as it takes a second to start. */
const NOTEBOOKS = {
  lines: { cells: [`for (let i = 0; i < ${LINES}; i++) console.log('line ' + i);`], allowErrors: false },
  failing: {
    cells: ['console.log("before")', 'console.log("here"); throw new RangeError("too far")', '"never"'],
    allowErrors: false,
  },
  allowed: {
    cells: ['const kept = 1; throw new Error("one")', 'kept', 'nowhere', 'kept + 1'],
    allowErrors: true,
  },
  slowTests: {
    cells: [
      "import test from 'node:test';\ntest('slow', () => new Promise((resolve) => setTimeout(resolve, 300)));",
      "test('next', () => {}); 'value'",
    ],
    allowErrors: false,
  },
  tslab: {
    cells: [
      "import * as tslab from 'tslab';\nimport { display } from 'tslab';",
      "const bar = tslab.newDisplay();\nfor (const step of [1, 2, 3]) bar.html('<i>' + step + '</i>');\ndisplay.markdown('# Done');",
      "const names: string[] = ['a', 'b'];\nnames",
    ],
    allowErrors: false,
  },
};

describe.skipIf(isAbsent(join(PYTHON_PACKAGES, 'nbclient'), 'nbclient'))('by nbclient', () => {
  let folder: string;
  let runs: NbclientRun[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oddslab-nbclient-'));
    const all = Object.values(NOTEBOOKS);
    const notebooks = all.map(({ cells }) => notebookOf(cells));
    const allowErrors = all.map((each) => each.allowErrors);
    runs = await runEachByNbclient(await writeKernelSpec(folder), notebooks, { allowErrors });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function runOf(name: keyof typeof NOTEBOOKS): NbclientRun {
    return runs[Object.keys(NOTEBOOKS).indexOf(name)] as NbclientRun;
  }

  test('a hundred thousand printed lines arrive whole, in order and in few messages', () => {
    const { cells, counts, error } = runOf('lines');
    expect(error).toBe(null);
    const text = Array.from({ length: LINES }, (_, i) => `line ${i}\n`).join('');
    expect(cells[0]?.outputs.map(({ text }) => text).join('') === text, 'all lines, in order').toBe(true);
    expect(counts.stream).toBeLessThanOrEqual(200);
  });

  test('four hundred cells have each their own outputs', async () => {
    const codes = Array.from(
      { length: CELLS },
      (_, i) => `const n${i} = ${i}; console.log('cell ' + n${i}); n${i} * 2`,
    );
    const kernel = await kernelFolder({ env: { ODDSLAB_TYPES: 'off' } });
    const { cells, error } = await runByNbclient(kernel, notebookOf(codes));
    expect(error).toBe(null);
    const seen = cells.map(({ execution_count, outputs }) => ({ execution_count, outputs }));
    expect(seen).toEqual(
      codes.map((_, i) => ({
        execution_count: i + 1,
        outputs: [
          { output_type: 'stream', name: 'stdout', text: `cell ${i}\n` },
          { output_type: 'execute_result', execution_count: i + 1, data: { 'text/plain': `${i * 2}` }, metadata: {} },
        ],
      })),
    );
  });

  test('the first error ends the run, and keeps what was shown', () => {
    const { cells, error } = runOf('failing');
    expect(error).toEqual({ ename: 'RangeError', evalue: 'too far' });
    expect(cells.map(({ outputs }) => outputs.map(({ output_type }) => output_type))).toEqual([
      ['stream'],
      ['stream', 'error'],
      [],
    ]);
  });

  test('errors that are allowed do not end it', () => {
    const { cells, error } = runOf('allowed');
    expect(error).toBe(null);
    expect(cells.map(({ outputs: [output] }) => output?.ename ?? output?.data)).toEqual([
      'Error',
      { 'text/plain': '1' },
      'ReferenceError',
      { 'text/plain': '2' },
    ]);
  });

  test('tests that no cell awaits are told under theirs', () => {
    const { cells, error } = runOf('slowTests');
    expect(error).toBe(null);
    const shown = cells.map(({ outputs }) =>
      outputs.map(({ text, data }) => /^ok .*/m.exec(String(text ?? ''))?.[0] ?? data),
    );
    expect(shown).toEqual([['ok 1 - slow'], ['ok 2 - next', { 'text/plain': "'value'" }]]);
  });

  test('what is written for tslab shows displays, one that is replaced, and the last value', () => {
    const { cells, error } = runOf('tslab');
    expect(error).toBe(null);
    expect(shownCells(cells)).toEqual([
      { printed: '', errors: '', pictures: [] },
      { printed: '', errors: '', pictures: [{ 'text/html': '<i>3</i>' }, { 'text/markdown': '# Done' }] },
      { printed: '', errors: '', pictures: [{ 'text/plain': "[ 'a', 'b' ]" }] },
    ]);
  });
});
