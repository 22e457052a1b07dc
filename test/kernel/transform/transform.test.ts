import { describe, expect, it } from 'vitest';
import { transformCell } from '../../../src/kernel/transform/transform.js';

describe('transformCell', () => {
  it.each([
    ['const a: number = 1; a', "'use strict';let a = 1; __oddslab__.value = (a);"],
    ['const f = (a?: number, ...r: string[]): a is 1 => a! + 1', "'use strict';let f = (a, ...r) => a + 1;"],
    ['class A { constructor(private b = 1) {} }', "'use strict';class A {b; constructor(b = 1) {this.b = b;} }"],
    ['type A = 1\nclass B<T>extends C<T> { d: T; }', "'use strict';;\nclass B extends C { d; }"],
    [
      'import d, { b as c } from "x";\nc',
      `'use strict';let { "default": d, "b": c } = (__oddslab__.goesOn(await __oddslab__.load("x", ["default","b"])) ? __oddslab__.taken() : await __oddslab__.never());\n\n__oddslab__.value = (c);`,
    ],
    [
      'function f(n: X) { return f(n) }',
      "'use strict';let f = function (n) { return f(n) };__oddslab__.namedInText(f);\n",
    ],
    ['export async function* f() {}', "'use strict';let f = async function* f() {};\n"],
    [
      'import("a"); import.meta',
      `'use strict';(__oddslab__.goesOn(await __oddslab__.resolver()) ? __oddslab__.taken() : await __oddslab__.never());__oddslab__.dynamic("a"); __oddslab__.value = (__oddslab__.meta);`,
    ],
    [
      'await g<A>()',
      "'use strict';(__oddslab__.goesOn(__oddslab__.value = (await __oddslab__.waitsFor(g(), 6))) ? __oddslab__.taken() : await __oddslab__.never());",
    ],
    ['const URL = 1; URL', "'use strict';let URL$cell = 1; __oddslab__.value = (URL$cell);"],
    ['#!/usr/bin/env node\n1', "'use strict';///usr/bin/env node\n__oddslab__.value = (1);"],
  ])('leaves the types of %j out', (source, code) => {
    expect(transformCell(source)).toMatchObject({ code, isQuick: true });
  });

  it.each([
    ['let a = 1 as number / 2; a', "'use strict';let a = 1 / 2;\n__oddslab__.value = (a);\n"],
    [
      'import { type T, U } from "x"',
      `'use strict';let { "U": U } = (__oddslab__.goesOn(await __oddslab__.load("x", [], [["U","U"]])) ? __oddslab__.taken() : await __oddslab__.never());\n\n`,
    ],
    ['var a = 1, b;', "'use strict';let a, b;(a = (0, 1), void 0);\n"],
    [
      'class A extends B { constructor(private b: number) { super() } }',
      "'use strict';class A extends B {\n\tb;\n\tconstructor(b) {\n\t\tsuper();\n\t\tthis.b = b;\n\t}\n}\n",
    ],
  ])('transforms %j', (source, code) => {
    expect(transformCell(source)).toMatchObject({ code, isQuick: false });
  });

  it.each([false, true])('finds the place in the cell of a place in the script; thoroughly: %s', (isThorough) => {
    const cell = transformCell('type A = 1;\n\nfunction f() {\n  throw new Error();\n}\nf();', undefined, {
      isThorough,
    });
    if ('fault' in cell) throw new Error('The cell is not valid.');
    const at = (text: string) => {
      const before = cell.code.slice(0, cell.code.indexOf(text)).split('\n');
      return cell.position({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
    };
    expect(at('new Error')).toEqual({ line: 4, column: 9 });
    expect(at('f())')).toEqual({ line: 6, column: 1 });
  });

  it('says what is wrong with a cell, and where', () => {
    const fault = { message: 'Unexpected token', position: { line: 2, column: 3 } };
    expect(transformCell('let é = 1;\n  )')).toEqual({ fault });
  });

  it.each(["<p>it's b</p>", '<>\n  <p a={1} />\n</>', '<p />'])('makes calls of JSX: %s', (jsx) => {
    const cell = transformCell(`let é = 1;\nconst a = ${jsx};\nf<T>(a as T);`);
    expect('code' in cell && cell.code).toContain('__oddslab__.load("react/jsx-runtime"');
    expect('code' in cell && [...cell.names.constants, ...cell.names.variables]).toEqual(['a', 'é']);
    expect(transformCell(`const a = ${jsx} )`)).toMatchObject({
      fault: { position: { line: jsx.split('\n').length } },
    });
  });

  it.each(['f(<b>{x}</b>); y / 2', 'const a = <b>{x}</b>; y / 2', 'x => <b>{x}</b>; y / 2', '<b>{x}</b>; y / 2'])(
    'makes calls of JSX that would be a type assertion, too: %s',
    (code) => {
      const cell = transformCell(code);
      expect('code' in cell && cell.code).toContain('react/jsx-runtime');
    },
  );

  it.each(['const f = <T>(x: T) => x;', '<T>x;', "'<p>a</p>'", 'a < b / c; "/>"'])('takes no JSX for: %s', (code) => {
    const cell = transformCell(code);
    expect('code' in cell && cell.code).not.toContain('jsx');
  });
});
