import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestNotebook } from '../run-cells.js';

describe('namespaces', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  it.each([
    ['namespace M { export const one = 1 } namespace M { export const two = one + 1 } M.two', '2'],
    ['namespace M { export let n = 0; export function add() { n++; return n } } M.add(); M.n += 5; M.add()', '7'],
    ['namespace M { export let n: number, s = "s"; n = 3 } [M.n, M.s]', "[ 3, 's' ]"],
    ['namespace M { export let n: number; } M', '{}'],
    ['namespace M { export var { a, b: [c] } = { a: 1, b: [2] }; c += a } M', '{ a: 1, c: 3 }'],
    [
      'namespace M { export let n = 1; export const o = { n }; (n => n)(5); { let n = 2; n++ } } M',
      '{ n: 1, o: { n: 1 } }',
    ],
    ['namespace M { export let f = function () { return this } as any; export const own = f() } M.own', undefined],
    ['namespace A.B { export const c = 1 } namespace A.B { export const d = c + 1 } A', '{ B: { c: 1, d: 2 } }'],
    ['namespace A { export namespace B { export let n = 1 } B.n++ } A', '{ B: { n: 2 } }'],
    ['namespace A { export let n = 1; namespace B { export let n = 5; n++ } export const m = n } A', '{ n: 1, m: 1 }'],
    ['namespace M { export function f() { return g() } } namespace M { export function g() { return 4 } } M.f()', '4'],
    ['namespace M { export enum E { X = 3 } } namespace M { export const x = E.X } M.x', '3'],
    [
      'namespace M { export type T = number; export interface n {} } namespace M { export let n: T = 1; let k: n = {} } M',
      '{ n: 1 }',
    ],
    ['class C { a = C.b } namespace C { export let b = 2 } new C()', 'C { a: 2 }'],
    ['function f() { return f.count++ } namespace f { export let count = 1 } f(); f()', '2'],
    ['namespace M { export const one = 1 } M', '{ one: 1 }'],
  ])('%s', async (code, value) => {
    expect(await notebook.value(code)).toBe(value);
  });

  it('begin anew where a cell declares them again', async () => {
    expect(await notebook.value('namespace N { export let a = 1 }', 'namespace N { export let b = 2 } N')).toBe(
      '{ b: 2 }',
    );
  });

  it('keep the places of errors', async () => {
    const { outcome } = await notebook.run('namespace P {\n  export let count: number = 1;\n  count; null.x;\n}');
    expect(outcome).toMatchObject({ status: 'error', fault: { at: { line: 3, column: 15 } } });
  });

  it('of modules may be lowered too', async () => {
    notebook.write('counter.ts', 'export namespace Counter { export let n = 1; export const add = () => ++n }');
    expect(await notebook.value("import { Counter } from './counter'; Counter.add(); Counter.n")).toBe('2');
  });
});

describe('an import that its module lacks', () => {
  it('is told where a later cell reads it', async () => {
    const notebook = new TestNotebook();
    notebook.write('mod.ts', 'export const there = 1; export interface OnlyType { a: 1 }');
    await notebook.value("import { there, thre, OnlyType } from './mod'", 'const typed: OnlyType = { a: 1 }; there');
    const message = "The module './mod' has no export named 'thre'. Did you mean 'there'? It exports: there";
    for (const [code, column] of [
      ['thre', 1],
      ['({ thre })', 4],
      ['() => 0; (() => thre)()', 17],
    ] as const) {
      const { outcome } = await notebook.run(code);
      expect(outcome).toMatchObject({ status: 'error', fault: { name: 'SyntaxError', message, at: { column } } });
    }
    expect(await notebook.value('((thre: number) => thre)(3)')).toBe('3');
    expect(await notebook.value('const thre = 4', 'thre')).toBe('4');
    await notebook.close();
  });

  it('is found where a module of CommonJS has it only in what it exports as a whole', async () => {
    const notebook = new TestNotebook();
    mkdirSync(join(notebook.folder, 'node_modules', 'cjs-old'), { recursive: true });
    notebook.write('node_modules/cjs-old/package.json', '{"name":"cjs-old","main":"main.js"}');
    notebook.write('node_modules/cjs-old/main.js', 'const all = {}; all.hidden = 7; module.exports = all;');
    expect(await notebook.value("import { hidden } from 'cjs-old'", 'hidden')).toBe('7');
    await notebook.close();
  });
});

it('evaluates what `export =` gives', async () => {
  const notebook = new TestNotebook();
  const { outcome } = await notebook.run('export =   null.x');
  expect(outcome).toMatchObject({ status: 'error', fault: { name: 'TypeError', at: { line: 1 } } });
  await notebook.close();
});
