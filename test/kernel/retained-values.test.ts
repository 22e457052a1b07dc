import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestNotebook } from './run-cells.js';

const CELLS = 12;
/** Each makes an array of 8 MB that nothing refers to once the cell is over. */
const LET_GO: [what: string, code: string][] = [
  ['the value of its last expression', 'new Array(1e6).fill(0)'],
  ['the value that it waited for', 'await Promise.resolve(new Array(1e6).fill(0))'],
  ['the value of its last statement, which is none of an expression', 'if (true) new Array(1e6).fill(0)'],
  ['what it prints', 'console.log(new Array(1e6).fill(0).length, { many: new Array(1e6).fill(0) })'],
  ['what it displays', 'display(new Array(1e6).fill(0))'],
  ['what it throws', 'throw new Array(1e6).fill(0)'],
  ['what belongs to an error that it throws', "throw Object.assign(new Error('no'), { many: new Array(1e6).fill(0) })"],
  ['what it rejects and nothing handles', 'void Promise.reject(new Array(1e6).fill(0)); 1'],
  ['what it declares anew', 'let again = new Array(1e6).fill(0)'],
];
const HEAP_MB = `import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
setFlagsFromString('--expose-gc');
runInNewContext('gc')();
Math.round(process.memoryUsage().heapUsed / 1e6)`;

describe('a cell that is over', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  it.each(LET_GO)('does not hold on to %s', async (_what, code) => {
    for (let i = 0; i < CELLS; i++) await notebook.run(code);
    // One array may still be somebody's, all twelve would be 96 MB.
    expect(Number(await notebook.value(HEAP_MB))).toBeLessThan(40);
  });
});
