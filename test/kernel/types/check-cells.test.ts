import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { packageRoot } from '../../../src/base/packages.js';
import { LanguageServer } from '../../../src/kernel/types/language-server.js';
import { openTypeService } from '../../../src/kernel/types/open-type-service.js';
import type { Diagnostic } from '../../../src/kernel/types/type-service.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-types-'));
mkdirSync(join(folder, 'node_modules'));
for (const name of ['zod', 'hono'])
  symlinkSync(join(packageRoot(), 'node_modules', name), join(folder, 'node_modules', name));
writeFileSync(join(folder, 'edges.ts'), 'export const edge: number = 1;\nexport default class Edge { size = 1 }\n');
for (const [name, exported] of [
  ['untyped', '"./i.js"'],
  ['@sc/typed', '{ "types": "./i.d.ts", "default": "./i.js" }'],
] as const) {
  const at = join(folder, 'node_modules', name);
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, 'package.json'), `{ "name": "${name}", "type": "module", "exports": ${exported} }`);
  writeFileSync(join(at, 'i.js'), 'export const n = 1;');
}
writeFileSync(join(folder, 'node_modules/@sc/typed/i.d.ts'), 'export declare const n: number;');
writeFileSync(join(folder, 'shown.tsx'), 'export const three = (<N extends number,>(n: N): N => n)(3);\n');
writeFileSync(join(folder, 'data.json'), '{"rows": [1, 2]}');
writeFileSync(
  join(folder, 'tsconfig.json'),
  '{"compilerOptions": {"strict": false, "noUnusedLocals": true}, "files": []',
);
const types = openTypeService({ folder });

beforeEach(() => types.reset());
afterAll(async () => {
  await types.close();
  rmSync(folder, { recursive: true });
});

/** The diagnostics of each cell in turn, as `cell:line:column code`, and the severity of what is no error. */
async function check(cells: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [at, code] of cells.entries()) {
    const diagnostics = await types.add(code, `cell ${at + 1}`).diagnostics;
    for (const { code, severity, start } of diagnostics) {
      const doubt = severity === 'error' ? '' : ` ${severity}`;
      found.push(`${at + 1}:${start.line}:${start.column} ${code}${doubt}`);
    }
  }
  return found;
}

function diagnosed(code: string): Promise<Diagnostic[]> {
  return types.add(code, 'cell').diagnostics;
}

function runs(code: string): boolean {
  try {
    runInThisContext(code);
    return true;
  } catch {
    return false;
  }
}

const cases: [claim: string, cells: string[], expected: string[]][] = [
  ['one cell alone', ['const a: number = "1";'], ['1:1:7 2322']],
  ['lines and columns', ['\n\n  const a = 1;\n    a.foo();'], ['1:4:7 2339']],
  ['columns in UTF-16', ['const s = "🎲🎲"; s.foo;'], ['1:1:21 2339']],
  ['a name of an earlier cell', ['const a = 1;', 'a.toFixed(); a.foo;'], ['2:1:16 2339']],
  ['a name of a much earlier cell', ['const a = 1;', '1', '2', 'a.foo'], ['4:1:3 2339']],
  ['a chain of cells', ['const a = 1;', 'const b = [a];', 'const c = { b };', 'c.b[0].foo'], ['4:1:8 2339']],
  ['a name that nobody declared', ['nothing'], ['1:1:1 2304']],
  ['an unknown name', ['const price = 1;', 'prize + price'], ['2:1:1 2552']],
  ['a file of JSX', ["import { three } from './shown'; three.toFixed(); three.foo"], ['1:1:57 2339']],
  ['const again', ['const a = 1;', 'const a = "x";', 'a.length; a.toFixed()'], ['3:1:13 2551']],
  ['let again as another type', ['let a = 1;', 'let a: string = "x";', 'a = 2'], ['3:1:1 2322']],
  ['const, then let', ['const a = 1;', 'let a = 2;', 'a = 3'], []],
  [
    'function again',
    ['function f(x: number) { return x; }', 'function f(x: string) { return x; }', 'f("a"); f(1)'],
    ['3:1:11 2345'],
  ],
  ['class again', ['class A { x = 1 }', 'class A { y = 1 }', 'new A().y; new A().x'], ['3:1:20 2339']],
  ['enum again', ['enum E { A }', 'enum E { B }', 'E.B; E.A'], ['3:1:8 2339']],
  ['type again', ['type T = string;', 'type T = number;', 'const t: T = "a";'], ['3:1:7 2322']],
  ['interface again is another', ['interface I { a: 1 }', 'interface I { b: 2 }', 'const i: I = { b: 2 };'], []],
  [
    'namespace again',
    ['namespace N { export const a = 1 }', 'namespace N { export const b = 1 }', 'N.b; N.a'],
    ['3:1:8 2339'],
  ],
  [
    'interfaces of one cell merge',
    ['interface I { a: 1 }\ninterface I { b: 2 }', 'const i: I = { a: 1 };'],
    ['2:1:7 2741'],
  ],
  ['class and namespace merge', ['class A {}\nnamespace A { export const x = 1 }', 'A.x; new A()'], []],
  [
    'let of an earlier cell that holds another type from here on, unless its type is written',
    [
      'let x = 1; let y: number = 1; let z = { at: "today" }',
      'x = "a"; x.length',
      'x.length; x.foo; y = "b"',
      'y.foo; z.at = new Date()',
      'z.at.getTime(); z.foo',
    ],
    ['3:1:18 2322', '4:1:3 2339', '5:1:19 2339'],
  ],
  ['let assigned', ['let a: number = 1;', 'a = 2; a += 1; a++;', 'a = "x"'], ['3:1:1 2322']],
  [
    'let stays narrow',
    ['let s: string | undefined;', 's = "x";', 's.length', 's = undefined;', 's.length'],
    ['5:1:1 18048'],
  ],
  [
    'let that certainly holds nothing, until a cell or a function gives it something',
    [
      'let s: string | undefined = undefined, t: Date | null = null, u: { a: 1 } | undefined;',
      's.length; s?.length; if (s) s.at(0); t.getTime(); const give = () => { u = { a: 1 } }; u.a',
      's = "x"; s.length',
      's.length; give(); u.a',
    ],
    ['2:1:1 18048', '2:1:38 18047'],
  ],
  [
    'what was checked in an earlier cell, as in one program',
    [
      "import assert from 'node:assert'; const find = (): string | undefined => 'x';",
      'const a = find(), b = find(), loose = find(); let c = find(); if (!a || c === undefined) throw 1; a.length',
      'a.length; loose.length; assert(b !== undefined)',
      'a.length; if (a) a.length; throw 1',
      'a.length; b.length; c.length; a.foo; a = "y"',
      'const a = a.length; a.foo; c = find()',
      'c.length; const put = () => { c = find() }; if (!c) throw 1',
      'c.length',
    ],
    ['5:1:33 2339', '5:1:38 2588', '6:1:23 2339'],
  ],
  [
    'variables that begin with what was checked',
    [
      "const mode = Math.random() > 1 ? undefined : 'fast'; const fee = Math.random() > 1 ? null : 5;",
      'const parsed: unknown = JSON.parse("1"); if (!mode || fee === null || parsed === null || parsed === undefined) throw 1',
      'let next = mode; next = "slow"; let sum = fee; sum += 1; parsed.toString()',
      'next = "any"; sum = 9; fee === "6"',
    ],
    ['4:1:24 2367'],
  ],
  [
    'let that may be null, or undefined, or neither',
    [
      "const coin = () => Math.random() < 0.5; let a: string | null | undefined = 'x', b: any = null; a.length",
      "a.length; a = coin() ? null : 'x'; b = 1",
      "a.length; a = coin() ? undefined : 'x'; b.length",
      "a.length; if (coin()) a = 'x'",
      "a.length; if (a) a.length; // @ts-nocheck\na = 'x'",
      'a.length',
    ],
    [],
  ],
  [
    'let assigned where nothing is checked',
    ['let a: string | null = null;', "// @ts-nocheck\na = 'x'; // @ts-ignore", 'a.length'],
    [],
  ],
  [
    'let narrowed to null',
    ['let a: number | null = null;', 'a?.toFixed(); if (a !== null) a.foo', 'a.foo'],
    ['2:1:33 2339', '3:1:1 18047'],
  ],
  [
    'let of several types, or of several values: a later cell may ask which it is',
    [
      "let mode: 'fast' | 'slow' = 'fast'; let size: number | 'all' | undefined = 5; let isOn: boolean = false;",
      "mode === 'slow'; if (size === 'all') size.length; else size.toFixed(); isOn === true",
      "mode = 'slow'; size = 'all'; isOn = true",
      "mode === 'fast'; if (size !== 'all') size.toFixed(); isOn === false",
    ],
    [],
  ],
  [
    'let assigned by a function, whenever that is called',
    [
      'let rows: { id: number }[] | undefined = undefined; async function load() { rows = [{ id: 1 }] }',
      'await load()',
      'rows?.map((r) => r.id.foo)',
      "let text: string | null = 'a'; text.length",
      'text.length; const clear = () => { text = null }',
      'clear(); text.length',
      "text = 'b'; text.length",
      'text.length',
      "let text: string | null = 'c'",
      'text.length',
      '[1].forEach(() => { [text = null] = [] })',
      'text.length',
    ],
    ['3:1:23 2339'],
  ],
  [
    'let whose name functions use for another variable',
    [
      'let best: string | undefined; best = "x"; const f = (best = 1) => { best = 2; };',
      'best.length; function g() { let best; { best = 1; } }',
      'best.length; class A { b = () => { for (const best of [1]) best; for (let best = 1; best < 3; best++); } }',
      'best.length',
    ],
    [],
  ],
  [
    'let after a cell that throws',
    ['let s: string | number = 1;', 's = "x"; throw new Error("no");', 's.foo'],
    ['3:1:3 2339'],
  ],
  ['an empty array', ['let rows = [];\nconst more = [];', 'rows.push(1); more.push(1)'], []],
  [
    'an untyped array that fills up',
    ['const rows = [];', 'for (const i of [1]) rows.push(i); rows', 'let acc = []; acc.push(1); acc'],
    [],
  ],
  [
    'an array that gets its type by what is put into it, in any cell',
    [
      'const out = []; for (const x of [1, 2]) out.push(x)',
      'out[0].foo; out.map((x) => x.bar)',
      'out.push("a"); out[0].foo; out[out.length] = true',
      'const n: number[] = out; const all: (string | number | boolean)[] = out',
      'let rows = []; const put = () => rows.push(1)',
      'rows[0].foo; rows = ["a"]; rows[0].foo; rows = 5',
      'rows[0].foo; type out = string; const o: out = out[0]; out.push(new Date()); out[0].foo',
      'const filled = []; function fill(to: number[]) { to.push(1) } fill(filled)',
      'filled[0].foo; throw 1',
      'filled.push("a"); filled[0].foo; throw 1',
      'filled[0].foo; filled = []',
      'const later = []',
      'async function put() { later.push(1) }',
      'later[0].foo; later.push("a"); later[0].foo',
    ],
    ['2:1:8 2339', '2:1:30 2339', '3:1:23 2339', '4:1:7 2322', '7:1:85 2339', '10:1:29 2339', '11:1:16 2588'],
  ],
  [
    'a variable that gets its type by what is assigned to it, in any cell',
    [
      'let best; export let worst = null; var last = undefined;',
      'best.foo; for (const px of [1, 2]) if (!worst || worst.px > px) worst = { px }',
      'worst.px; worst?.px.foo; best = { px: 1 }; best.px.foo',
      'best.px.foo; best === 1; const read = () => best.px.foo; let on; on = true; let mode; mode = "fast";',
      'on === false; mode === "slow"; best = "a"; best.foo; const again = () => best.foo;',
      'best.bar; function load() { last = 1; best = 2 }',
      'load(); best.foo; last.foo; best = "a"; best.foo',
      'let best = 1; best = "b"',
    ],
    [
      '3:1:21 2339',
      '3:1:52 2339',
      '4:1:9 2339',
      '4:1:14 2367',
      '4:1:53 2339',
      '5:1:49 2339',
      '5:1:79 2339',
      '7:1:46 2339',
    ],
  ],
  [
    'nothing of what a function of the cell itself may have put into a variable',
    [
      'let client = null; let data; const rows = []; rows.push(1);',
      'const connect = async () => { client = { query: () => 1 } }; await connect(); if (client) client.query()',
      'await (async () => { data = [1] })(); data.map(String)',
      "['a'].forEach((s) => { rows.push({ s }) }); rows.map((r) => r.s)",
    ],
    [],
  ],
  [
    'what is left in a variable, also where a text holds a carriage return',
    ['let a: string | null = null; let b: string | null = null;', 'const t = `x\ry`; a = "x"', 'a.length; b.length'],
    ['3:1:11 18047'],
  ],
  ['one complaint once', ['1, 2, 3'], ['1:1:1 2695 warning']],
  [
    'a type of the name of an earlier value',
    [
      'const Bet = { parse: () => ({ pnl: 1 }) };',
      'type Bet = ReturnType<typeof Bet.parse>;',
      'const b: Bet = Bet.parse(); b.foo; Bet.foo',
    ],
    ['3:1:31 2339', '3:1:40 2339'],
  ],
  [
    'the same, both made anew in turn',
    [
      'const R = { v: 1 };',
      'type R = typeof R;',
      'const R = { v: "x" };',
      'const r: R = R;',
      'type R = typeof R;',
      'const q: R = R; R.v.foo',
    ],
    ['4:1:7 2322', '6:1:21 2339'],
  ],
  [
    'a type of the name of a let, with arguments',
    [
      'let l: string | undefined;',
      'type l<X> = X[];',
      'l = "x";',
      'const m: l<string> = [l];',
      'l = undefined;',
      'const n: l<string> = [l, 5]',
    ],
    ['6:1:26 2322'],
  ],
  [
    'the same, exported',
    ['export type X = 1;', 'export const X = "s";', 'const x: X = 2; X.foo', 'export interface X { a: 1 }', 'X.foo'],
    ['3:1:7 2322', '3:1:19 2339', '5:1:3 2339'],
  ],
  [
    'an interface of the name of an earlier class',
    ['class A { a = 1 }', 'interface A { b: number }', 'new A().a; new A().b; const x: A = { b: "" };'],
    ['3:1:20 2339', '3:1:38 2322'],
  ],
  [
    'a value of the name of an earlier type',
    [
      'type T<X> = X[];',
      'const T = 5;',
      'const u: T<number> = [T]; T.foo; const v: T<string> = [T];',
      'function T() { const x: T<number> = ["a"]; }',
      'T(); const w: T<string> = [1];',
    ],
    ['3:1:29 2339', '3:1:56 2322', '4:1:38 2322', '5:1:28 2322'],
  ],
  [
    'a value of the name of an earlier class, enum and import',
    [
      'class A { x = 1 }\nenum E { F }\nimport { Stats } from "node:fs";',
      'const A = 1, E = 2, Stats = 3;',
      'A.foo; E.foo; Stats.foo; const a: A = { x: "" };',
    ],
    ['3:1:3 2339', '3:1:10 2339', '3:1:21 2339', '3:1:41 2322'],
  ],
  [
    'a variable that is declared again from what it was',
    [
      'let rows = [1, 2];',
      'const rows = rows.filter((x) => x > 1).map(String), n = { rows };',
      'rows.foo; n.rows.foo',
      'var rows = rows.concat([1])',
      'let x = x + 1;',
    ],
    ['3:1:6 2339', '3:1:18 2339', '4:1:25 2769', '5:1:9 2448'],
  ],
  [
    'a variable that is declared again from what it was, by functions that run meanwhile',
    [
      'let df = [3, 1, 2];',
      'const df = await (async () => { await 1; return df.filter((x) => x > 1).map((df) => df.foo); })()',
      'df.foo; let qq = 5',
      'let qq = [1, 2].map((x) => x + qq).sort((a, b) => a - b + (<number>qq))',
      'qq.foo; let n = await Promise.all(qq.map(async (q) => qq.indexOf(q))); n.foo',
      'const n = (function (): string { return n.foo })(), qq = n.replace(/a/, () => qq.foo)',
    ],
    ['2:1:88 2339', '3:1:4 2339', '5:1:4 2339', '5:1:74 2339', '6:1:43 2339', '6:1:82 2339'],
  ],
  [
    'a variable that functions read once it is declared again',
    [
      'let f = (a: string): string => a; let p = "a"; let t = "a"',
      'let f = (a: number): number => (a > 1 ? f(a - 1) : a); let p = Promise.resolve().then((): number => p.foo);',
      'const memo = <F,>(f: F): F => f; let f = memo((a: string[]): string[] => f(a)); f([]).foo',
      'let t: number[] = [1].map(async (): Promise<number> => t.length).map(() => 1)',
    ],
    ['2:1:103 2339', '3:1:87 2339'],
  ],
  [
    'a variable that is read before it is declared again',
    ['let a = 1;', 'a.toFixed(); let a = 2; a.foo'],
    ['2:1:27 2339'],
  ],
  ['var in a block', ['for (var i = 0; i < 3; i++) {}', 'i.toFixed(); i.foo'], ['2:1:16 2339']],
  ['const assigned', ['const a = 1;', 'a = 2'], ['2:1:1 2588']],
  ['function and class assigned', ['function f() {}\nclass C {}', 'f = 1;\nC = 1'], ['2:1:1 2630', '2:2:1 2629']],
  [
    'await at the top',
    ['const a = await Promise.resolve(1);', 'a.foo; for await (const b of [Promise.resolve(a)]) b.foo'],
    ['2:1:3 2339', '2:1:54 2339'],
  ],
  [
    'unused names and the value at the end',
    ['import { z } from "zod"; const a = 1; let b; function f(x: number) {}\n({ a: 1 })'],
    [],
  ],
  ['what has no type is any', ['function f(x) { return x }', 'f(1).foo.bar'], []],
  [
    'what may be null, but need not',
    ['const m = new Map<string, number>();', 'm.get("a").toFixed(); m.get("a").foo'],
    ['2:1:34 2339'],
  ],
  [
    'a class as type and value',
    ['class Point { constructor(readonly x: number) {} }', 'const p: Point = new Point(1); p.x = 2; new Point("1")'],
    ['2:1:34 2540', '2:1:51 2345'],
  ],
  [
    'generics',
    ['function first<T>(xs: T[]): T | undefined { return xs[0] }', 'const n: string | undefined = first([1])'],
    ['2:1:7 2322'],
  ],
  [
    'generic arrow functions, and types before a value',
    [
      'const wrap = <T>(x: T) => ({ x });\nconst later = async <T>(x: T) => x;\nclass Box { hold = <const T>(x: T) => x }',
      'wrap(3).x.foo; (await later("a")).foo; <any>5; <string>wrap(3).x',
    ],
    ['2:1:11 2339', '2:1:35 2339', '2:1:48 2352'],
  ],
  [
    'overloads',
    [
      'function f(x: string): string;\nfunction f(x: number): number;\nfunction f(x: unknown): unknown { return x }',
      'f(1).toFixed(); f(true)',
    ],
    ['2:1:19 2769'],
  ],
  [
    'destructuring',
    [
      'const { a: { b = 1 }, ...rest } = { a: { b: 2 }, c: 3 }; const [x, , y = 1] = [1, 2];',
      'b.toFixed(); rest.c; y; x; a',
    ],
    ['2:1:28 2304'],
  ],
  [
    'exported names',
    ['export const a = 1; export { a as b }; export default class D {}', 'a.foo; new D()'],
    ['2:1:3 2339'],
  ],
  [
    'an exported value beside a type of its name that is not, and the other way round',
    [
      'interface Foo<T = any> { a: T }\nexport const Foo: Foo = { a: 1 };\ntype L = "a";\nexport function L(l: L): L { return l }',
      'const foo: Foo<number> = { a: "" }; L("b"); const l: L = "b"; Foo.b',
      'const P = 1; export interface P { b: 1 }\n@((c: object) => {}) export class Q {} export @((c: object) => {}) class R {}',
      'P.foo; const p: P = { b: 2 }; new Q().foo; new R().foo',
    ],
    [
      '2:1:28 2322',
      '2:1:39 2345',
      '2:1:51 2322',
      '2:1:67 2339',
      '4:1:3 2339',
      '4:1:23 2322',
      '4:1:39 2339',
      '4:1:52 2339',
    ],
  ],
  ['a first line for a shell', ['#!/usr/bin/env node\nconst a = 1; a.foo', '#! a.foo'], ['1:2:16 2339']],
  ['the same before ts-nocheck', ['#!/usr/bin/env node\n// @ts-nocheck\nconst a: number = "x";'], []],
  ['a comment that looks like many', [`${'/'.repeat(48)}\nconst a: number = "x";`], ['1:2:7 2322']],
  ['ts-nocheck beneath comments', ['/* a */ // b\n/// @ts-nocheck\nconst a: number = "x";'], []],
  ['ts-nocheck within a comment', ['// not // @ts-nocheck\nconst a: number = "x";'], ['1:2:7 2322']],
  ['ts-nocheck', ['// @ts-nocheck\nconst a: number = "x";', 'a.foo'], ['2:1:3 2339']],
  ['ts-expect-error', ['const a = 1;\n// @ts-expect-error\na.foo', '// @ts-expect-error\n1'], ['2:1:1 2578']],
  [
    'a cell that does not parse, and defines nothing',
    ['const a = ;', 'function f() {\n', 'function', 'a'],
    ['4:1:1 2304'],
  ],
  [
    'imports of an earlier cell',
    [
      'import fs, { readFileSync } from "node:fs";\nimport * as path from "node:path";\nimport type { Stats } from "node:fs";',
      'const s: Stats = fs.statSync("."); readFileSync(path.join(".", 1))',
    ],
    ['2:1:64 2345'],
  ],
  ['import type is no value', ['import type { Stats } from "node:fs";', 'new Stats()'], ['2:1:5 1361']],
  [
    'types of zod',
    [
      'import { z } from "zod";',
      'const Row = z.object({ id: z.string(), n: z.array(z.number()) });\ntype Row = z.infer<typeof Row>;',
      'const r: Row = Row.parse({}); r.n.push("x"); const bad: Row = { id: 1, n: [] };',
    ],
    ['3:1:40 2345', '3:1:65 2322'],
  ],
  ['a package with subpaths', ['import { cors } from "hono/cors";', 'cors({ origin: 1 })'], ['2:1:8 2322']],
  [
    'a package that is missing, in doubt: the run says how to install it',
    ['import x from "no-such-package";\nimport y from "@no/such";\nimport z from "./no-module.ts";'],
    ['1:1:15 2307 warning', '1:2:15 2307 warning', '1:3:15 2307'],
  ],
  [
    'types for packages without, which a cell cannot give them but may say',
    ['declare module "untyped";', 'declare module "nowhere" { export function f(a: number): string }'],
    ['1:1:16 2665 warning', '2:1:16 2664 warning'],
  ],
  [
    'more of a module that no cell has imported yet',
    [
      'declare module "@sc/typed" { interface Made { size: 5 } }',
      'declare module "./edges.ts" { interface Made { size: 7 } }',
      'import type { Made } from "@sc/typed"; const five: Made = { size: 6 };',
      'import type { Made } from "./edges.ts"; const seven: Made = { size: 6 };',
    ],
    ['3:1:61 2322', '4:1:63 2322'],
  ],
  [
    "a module of Node's own that there is not, as a module that is missing",
    ['import a from "node:nowhere"; a', 'await import("node:nowhere")'],
    ['1:1:15 2307 warning', '2:1:14 2307 warning'],
  ],
  ['a package without types', ['import { named } from "untyped"; named', 'named.x'], []],
  ['a wrong name of an import, used or not', ['import { n, no } from "@sc/typed"; n;', 'no'], ['1:1:13 2305']],
  [
    'a module by its address',
    [`import { edge } from ${JSON.stringify(pathToFileURL(join(folder, 'edges.ts')).href)};\nedge.foo`],
    ['1:2:6 2339'],
  ],
  ['import = require', ['import fs = require("node:fs"); fs.foo'], ['1:1:36 2339']],
  [
    'a module with and without its ending',
    ['import { edge } from "./edges.ts";\nimport Edge from "./edges";', 'edge.foo; new Edge().size'],
    ['2:1:6 2339'],
  ],
  [
    'a module of JSON',
    ['import data from "./data.json" with { type: "json" };', 'data.rows[0].foo; data.cols'],
    ['2:1:14 2339', '2:1:24 2339'],
  ],
  [
    'oddslab without being installed',
    ['import { openLab } from "oddslab";', 'const lab = await openLab(1);'],
    ['2:1:27 2559'],
  ],
  [
    'a frame of oddslab',
    [
      'import { openLab, column } from "oddslab";\nconst lab = await openLab();',
      'const pnl = await lab.pnl({ wallet: "0x1", granularity: "1d" }).frame();',
      'column(pnl, "no_such_column")',
    ],
    ['3:1:13 2345'],
  ],
  ['tslab', ['import { display } from "tslab";', 'display.html(1)'], ['2:1:14 2345']],
  ['globals of Node', ['Buffer.from("a").foo; process.argv; fetch; setTimeout'], ['1:1:18 2339']],
  ['globals of cells', ['await display({ a: 1 })'], []],
  ['declared for all', ['declare global { var lucky: number }', 'lucky.foo'], ['2:1:7 2339']],
  [
    'decorators, using and satisfies',
    [
      'function d(t: object, c: ClassDecoratorContext) {}\n@d class A { accessor a = 1 }\nA[Symbol.metadata];\nusing x = { [Symbol.dispose]() {} };\nconst y = { a: 1 } satisfies object;',
      'y.b',
    ],
    ['2:1:3 2339'],
  ],
];

/** What some versions of Node.js have, and others have not. */
const news = [
  '[3].toSorted()',
  '/[\\p{L}--a]/v.unicodeSets',
  "'a'.isWellFormed()",
  'new ArrayBuffer(8, { maxByteLength: 16 }).resize(12)',
  'Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 1)',
  'new WebAssembly.Memory({ initial: 1 })',
  'Object.groupBy([1], String)',
  'Map.groupBy([1], String)',
  'Promise.withResolvers()',
  'new Set([1]).union(new Set([2]))',
  '[1].values().map(String)',
  'Array.fromAsync([1])',
  'navigator.hardwareConcurrency',
  "new Intl.DurationFormat('en')",
  'Promise.try(() => 1)',
  "RegExp.escape('a')",
  'new Float16Array(1)',
  'Error.isError(1)',
  'Atomics.pause()',
  'new DisposableStack()',
  "Uint8Array.fromHex('00')",
  'Temporal.Now.instant()',
  'new Date().toTemporalInstant()',
];

/** What is said of a cell, as `code message`. */
const messages: [code: string, expected: string[]][] = [
  ['describe(1)', ["2304 Cannot find name 'describe'. oddslab exports it: import { describe } from 'oddslab'"]],
  ['recordsOf(1)', ["2304 Cannot find name 'recordsOf'. oddslab exports it: import { recordsOf } from 'oddslab'"]],
  [
    'let a!: Lab, b!: Drawdown;',
    [
      "2304 Cannot find name 'Lab'. oddslab exports it: import type { Lab } from 'oddslab'",
      "2304 Cannot find name 'Drawdown'. oddslab exports it: import type { Drawdown } from 'oddslab'",
    ],
  ],
  ['it(1)', ["2304 Cannot find name 'it'."]],
  ['$(1)', ["2304 Cannot find name '$'."]],
  [
    'document.title',
    ["2304 Cannot find name 'document'. Cells run in Node.js, which has no page: show HTML by display.html(…)."],
  ],
  ['const price = 1; prize', ["2552 Cannot find name 'prize'. Did you mean 'price'?"]],
  [
    'const counts = 1; count',
    ["2552 Cannot find name 'count'. Did you mean 'counts'? oddslab exports 'count': import { count } from 'oddslab'"],
  ],
  [
    'const later = Promise.resolve([1]); for (const each of later) each;',
    [
      "2488 Type 'Promise<number[]>' must have a '[Symbol.iterator]()' method that returns an iterator. Did you forget to use 'await'?",
    ],
  ],
  [
    'const make = () => ({ a: { b: 1 } }); const c: { a: { b: number } } = make;',
    [
      "2322 Type '() => { a: { b: number; }; }' is not assignable to type '{ a: { b: number; }; }'. Did you mean to call this expression?",
    ],
  ],
];

describe('cells are checked against all before them', () => {
  for (const [claim, cells, expected] of cases) it(claim, async () => expect(await check(cells)).toEqual(expected));

  it('accepts what this Node.js has, and nothing that only others have', async () => {
    const found = await check([news.map((code) => `${code};`).join('\n')]);
    const refused = new Set(found.map((each) => Number(each.split(':')[1])));
    expect(news.filter((_, at) => !refused.has(at + 1))).toEqual(news.filter(runs));
    expect(await check(['let module: WebAssembly.Module | undefined', 'let module: WebAsembly.Module'])).toEqual([
      '2:1:13 2503',
    ]);
  });

  it('gives the whole message, and the end', async () => {
    const { diagnostics } = types.add('const a: { b: number } = { b: "x" };\n[1].push(\n"a"\n);', 'cell 1');
    expect(await diagnostics).toEqual([
      {
        severity: 'error',
        code: 2322,
        message: "Type 'string' is not assignable to type 'number'.",
        start: { line: 1, column: 28 },
        end: { line: 1, column: 29 },
      },
      {
        severity: 'error',
        code: 2345,
        message: "Argument of type 'string' is not assignable to parameter of type 'number'.",
        start: { line: 3, column: 1 },
        end: { line: 3, column: 4 },
      },
    ]);
  });

  for (const [code, expected] of messages)
    it(`advises on ${code}`, async () => {
      const found = await types.add(code, 'cell 1').diagnostics;
      expect(found.map(({ code, message }) => `${code} ${message}`)).toEqual(expected);
    });

  it('asks for an await of what an earlier cell left unawaited', async () => {
    types.add('import { openLab } from "oddslab"; const lab = await openLab();', 'cell 1');
    types.add('const w = lab.pnl({ wallet: "0x1", granularity: "1d" }).frame();', 'cell 2');
    const found = await types.add('w.head(3)', 'cell 3').diagnostics;
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Property 'head' does not exist on type 'Promise<.*>'\. Did you forget to use 'await'\?$/),
    ]);
  });

  it('tells a class of an earlier cell from one of the same name', async () => {
    types.add('class A { private x = 1 }\nconst a = new A();', 'cell 1');
    const { diagnostics } = types.add('class A { private x = 1 }\nconst b: A = a;', 'cell 2');
    expect((await diagnostics).map(({ message }) => message)).toEqual([
      "Type 'A (of an earlier cell)' is not assignable to type 'A'.\n  Types have separate declarations of a private property 'x'.",
    ]);
  });

  it('forgets a cell that is withdrawn, and knows what it hid', async () => {
    types.add('const a = 1;', 'cell 1');
    const second = types.add('const a = "x"; const b = ;', 'cell 2');
    second.withdraw();
    types.add('const a = [1];', 'cell 3').withdraw();
    expect(await types.add('a.toFixed(); b', 'cell 4').diagnostics).toMatchObject([{ code: 2304 }]);
    const fifth = types.add('const a = "x";', 'cell 5');
    await fifth.diagnostics;
    fifth.withdraw();
    expect(await types.add('a.toFixed()', 'cell 6').diagnostics).toEqual([]);
  });

  it('sees a module and a package that change, appear and go', async () => {
    const module = join(folder, 'later.ts');
    const code = 'import { n } from "./later.ts"; import { p } from "later-package"; n.toFixed(); p.toFixed();';
    expect(await check([code])).toEqual(['1:1:19 2307', '1:1:51 2307 warning']);
    writeFileSync(module, 'export { n } from "./deeper.ts";');
    writeFileSync(join(folder, 'deeper.ts'), 'export const n = "text";');
    mkdirSync(join(folder, 'node_modules/later-package'));
    writeFileSync(join(folder, 'node_modules/later-package/package.json'), '{"name":"later-package","types":"i.d.ts"}');
    writeFileSync(join(folder, 'node_modules/later-package/i.d.ts'), 'export const p: number;');
    expect(await check([code])).toEqual(['1:1:70 2551']);
    writeFileSync(join(folder, 'deeper.ts'), 'export const n = 1;');
    expect(await check([code])).toEqual([]);
    rmSync(module);
    expect(await check([code])).toEqual(['1:1:19 2307']);
  });

  it('sees a package, a scoped one, and types of a package without, that were installed since', async () => {
    const other = mkdtempSync(join(tmpdir(), 'oddslab-types-'));
    const write = (file: string, text: string): void => {
      mkdirSync(join(other, 'node_modules', dirname(file)), { recursive: true });
      writeFileSync(join(other, 'node_modules', file), text);
    };
    write('@made/bare/index.js', 'exports.n = 1;');
    const service = openTypeService({ folder: other });
    for (const [name, installed, code] of [
      ['late', 'late', 2307],
      ['@made/late', '@made/late', 2307],
      ['@made/bare', '@types/made__bare', 7016],
    ]) {
      const missing = await service.add(`import { n } from "${name}"; n`, 'cell 1').diagnostics;
      expect(missing, `${name}`).toMatchObject(code === 2307 ? [{ code }] : []);
      // The server goes on for some milliseconds behind its answer.
      await new Promise((resolve) => setTimeout(resolve, 50));
      write(`${installed}/package.json`, JSON.stringify({ name: installed, types: 'i.d.ts' }));
      write(`${installed}/i.d.ts`, 'export const n: number;');
      const found = await service.add(`import { n } from "${name}"; n.foo`, 'cell 2').diagnostics;
      expect(found, `${name}`).toMatchObject([{ code: 2339 }]);
    }
    await service.close();
    rmSync(other, { recursive: true });
  });

  it('knows what files of declarations beside the notebook declare, as they come, change and go', async () => {
    const file = join(folder, 'shapes.d.ts');
    const code = 'import { n } from "untyped"; n.toFixed(); const s: Shape = { sides: 3 }; s';
    expect(await check([code])).toEqual(['1:1:52 2304']);
    writeFileSync(file, 'declare module "untyped";\ninterface Shape { sides: string }');
    expect(await check([code])).toEqual(['1:1:62 2322']);
    writeFileSync(file, 'declare module "untyped" { export const n: string }\ninterface Shape { sides: number }');
    expect(await check([code])).toEqual(['1:1:32 2551']);
    rmSync(file);
    expect(await check([code])).toEqual(['1:1:52 2304']);
  });

  it('follows references at the top of a cell, in later cells too', async () => {
    const other = mkdtempSync(join(tmpdir(), 'oddslab-types-'));
    for (const [file, name] of [
      ['given/colors.d.ts', 'red'],
      ['node_modules/@types/shapes/index.d.ts', 'square'],
    ] as const) {
      mkdirSync(dirname(join(other, file)), { recursive: true });
      writeFileSync(join(other, file), `declare const ${name}: number;`);
    }
    const service = openTypeService({ folder: other });
    const found: object[] = [];
    for (const code of [
      '// Colors\n/// <reference path="./given/colors.d.ts" />\nred.foo',
      '/// <reference types="shapes" />\nsquare.foo',
      'red.foo + square.foo',
    ]) {
      const diagnostics = await service.add(code, 'cell').diagnostics;
      found.push(diagnostics.map(({ code, start }) => `${start.line}:${start.column} ${code}`));
    }
    expect(found).toEqual([['3:5 2339'], ['2:8 2339'], ['1:5 2339', '1:18 2339']]);
    await service.close();
    rmSync(other, { recursive: true });
  });

  it('prefers a copy of oddslab in the folder', async () => {
    const other = mkdtempSync(join(tmpdir(), 'oddslab-types-'));
    const copy = join(other, 'node_modules/oddslab');
    mkdirSync(copy, { recursive: true });
    writeFileSync(join(copy, 'package.json'), '{"name":"oddslab","types":"i.d.ts"}');
    writeFileSync(join(copy, 'i.d.ts'), 'export const mine: number;');
    const service = openTypeService({ folder: other });
    expect(await service.add('import { mine, openLab } from "oddslab"', 'cell 1').diagnostics).toMatchObject([
      { code: 2305 },
    ]);
    await service.close();
    rmSync(other, { recursive: true });
  });

  it('keeps hundreds of cells apart', async () => {
    // One that closes all but 200: that of the tests below keeps more open once cells stand on so many others.
    const own = openTypeService({ folder });
    onTestFinished(() => own.close());
    const cells = Array.from({ length: 206 }, (_, at) => `const a${at} = ${at}; const same = ${at};`);
    const filled = ['const rows = []', 'rows.push(1)'];
    await Promise.all([...filled, ...cells].map((code) => own.add(code, 'cell').diagnostics));
    const found = await own.add('a0.foo; a57.foo; a199.foo; same.foo; rows[0].foo', 'cell').diagnostics;
    expect(found.map(({ code, start: { line, column } }) => [line, column, code])).toEqual(
      [4, 13, 23, 33, 46].map((column) => [1, column, 2339]),
    );
  });

  it.each([
    ['assign one variable', 65, 'let n = 0', (at: number) => [`n += ${at}`, `const v${at} = n`]],
    ['stand on one another', 204, 'const v0 = { a: 1 }', (at: number) => [`const v${at} = { ...v${at - 1} }`]],
  ])('opens each cell once, however many %s', async (_, count, first, next) => {
    const notify = vi.spyOn(LanguageServer.prototype, 'notify');
    const cells = Array.from({ length: count }, (_, at) => next(at + 1));
    const found = await Promise.all(
      [first, ...cells.flat(), 'const a = 1', 'const b = 1', ...next(count + 1)].map(diagnosed),
    );
    await types.complete('', 0);
    const opened = notify.mock.calls
      .filter(([method]) => method === 'textDocument/didOpen')
      .flatMap(([, params]) => /cell-\d+/.exec(JSON.stringify(params))?.[0] ?? []);
    notify.mockRestore();
    expect(found.flat()).toEqual([]);
    expect(opened.length).toBeGreaterThan(count);
    expect(opened).toHaveLength(new Set(opened).size);
  });
});
