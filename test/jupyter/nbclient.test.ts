import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAbsent } from '../support/is-absent.js';
import { PYTHON_PACKAGES } from './kernel-argv.js';
import { kernelFolder } from './kernel-folder.js';
import { notebookOf, runByNbclient } from './run-by-nbclient.js';

const LINES = 100_000;
const CELLS = 2000;

describe.skipIf(isAbsent(join(PYTHON_PACKAGES, 'nbclient'), 'nbclient'))('by nbclient', () => {
  test('a hundred thousand printed lines arrive whole, in order and in few messages', async () => {
    const code = `for (let i = 0; i < ${LINES}; i++) console.log('line ' + i);`;
    const { cells, counts, error } = await runByNbclient(await kernelFolder(), notebookOf([code]));
    expect(error).toBe(null);
    const text = Array.from({ length: LINES }, (_, i) => `line ${i}\n`).join('');
    expect(cells[0]?.outputs.map(({ text }) => text).join('') === text, 'all lines, in order').toBe(true);
    expect(counts.stream).toBeLessThanOrEqual(200);
  });

  test('two thousand cells have each their own outputs', async () => {
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
  }, 600_000);

  test('the first error ends the run, and keeps what was shown', async () => {
    const codes = ['console.log("before")', 'console.log("here"); throw new RangeError("too far")', '"never"'];
    const { cells, error } = await runByNbclient(await kernelFolder(), notebookOf(codes));
    expect(error).toEqual({ ename: 'RangeError', evalue: 'too far' });
    expect(cells.map(({ outputs }) => outputs.map(({ output_type }) => output_type))).toEqual([
      ['stream'],
      ['stream', 'error'],
      [],
    ]);
  });

  test('errors that are allowed do not end it', async () => {
    const codes = ['const kept = 1; throw new Error("one")', 'kept', 'nowhere', 'kept + 1'];
    const { cells, error } = await runByNbclient(await kernelFolder(), notebookOf(codes), { allowErrors: true });
    expect(error).toBe(null);
    expect(cells.map(({ outputs: [output] }) => output?.ename ?? output?.data)).toEqual([
      'Error',
      { 'text/plain': '1' },
      'ReferenceError',
      { 'text/plain': '2' },
    ]);
  });
});
