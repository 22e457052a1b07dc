import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellFault } from '../../src/kernel/wire/runner.js';
import { TestNotebook } from './run-cells.js';

const LIBRARY = `type Rows = number[];

export function total(rows: Rows | null): number {
  return rows!.reduce((sum, each) => sum + each, 0);
}

export async function later<T>(work: () => T): Promise<T> {
  await null;
  return work();
}

export class Ledger<T extends { id: number }> {
  constructor(private readonly rows: T[]) {}
  find(id: number): T {
    const found = this.rows.find((row) => row.id === id);
    if (!found) throw new RangeError(\`no \${id}\`);
    return found;
  }
}
`;

/** What the failing cell says, its error, and where; `?` stands for the failing cell, a number for one before it. */
interface Failing {
  about: string;
  before?: string[];
  code: string;
  error: string;
  at: string;
}

const FAILING: Failing[] = [
  // Texts that are no TypeScript.
  { about: 'a missing value', code: 'const a =', error: 'SyntaxError', at: '? 1:10' },
  { about: 'an open call', code: 'f(1,\n  2', error: 'SyntaxError', at: '? 2:4' },
  { about: 'an open brace', code: 'if (true) {\n  1;\n', error: 'SyntaxError', at: '? 3:1' },
  { about: 'an open text', code: 'const a = 1;\nconst b = "x;\n', error: 'SyntaxError', at: '? 2:11' },
  { about: 'an open template', code: 'const a = `x;\n', error: 'SyntaxError', at: '? 1:11' },
  { about: 'a name twice', code: 'let a = 1;\nlet b = 2;\nlet a = 3;', error: 'SyntaxError', at: '? 3:5' },
  { about: 'a word in the way', code: 'const x: number 5', error: 'SyntaxError', at: '? 1:7' },
  { about: 'a wrong type', code: 'type T = { a: }', error: 'SyntaxError', at: '? 1:15' },
  { about: 'a return', code: 'const a = 1;\nreturn a', error: 'SyntaxError', at: '? 2:1' },
  { about: 'a break', code: '1;\n  break;', error: 'SyntaxError', at: '? 2:3' },
  { about: 'await in a function', code: 'function f() {\n  await g();\n}', error: 'SyntaxError', at: '? 2:3' },
  { about: 'a wrong expression', code: '/(/.test("")', error: 'SyntaxError', at: '? 1:1' },
  { about: 'behind letters of two units', code: 'const é = "🎲🎲"; )', error: 'SyntaxError', at: '? 1:19' },
  // Errors at run time.
  { about: 'an unknown name', code: 'missing', error: 'ReferenceError', at: '? 1:1' },
  {
    about: 'behind types',
    code: 'type A = 1;\ninterface B { b: A }\n\n  missing.x',
    error: 'ReferenceError',
    at: '? 4:3',
  },
  { about: 'a name before its line', code: 'early;\nconst early = 1', error: 'ReferenceError', at: '? 1:1' },
  { about: 'in a var', code: 'var v1 = missing', error: 'ReferenceError', at: '? 1:10' },
  { about: 'in a later var', code: 'var v1 = 1,\n      v2 = missing', error: 'ReferenceError', at: '? 2:12' },
  { about: 'in a var of a transform', code: 'var v1,\n      v2 = missing', error: 'ReferenceError', at: '? 2:12' },
  { about: 'in a var of a loop', code: 'for (var i = 0, n = missing; ;);', error: 'ReferenceError', at: '? 1:21' },
  { about: 'in an awaiting var', code: 'var v1 = await missing', error: 'ReferenceError', at: '? 1:16' },
  { about: 'in a default export', code: 'export default missing', error: 'ReferenceError', at: '? 1:16' },
  { about: 'no function', code: 'const n: any = 5;\nn()', error: 'TypeError', at: '? 2:1' },
  { about: 'a property of undefined', code: 'const o: any = {};\no.a.b', error: 'TypeError', at: '? 2:5' },
  { about: 'a thrown error', code: 'throw new RangeError("out")', error: 'RangeError', at: '? 1:7' },
  {
    about: 'behind a generic call',
    code: 'const id = <T>(x: T): T => x;\nid<number>(1); id<any>(null).x',
    error: 'TypeError',
    at: '? 2:29',
  },
  { about: 'behind emoji', code: 'const s: string = "🎲🎲"; missing', error: 'ReferenceError', at: '? 1:27' },
  { about: 'behind tabs', code: '\t\tmissing', error: 'ReferenceError', at: '? 1:3' },
  {
    about: 'lines that end in CRLF',
    code: 'const a: number = 1;\r\n\r\n  missing',
    error: 'ReferenceError',
    at: '? 3:3',
  },
  { about: 'in a template', code: `const a = \`one\ntwo \${missing} three\``, error: 'ReferenceError', at: '? 2:7' },
  {
    about: 'in an enum',
    code: 'const f = (): number => { throw new Error("e") };\nenum E {\n  A = 1,\n  B = f(),\n}',
    error: 'Error',
    at: '? 1:33',
  },
  {
    about: 'in a namespace',
    code: 'namespace N {\n  export const a: number = missing;\n}',
    error: 'ReferenceError',
    at: '? 2:28',
  },
  {
    about: 'in a decorator',
    code: 'const bad = (_: unknown) => { throw new Error("d") };\n@bad class A {}',
    error: 'Error',
    at: '? 1:37',
  },
  {
    about: 'in a field',
    code: 'class A {\n  private x: number = missing;\n}\nnew A()',
    error: 'ReferenceError',
    at: '? 2:23',
  },
  {
    about: 'in a parameter property',
    code: 'class A {\n  constructor(public a = missing) {}\n}\nnew A()',
    error: 'ReferenceError',
    at: '? 2:26',
  },
  {
    about: 'in a getter',
    code: 'const o = { get a(): number { return missing } };\no.a',
    error: 'ReferenceError',
    at: '? 1:31',
  },
  { about: 'in a call of many lines', code: 'Math.max(\n  1,\n  missing,\n)', error: 'ReferenceError', at: '? 3:3' },
  {
    about: 'in a chain',
    code: '[1, 2]\n  .map((n) => n * 2)\n  .map((n: any) => n.a.b)',
    error: 'TypeError',
    at: '? 3:24',
  },
  {
    about: 'in a callback',
    code: '[3, 1].sort((a, b) => {\n  throw new Error(String(a + b));\n})',
    error: 'Error',
    at: '? 2:9',
  },
  {
    about: 'in a called function',
    code: 'const r = run(1);\nfunction run(n: number): number {\n  return (n as any).a.b;\n}',
    error: 'TypeError',
    at: '? 3:23',
  },
  {
    about: 'after an await',
    code: 'await 1;\nawait Promise.resolve();\nmissing',
    error: 'ReferenceError',
    at: '? 3:1',
  },
  {
    about: 'in an async function',
    code: 'const f = async () => {\n  await 1;\n  throw new Error("a");\n};\nawait f()',
    error: 'Error',
    at: '? 3:9',
  },
  {
    about: 'in a generator',
    code: 'function* g(): Generator<number> {\n  yield 1;\n  throw new Error("g");\n}\n[...g()]',
    error: 'Error',
    at: '? 3:9',
  },
  {
    about: 'in a loop that awaits',
    code: 'for await (const n of [1, 2]) {\n  if (n === 2) missing;\n}',
    error: 'ReferenceError',
    at: '? 2:16',
  },
  {
    about: 'in a timer',
    code: 'setTimeout(() => {\n  missing;\n}, 1);\nawait new Promise(() => {})',
    error: 'ReferenceError',
    at: '? 2:3',
  },
  { about: 'in a promise nobody awaits', code: '1;\nPromise.reject(new Error("r"));\n2', error: 'Error', at: '? 2:16' },
  {
    about: 'in an earlier function',
    before: ['function old(x: any) {\n  return x.y.z;\n}'],
    code: '\nold({})',
    error: 'TypeError',
    at: '1 2:14',
  },
  {
    about: 'in an earlier class',
    before: ['class Old {\n  go() { throw new Error("o") }\n}'],
    code: 'new Old().go()',
    error: 'Error',
    at: '1 2:16',
  },
  { about: 'text that is no JSON', code: 'const t = "{a}";\nJSON.parse(t)', error: 'SyntaxError', at: '? 2:6' },
  { about: 'a length below zero', code: 'const a = [1];\n  new Array(-1)', error: 'RangeError', at: '? 2:3' },
  { about: 'a BigInt with a number', code: 'const a: any = 1n;\na + 1', error: 'TypeError', at: '? 2:1' },
  {
    about: 'an error with a cause',
    code: 'try {\n  missing;\n} catch (cause) {\n  throw new Error("outer", { cause });\n}',
    error: 'Error',
    at: '? 4:9',
  },
  {
    about: 'several errors',
    code: 'await Promise.any([\n  Promise.reject(new Error("a")),\n])',
    error: 'AggregateError',
    at: '? 1:7',
  },
  {
    about: 'an error without calls, where it is awaited',
    before: ['const bare = async () => Object.assign(new Error("bare"), { stack: "bare" })'],
    code: 'await bare();\nconst a = [await bare(), (await bare().then((e) => Promise.reject(e))) as Error];',
    error: 'Error',
    at: '? 2:33',
  },
  {
    about: 'such an error, in a cell that is transformed',
    before: ['const bared = () => Promise.reject(Object.assign(new Error("bare"), { stack: "bare" }))'],
    code: 'enum Unit { Usd }\nawait 1; // é\nconst unit: Unit = Unit.Usd;\n  await bared();\nunit',
    error: 'Error',
    at: '? 4:9',
  },
  {
    about: 'such an error, before what comes finally',
    before: ['const refuse = () => Promise.reject(Object.assign(new Error("bare"), { stack: "bare" }))'],
    code: 'try {\n  await refuse()\n} finally { let a = 1; await a }',
    error: 'Error',
    at: '? 2:9',
  },
  {
    about: 'such an error, in the next of many',
    before: [
      'const refuses = () => Promise.reject(Object.assign(new Error("bare"), { stack: "bare" }))',
      'const fails = async function* () { yield 1; yield 2; await refuses() }',
    ],
    code: '\nfor await (const each of fails()) { await each }',
    error: 'Error',
    at: '? 2:26',
  },
  {
    about: 'such an error, behind what was caught or walked through',
    before: ['const bareError = Object.assign(new Error("given"), { stack: "given" })'],
    code: `try { await Promise.reject(1) } catch {}
for await (const each of [1]) { each }
require("vm").runInNewContext("(e) => { throw e }")(bareError)`,
    error: 'Error',
    at: '',
  },
  {
    about: 'such an error, after the await',
    before: ['const given = Object.assign(new Error("given"), { stack: "given" })'],
    code: 'await 1;\nrequire("vm").runInNewContext("(e) => { throw e }")(given)',
    error: 'Error',
    at: '',
  },
  {
    about: 'an error whose stack tells its calls as text',
    code: 'const { stack } = new Error();\nawait Promise.reject(Object.assign(new Error("told"), { stack }))',
    error: 'Error',
    at: '? 1:19',
  },
  {
    about: 'an error whose stack is a long text of no calls',
    code: '1;\nawait Promise.reject(Object.assign(new Error("told"), { stack: "    at" + " (".repeat(300000) }))',
    error: 'Error',
    at: '? 2:7',
  },
  {
    about: 'an error of another realm',
    code: 'const vm = require("vm");\n  vm.runInNewContext("null.x")',
    error: 'TypeError',
    at: '? 2:6',
  },
  {
    about: 'an error of another realm, thrown on',
    code: 'throw require("vm").runInNewContext("new RangeError(1)")',
    error: 'RangeError',
    at: '? 1:21',
  },
  {
    about: 'a rejection of another realm',
    code: '1;\nrequire("vm").runInNewContext("Promise.reject(new Error(1))");\n2',
    error: 'Error',
    at: '? 2:15',
  },
  { about: 'a thrown text', code: 'throw "text"', error: 'Thrown', at: '? 1:7' },
  { about: 'a thrown object', code: 'throw { code: 5 }', error: 'Thrown', at: '? 1:7' },
  {
    about: 'what is no error though its name says so',
    code: 'class HttpError { constructor(public status: number) {} }\nfunction get() {\n  throw new HttpError(404);\n}\nget()',
    error: 'Thrown',
    at: '? 3:9',
  },
  {
    about: 'an answer, made where it is thrown',
    code: 'const refuse = async () => {\n  throw new Response("no", { status: 404 });\n};\nawait refuse()',
    error: 'Thrown',
    at: '? 2:9',
  },
  { about: 'in eval', code: '1;\neval("null.x")', error: 'TypeError', at: '? 2:1' },
  { about: 'a missing package', code: '1;\nimport x from "left-pad"', error: 'InputError', at: '? 2:1' },
  { about: 'a missing module', code: 'import x from "./none"', error: 'InputError', at: '? 1:1' },
  {
    about: 'a missing export',
    code: 'import { sep } from "node:path";\nimport { nope } from "node:os";\nnope()',
    error: 'SyntaxError',
    at: '? 2:1',
  },
  {
    about: 'in a local module',
    code: 'import { total } from "./library";\n\ntotal(null)',
    error: 'TypeError',
    at: './library.ts 4:16',
  },
  {
    about: 'in a local class',
    code: 'import { Ledger } from "./library";\nnew Ledger([{ id: 1 }]).find(2)',
    error: 'RangeError',
    at: './library.ts 16:23',
  },
  {
    about: 'called back by a local module',
    code: 'import { later } from "./library";\nawait later(() => {\n  missing;\n})',
    error: 'ReferenceError',
    at: '? 3:3',
  },
  {
    about: 'in a local module that is no TypeScript',
    code: 'import "./wrong"',
    error: 'SyntaxError',
    at: './wrong.ts 2:7',
  },
];

describe('failing cells', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
    notebook.write('library.ts', LIBRARY);
    notebook.write('wrong.ts', 'export const a = 1;\nconst = 5;\n');
  });
  afterAll(() => notebook.close());

  it.each(FAILING)('$about: $error at $at', async ({ before = [], code, error, at }) => {
    for (const cell of before) await notebook.value(cell);
    const { outcome, name } = await notebook.run(code);
    if (outcome.status === 'ok') throw new Error('The cell did not fail.');
    const { fault } = outcome;
    const number = Number(/\d+/.exec(name)?.[0]);
    const place = at.replace(/^\?/, name).replace(/^(\d+) /, (_, back) => `cell ${number - Number(back)} `);
    expect({ error: fault.name, at: placeOf(fault) }).toEqual({ error, at: place });
    expect(fault.traceback.join('\n')).not.toMatch(/^ +at .*(node:|dist\/|oddslab:)/m);
    // The frame points at the very place.
    if (fault.at) expect(fault.traceback.some((line) => line.startsWith(`> ${fault.at?.line} |`))).toBe(true);
  });

  it('a recursion without end: says the line, at which column of it is chance', async () => {
    const { outcome, name } = await notebook.run('\nconst down = (n: number): number => down(n + 1) + 1;\ndown(0)');
    expect(outcome).toMatchObject({ status: 'error', fault: { name: 'RangeError', at: { name, line: 2 } } });
  });

  it('names what it walks through as the cell does', async () => {
    const { outcome } = await notebook.run('const none: any = {};\nfor await (const each of none) {}');
    expect(outcome).toMatchObject({ fault: { message: 'none is not async iterable', at: { line: 2, column: 26 } } });
  });

  it('finds where a cell awaits while one that has failed awaits on', async () => {
    const tick = 'await new Promise((resolve) => setTimeout(resolve))';
    await notebook.run(`setTimeout(() => { throw 1 }); for (let n = 0; n < 100; n++) ${tick}`);
    const bare = '(e) => Promise.reject(Object.assign(e, { stack: "" }))';
    const { outcome, name } = await notebook.run(
      `\n  await new Promise((resolve) => setTimeout(resolve, 20, new Error("bare"))).then(${bare})`,
    );
    expect(outcome).toMatchObject({ fault: { message: 'bare', at: { name, line: 2, column: 9 } } });
  });
});

function placeOf({ at }: CellFault): string {
  return at ? `${at.name} ${at.line}:${at.column}` : '';
}
