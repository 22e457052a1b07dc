import { describe, expect, it } from 'vitest';
import { transformCell } from '../../src/kernel/transform.js';

describe('transformCell', () => {
  it.each([
    ['const a: number = 1; a', "'use strict';let a = 1;\n__oddslab__.value = (a);\n"],
    [
      'import d, { b as c } from "x";\nc',
      `'use strict';let { "default": d, "b": c } = (__oddslab__.goesOn(await __oddslab__.load("x", ["default","b"])) ? __oddslab__.taken() : await __oddslab__.never());\n\n__oddslab__.value = (c);\n`,
    ],
    [
      'import { type T, U } from "x"',
      `'use strict';let { "U": U } = (__oddslab__.goesOn(await __oddslab__.load("x", [], [["U","U"]])) ? __oddslab__.taken() : await __oddslab__.never());\n\n`,
    ],
    ['var a = 1, b;', "'use strict';let a, b;(a = 1, void 0);\n"],
    ['export async function* f() {}', "'use strict';let f = async function* () {};\n\n"],
    ['import("a"); import.meta', '\'use strict\';__oddslab__.dynamic("a");\n__oddslab__.value = (__oddslab__.meta);\n'],
    ['const URL = 1; URL', "'use strict';let URL$cell = 1;\n__oddslab__.value = (URL$cell);\n"],
    ['#!/usr/bin/env node\n1', "'use strict';///usr/bin/env node\n__oddslab__.value = (1);\n"],
  ])('%s', (source, code) => {
    expect(transformCell(source)).toMatchObject({ code });
  });

  it('finds the place in the cell of a place in the script', () => {
    const cell = transformCell('type A = 1;\n\nfunction f() {\n  throw new Error();\n}\nf();');
    if ('fault' in cell) throw new Error('The cell is not valid.');
    const at = (text: string) => {
      const before = cell.code.slice(0, cell.code.indexOf(text)).split('\n');
      return cell.position({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
    };
    expect(at('new Error')).toEqual({ line: 4, column: 9 });
    expect(at('f()')).toEqual({ line: 6, column: 1 });
  });

  it('says what is wrong with a cell, and where', () => {
    const fault = { message: 'Unexpected token', position: { line: 2, column: 3 } };
    expect(transformCell('let é = 1;\n  )')).toEqual({ fault });
  });
});
