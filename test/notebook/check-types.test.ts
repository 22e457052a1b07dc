import { expect, it } from 'vitest';
import { checkTypes } from '../../src/notebook/check-types.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { makeNotebook } from './make-notebook.js';

async function found(...cells: string[]) {
  return checkTypes(makeNotebook(...cells), `${await temporaryFolder()}/nb.ipynb`);
}

it('says nothing of a name that a later cell declares, and names one that none does, though no cell calls the function', async () => {
  const late = 'function report() {\n  return rows.length + factor;\n}';
  expect(await found(late, 'const rows = [1]', 'const factor = 2; report()')).toEqual({
    unchecked: '',
    large: '',
    wrong: '',
    all: '',
  });
  const { wrong } = await found(late, 'const rows = [1]');
  expect(wrong).toMatch(/^cell 1:2:24 - error TS2304: Cannot find name 'factor'\.\n/);
});

it('checks cells in other languages as what they become', async () => {
  const cells = ['const rows = 5', '%%sql daily\nSELECT 1 AS n', '%%html\n<b>', '%%python\nx =', 'daily.hed()'];
  expect((await found(...cells)).wrong).toMatch(/^cell 5:1:7 - error TS2551: [^\n]*Did you mean 'head'\?\n/);
});

it('leaves a cell that is too large out, says so, and checks the others', async () => {
  const { unchecked, large, wrong } = await found(`const rows = '${'x'.repeat(1_000_000)}'`, 'rows.hed()', 'nothing');
  expect({ unchecked, large }).toEqual({
    unchecked: '',
    large:
      'cell 1 is not checked, and its names are any. It has more than 1,000,000 characters: keep its data in a file.',
  });
  expect(wrong).toMatch(/^cell 3:1:1 - error TS2304: [^\n]*\n/);
});
