import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestNotebook } from '../run-cells.js';

/** Node's own words, and what to do. */
const REFUSED = 'Assignment to constant variable. Declare it again, as const or as let, which can be assigned.';

describe('assigning to a constant', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  it.each([
    ['k = 2', 'k = 2', 1],
    ['let a = 0;\na += 1; k += 1', 'k += 1', 9],
    ['k++', 'k++', 1],
    ['[k] = [2]', '[k]', 2],
    ['({ k } = { k: 2 })', 'k }', 4],
    ['({ k = 3 } = {})', 'k =', 4],
    ['({ a: [...k] } = { a: [2] })', 'k]', 11],
    ['for (k of [2]);', 'k of', 6],
    ['const write = () => { k = 2 }; write()', 'k = 2', 23],
    ['const own = 1; own = 2', 'own = 2', 16],
  ])('throws as in a module: %s', async (code, _, column) => {
    await notebook.value('const k = 1');
    const { outcome } = await notebook.run(code);
    expect(outcome).toMatchObject({
      status: 'error',
      fault: { name: 'TypeError', message: REFUSED, at: { column } },
    });
    expect(await notebook.value('k')).toBe('1');
  });

  it.each([
    ['k ??= 2; k', '1'],
    ['(function (k: number) { k = 5; return k; })(1)', '5'],
    ['{ let k = 1; k = 6; } k', '1'],
    ['try { throw 1 } catch (k) { k = 2 } k', '1'],
    ['const o = { k: 1 }; o.k = 7; o.k', '7'],
    ['let k = 1; k = 8; k', '8'],
    ['var k = 1; k = 9; k', '9'],
  ])('leaves alone what is none: %s', async (code, value) => {
    await notebook.value('const k = 1');
    expect(await notebook.value(code)).toBe(value);
  });

  it('knows the constants of a cell that closes what it is using', async () => {
    await notebook.value('let other = 1', 'using held = null; export const kept = 1; declare const other: number');
    for (const code of [
      'kept = 2',
      'held = 2',
      'using held = null; const own = 1; own = 2',
      'await using own = null; own = 2',
    ]) {
      expect((await notebook.run(code)).outcome).toMatchObject({
        fault: { message: REFUSED },
      });
    }
    expect(await notebook.value('other = 2; [kept, other]')).toBe('[ 1, 2 ]');
  });

  it.each([
    ["import { sep as i } from 'node:path'", 'i = 2'],
    ["import i from 'node:path'", '[i] = [2]'],
    ["import * as i from 'node:path'", 'const write = () => { i = 2; }; write()'],
  ])('counts an imported name as one until a later cell declares it: %s', async (imported, code) => {
    const refused = { outcome: { fault: { message: REFUSED } } };
    expect(await notebook.run(`${imported}; ${code}`)).toMatchObject(refused);
    await notebook.value(imported);
    expect(await notebook.run(code)).toMatchObject(refused);
    expect(await notebook.value('let i = 1; i = 2; i')).toBe('2');
  });

  it('takes a constant that a later cell declares as a variable', async () => {
    expect(await notebook.value('const late = 1', 'let late = 1', 'late = 2; late')).toBe('2');
  });
});
