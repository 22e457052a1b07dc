import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { startRunner } from '../../../src/kernel/runner-process.js';
import type { Runner } from '../../../src/kernel/wire/runner.js';
import { explorations, typesWithPackages } from './explorations.js';

const { folder, types } = typesWithPackages();

/** What is said of the cells, as `cell:line:column code message`. */
async function saidOf(cells: readonly string[]): Promise<string[]> {
  const found = cells.map((code) => types.add(code, 'cell').diagnostics);
  const said: string[] = [];
  for (const [at, diagnostics] of found.entries())
    for (const { code, message, start } of await diagnostics)
      said.push(`${at + 1}:${start.line}:${start.column} ${code} ${message.split('\n')[0]}`);
  return said;
}

describe('says nothing of exploration that runs to its end', () => {
  it('has at least 80 notebooks', () => expect(explorations().length).toBeGreaterThanOrEqual(80));

  let shared: Runner | undefined;
  afterAll(() => shared?.close());

  /** Runs cells to their end, or to an error, which is given. */
  async function faultOf(cells: readonly string[], runner: Runner): Promise<string | undefined> {
    for (const [at, code] of cells.entries()) {
      const outcome = await runner.execute(code, { name: `cell ${at + 1}` });
      if (outcome.status === 'error') return outcome.fault.traceback.join('\n');
    }
    return undefined;
  }

  it.each(explorations())('%s', async (_, cells) => {
    expect(await saidOf(cells)).toEqual([]);
    // In a process for all of them, as cells may declare anything anew. Types have told of names that none of them
    // declares. One that asks which names there are may find those of others: it gets a process of its own.
    shared ??= startRunner({ cwd: folder });
    if ((await faultOf(cells, shared)) === undefined) return;
    const runner = startRunner({ cwd: folder });
    onTestFinished(() => runner.close());
    expect(await faultOf(cells, runner)).toBeUndefined();
  });
});

it('finds which of many cells gave an object a member', async () => {
  const others = Array.from({ length: 50 }, (_, at) => `const row${at} = {}; Object.assign(row${at}, { n: ${at} });`);
  const first = "const early = { id: 1 }; Object.assign(early, { grade: 'a' });";
  expect(await saidOf([first, ...others, 'early.grade.length'])).toEqual([]);
});

/** Cells of which the last is certainly or evidently wrong, and what is said of them all. */
const WRONG: [cells: string[], said: string[]][] = [
  [['const price = 0.5', 'prcie * 2'], ["2:1:1 2304 Cannot find name 'prcie'."]],
  [['nothing.there'], ["1:1:1 2304 Cannot find name 'nothing'."]],
  [
    ['const o = { total: 1 }', 'o.totl.toFixed()'],
    ["2:1:3 2551 Property 'totl' does not exist on type '{ total: number; }'. Did you mean 'total'?"],
  ],
  [
    ['const o = { total: 1 }; o.extra.toFixed()'],
    ["1:1:27 2339 Property 'extra' does not exist on type '{ total: number; }'."],
  ],
  [['const a = [1, 2]', 'a.size()'], ["2:1:3 2339 Property 'size' does not exist on type 'number[]'."]],
  [
    ['"abc".toUppercase()'],
    ["1:1:7 2551 Property 'toUppercase' does not exist on type '\"abc\"'. Did you mean 'toUpperCase'?"],
  ],
  [['const n = 5', 'n()'], ['2:1:1 2349 This expression is not callable.']],
  [['const o = { a: 1 }', 'o.a()'], ['2:1:3 2349 This expression is not callable.']],
  [['class A {}', 'A()'], ["2:1:1 2348 Value of type 'typeof A' is not callable. Did you mean to include 'new'?"]],
  [
    ['const f = (x: number) => x', 'f("1")'],
    ["2:1:3 2345 Argument of type 'string' is not assignable to parameter of type 'number'."],
  ],
  [['const f = (x: number) => x', 'f()'], ['2:1:1 2554 Expected 1 arguments, but got 0.']],
  [['JSON.parse()'], ['1:1:6 2554 Expected 1-2 arguments, but got 0.']],
  [
    ['JSON.parse({ a: 1 })'],
    ["1:1:12 2345 Argument of type '{ a: number; }' is not assignable to parameter of type 'string'."],
  ],
  [['parseInt([1])'], ["1:1:10 2345 Argument of type 'number[]' is not assignable to parameter of type 'string'."]],
  [['Math.max([1, 2])'], ["1:1:10 2345 Argument of type 'number[]' is not assignable to parameter of type 'number'."]],
  [['import fs from "node:fs"; fs.readFileSync({ path: "a" })'], ['1:1:45 2769 No overload matches this call.']],
  [
    ['import fs from "node:fs"; fs.readFilesync("a")'],
    [
      "1:1:30 2551 Property 'readFilesync' does not exist on type 'typeof import(\"node:fs\")'. Did you mean 'readFileSync'?",
    ],
  ],
  [
    ['import { readfile } from "node:fs"; readfile'],
    ["1:1:10 2724 '\"node:fs\"' has no exported member named 'readfile'. Did you mean 'readFile'?"],
  ],
  [
    ['const later = Promise.resolve([1, 2])', 'later.map(x => x)'],
    ["2:1:7 2339 Property 'map' does not exist on type 'Promise<number[]>'. Did you forget to use 'await'?"],
  ],
  [
    ['const res = fetch("data:,a")', 'res.json()'],
    ["2:1:5 2339 Property 'json' does not exist on type 'Promise<Response>'. Did you forget to use 'await'?"],
  ],
  [
    ['const rows = (async () => [1])()', 'for (const r of rows) r'],
    [
      "2:1:17 2488 Type 'Promise<number[]>' must have a '[Symbol.iterator]()' method that returns an iterator. Did you forget to use 'await'?",
    ],
  ],
  [
    ['const rows = (async () => [1])()', 'rows.length + 1'],
    ["2:1:6 2339 Property 'length' does not exist on type 'Promise<number[]>'. Did you forget to use 'await'?"],
  ],
  [
    ['const ready = async () => true', 'if (ready()) 1'],
    [
      "2:1:5 2801 This condition will always return true since this 'Promise<boolean>' is always defined. Did you forget to use 'await'?",
    ],
  ],
  [
    ['const isOn = () => true', 'if (isOn) 1'],
    [
      '2:1:5 2774 This condition will always return true since this function is always defined. Did you mean to call it instead?',
    ],
  ],
  [
    ['const n = 5; for (const x of n) x'],
    ["1:1:30 2488 Type '5' must have a '[Symbol.iterator]()' method that returns an iterator."],
  ],
  [
    ['const [a] = { a: 1 }'],
    ["1:1:7 2488 Type '{ a: number; }' must have a '[Symbol.iterator]()' method that returns an iterator."],
  ],
  [
    ['const o = { total: 1 }', 'const { totl } = o'],
    ["2:1:9 2339 Property 'totl' does not exist on type '{ total: number; }'."],
  ],
  [
    ['interface O { a: number }; const o: O = { a: 1 }', 'const { b } = o'],
    ["2:1:9 2339 Property 'b' does not exist on type 'O'."],
  ],
  [['const a = 1', 'a = 2'], ["2:1:1 2588 Cannot assign to 'a' because it is a constant."]],
  [['let x = null; x.length'], ["1:1:15 18047 'x' is possibly 'null'."]],
  [['null.length'], ["1:1:1 18050 The value 'null' cannot be used here."]],
  [['1n + 1'], ["1:1:1 2365 Operator '+' cannot be applied to types '1n' and '1'."]],
  [
    ['const frame = { rows: [] }, n = frame * 2'],
    [
      "1:1:33 2362 The left-hand side of an arithmetic operation must be of type 'any', 'number', 'bigint' or an enum type.",
    ],
  ],
  [['Symbol("a") + 1'], ["1:1:1 2365 Operator '+' cannot be applied to types 'symbol' and 'number'."]],
  [
    ['const id = 5', 'id === "5"'],
    ["2:1:1 2367 This comparison appears to be unintentional because the types 'number' and 'string' have no overlap."],
  ],
  [['class A { x = 1 }', 'new A().y.z'], ["2:1:9 2339 Property 'y' does not exist on type 'A'."]],
  [
    ['class A { #x = 1 }', 'class B extends A { get() { return this.z; } }'],
    ["2:1:41 2339 Property 'z' does not exist on type 'B'."],
  ],
  [
    ['interface Row { p: number }', 'const r: Row = { q: 1 }'],
    ["2:1:18 2353 Object literal may only specify known properties, and 'q' does not exist in type 'Row'."],
  ],
  [
    ['interface Row { p: number }\nconst r: Row = { p: 1 }', 'r.p = "x"'],
    ["2:1:1 2322 Type 'string' is not assignable to type 'number'."],
  ],
  [['let n: number = 1', 'n = "x"'], ["2:1:1 2322 Type 'string' is not assignable to type 'number'."]],
  [['const f = (a: string): number => a'], ["1:1:34 2322 Type 'string' is not assignable to type 'number'."]],
  [['function g() { return missng + 1 }\ng()'], ["1:1:23 2304 Cannot find name 'missng'."]],
  [
    ['function g() { return missng + 1 }', '1', 'g()'],
    ["3:1:1 2304 'g' uses 'missng', which no cell has declared yet. Cannot find name 'missng'."],
  ],
  [
    ['const counts = 1; function g() { return count }', 'g()'],
    [
      "2:1:1 2552 'g' uses 'count', which no cell has declared yet. Cannot find name 'count'. Did you mean 'counts'? oddslab exports 'count': import { count } from 'oddslab'",
    ],
  ],
  [['setTimeout(() => later(), 1)'], ["1:1:18 2304 Cannot find name 'later'."]],
  [['[1].map(x => y)'], ["1:1:14 2304 Cannot find name 'y'."]],
  [
    ['const m = new Map([["a", 1]])', 'm.get("a").foo'],
    ["2:1:12 2339 Property 'foo' does not exist on type 'number'."],
  ],
  [
    ['const m = new Map<string, number>(); const f = (s: string) => s', 'f(m.get("a"))'],
    ["2:1:3 2345 Argument of type 'number | undefined' is not assignable to parameter of type 'string'."],
  ],
  [
    ['const u = Math.random() > 2 ? "a" : 5', 'u.foo()'],
    ["2:1:3 2339 Property 'foo' does not exist on type '\"a\" | 5'."],
  ],
  [
    ['import { z } from "zod"; const Row = z.object({ id: z.string() })', 'Row.parse({}).idd'],
    ["2:1:15 2339 Property 'idd' does not exist on type '{ id: string; }'."],
  ],
  [
    [
      'import { openLab } from "oddslab"; const lab = await openLab()',
      'const pnl = await lab.pnl({ wallet: "0x1", granularity: "1d" }).frame()',
      'pnl.hed()',
    ],
    ["3:1:5 2551 Property 'hed' does not exist on type 'DataFrame<PnlRecord>'. Did you mean 'head'?"],
  ],
  [
    [
      'import { openLab } from "oddslab"; const lab = await openLab()',
      'lab.pnl({ wallet: "0x1", granularity: "1d" }).frame().head()',
    ],
    [
      "2:1:55 2339 Property 'head' does not exist on type 'Promise<DataFrame<PnlRecord>>'. Did you forget to use 'await'?",
    ],
  ],
  [
    [
      'import { openLab } from "oddslab"; const lab = await openLab()',
      'await lab.pnl({ walet: "0x1", granularity: "1d" }).frame()',
    ],
    [
      "2:1:17 2561 Object literal may only specify known properties, but 'walet' does not exist in type 'PnlFilters<undefined>'. Did you mean to write 'wallet'?",
    ],
  ],
  [
    [
      'import { openLab, column } from "oddslab"; const lab = await openLab(); const pnl = await lab.pnl({ wallet: "0x1", granularity: "1d" }).frame()',
      'column(pnl, "no_such")',
    ],
    [
      '2:1:13 2345 Argument of type \'"no_such"\' is not assignable to parameter of type \'"date" | "invested" | "losses" | "pnl" | "proxy_wallet" | "trades" | "win_rate" | "wins"\'.',
    ],
  ],
  [['process.exitt()'], ["1:1:9 2551 Property 'exitt' does not exist on type 'Process'. Did you mean 'exit'?"]],
  [['new Date().getYears()'], ["1:1:12 2339 Property 'getYears' does not exist on type 'Date'."]],
  [['const s = new Set([1])', 's.push(2)'], ["2:1:3 2339 Property 'push' does not exist on type 'Set<number>'."]],
  [['type T = { a: Missing }; const t: T = { a: 1 }'], ["1:1:15 2304 Cannot find name 'Missing'."]],
  [
    [`const load = async () => 1; \`\${load()}\``],
    ["1:1:32 2801 This becomes the text of a promise. Did you forget to use 'await'?"],
  ],
  [
    [
      'async function load() { return 1 }\nconst t = "a: " + load(), u = JSON.stringify(load()), v = "a" + (await load())',
    ],
    [
      "1:2:19 2801 This becomes the text of a promise. Did you forget to use 'await'?",
      "1:2:46 2801 This becomes the text of a promise. Did you forget to use 'await'?",
    ],
  ],
  [
    ['const recs = [1]', 'if (recs.length = 0) 1'],
    ["2:1:5 2873 This condition assigns a value and is always falsy. Did you mean '==='?"],
  ],
  [
    [`const l = ['a', 'b']; 'a' in l && 'x' in ['x', 'y']`],
    [
      "1:1:23 2873 This asks for a key of the list, which are 0, 1, 2 …: its values are asked for by 'includes'.",
      "1:1:35 2873 This asks for a key of the list, which are 0, 1, 2 …: its values are asked for by 'includes'.",
    ],
  ],
  [
    [
      `const l = ['a'], seen: any = [1]; seen.total = 1; 'total' in seen || 0 in l || '0' in l || 'length' in l || 'map' in l`,
      `let m: any = ['a']; m = { a: 1 }; 'a' in m || ((l: any) => 'b' in l)({ b: 1 })`,
    ],
    [],
  ],
  [
    ['const rows: { p: number }[] = []', 'rows.push({ q: 1 })'],
    ["2:1:13 2353 Object literal may only specify known properties, and 'q' does not exist in type '{ p: number; }'."],
  ],
  [
    ['const m = new Map<string, number>()', 'm.set("a", "b")'],
    ["2:1:12 2345 Argument of type 'string' is not assignable to parameter of type 'number'."],
  ],
  [
    ['const o = ({ a }: { a?: number } = {}) => a', 'o({ b: 2 })'],
    [
      "2:1:5 2353 Object literal may only specify known properties, and 'b' does not exist in type '{ a?: number | undefined; }'.",
    ],
  ],
  [
    ['import { DataFrame } from "oddslab"', 'new DataFrame([[1]], { columns: ["a"] }).hed()'],
    ["2:1:42 2551 Property 'hed' does not exist on type 'DataFrame<object>'. Did you mean 'head'?"],
  ],
  [
    ['import { join } from "node:path"', 'join("a", 1)'],
    ["2:1:11 2345 Argument of type 'number' is not assignable to parameter of type 'string'."],
  ],
  [['function fee(p, q) { return p + (q || 0) }', 'fee(1, 2, 3)'], ['2:1:11 2554 Expected 2 arguments, but got 3.']],
  [
    ['document.title'],
    ["1:1:1 2304 Cannot find name 'document'. Cells run in Node.js, which has no page: show HTML by display.html(…)."],
  ],
];

describe('says what is wrong', () => {
  it.each(WRONG)('%j', async (cells, said) => expect(await saidOf(cells)).toEqual(said));
});
