import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellFault } from '../../src/kernel/wire/runner.js';
import { TestNotebook } from './run-cells.js';

const LIBRARY = `export interface Row { a: number }

export function boom(row: Row): never {
  throw new RangeError('too ' + row.a);
}
`;

/** Cells to run, of which the last fails; where; and how. Newer Node.js prints what it is a proxy of, and unread errors. */
const FAULTS: [cells: string[], at: string, error: string | RegExp][] = [
  [['throw new Proxy(new Error("e"), { get() { throw 1 } })'], '1:7', /^Thrown: (Proxy\()?Error: e\b/],
  [['throw new Proxy({}, { getPrototypeOf() { throw 1 } })'], '', /^Thrown: (\{\}|Proxy\(\{\}\))$/],
  [['throw new (class extends RangeError { get message(): string { throw 1 } })()'], '', /^Thrown: /],
  [['const a: number = ;'], '1:19', 'SyntaxError: Unexpected token'],
  [
    ['const ok = 1;\n  const é = 1; let a = 1; let a = 2'],
    '2:31',
    'SyntaxError: Identifier `a` has already been declared',
  ],
  [['\nreturn 5'], '2:1', "SyntaxError: A 'return' statement can only be used within a function body."],
  [['type T = { a: number };\n\nmissing.x'], '3:1', 'ReferenceError: missing is not defined'],
  [['\ntdz; let tdz = 1;'], '2:1', 'ReferenceError: tdz is not defined'],
  [['const name = 1;\n(0, eval)("name")'], '2:10', 'ReferenceError: name is not defined'],
  [['const own = 1;\nthrow new ReferenceError("own is not defined")'], '2:7', 'ReferenceError: own is not defined'],
  [['const n: number = 1;\n  undeclared = n'], '2:3', 'ReferenceError: undeclared is not defined'],
  [
    ['interface Deep { a?: Deep }\nconst d: Deep = {};\nd.a!.a!.a'],
    '3:6',
    "TypeError: Cannot read properties of undefined (reading 'a')",
  ],
  [
    [
      'const f = async (n: number): Promise<number> => {\n  await null;\n  throw new TypeError("no " + n);\n};\nawait f(1)',
    ],
    '3:9',
    'TypeError: no 1',
  ],
  [['enum E { A }\nfunction g(e: E) {\n  if (e === E.A) throw new Error("A");\n}', 'g(0)'], 'cell 1:3:24', 'Error: A'],
  [['import { boom } from "./library"', 'const x = 1;\nboom({ a: x })'], './library.ts:4:9', 'RangeError: too 1'],
  [['import "./wrong"'], './wrong.ts:2:7', 'SyntaxError: Unexpected token'],
  [
    ['import x from "./nowhere"'],
    '1:1',
    "InputError: Cannot find the module './nowhere': looked for nowhere.ts, nowhere.js and nowhere/index.ts from the importing file's folder.",
  ],
  [['const p: Promise<void> = Promise.reject(new Error("unhandled"));\n1'], '1:41', 'Error: unhandled'],
  [['setTimeout(() => {\n  throw new Error("timer");\n}, 1);\nawait new Promise(() => {})'], '2:9', 'Error: timer'],
  [['display({ [Symbol.for("Jupyter.display")]() { throw new Error("shown") } }); 1'], '1:53', 'Error: shown'],
  [['({ [Symbol.for("Jupyter.display")]() { throw new Error("result") } })'], '1:46', 'Error: result'],
  [
    [
      'class A {\n  constructor(private readonly n: number) {}\n  get bad(): number { return this.n.x.y }\n}\nnew A(1).bad',
    ],
    '3:39',
    "TypeError: Cannot read properties of undefined (reading 'y')",
  ],
  [
    ['await Promise.all([1, 2].map(async (n: number) => {\n  await 0;\n  if (n === 2) throw new Error("two");\n}))'],
    '3:22',
    'Error: two',
  ],
  [
    ['const late = callee(1);\nfunction callee(n: number): number {\n  return (n as any).a.b;\n}'],
    '3:23',
    "TypeError: Cannot read properties of undefined (reading 'b')",
  ],
  [['1;\nthrow "text"'], '2:7', 'Thrown: text'],
  [['const fail = () => { throw { code: 1 } };\nfail()'], '1:28', 'Thrown: { code: 1 }'],
  [['const fail = () => { const e = "text"; throw e };\nfail()'], '1:46', 'Thrown: text'],
  [['throw 1, "last"'], '1:7', 'Thrown: last'],
  [['var { a } = null'], '1:7', "TypeError: Cannot destructure property 'a' of 'null' as it is null."],
  [['throw null'], '1:7', 'Thrown: null'],
  [['await Promise.reject(5)'], '1:7', 'Thrown: 5'],
  [['const changed = new Error("changed"); changed.stack = "custom";\nthrow changed'], '2:7', 'Error: changed'],
  [['Error.stackTraceLimit = 0', '\nnope1()'], '2:1', 'ReferenceError: nope1 is not defined'],
  [['Error.prepareStackTrace = () => "mine"', '\nnope2()'], '2:1', 'ReferenceError: nope2 is not defined'],
  [
    ['import "./importing"'],
    './importing.ts:2:8',
    "InputError: Cannot find the module './nothere': looked for nothere.ts, nothere.js and nothere/index.ts from the importing file's folder.",
  ],
  [
    ['import "./asking"'],
    './asking.ts:2:10',
    "SyntaxError: The module './library' has no export named 'bang'. It exports: boom",
  ],
  [
    ['import "./takes-fs"'],
    './takes-fs.ts:1:24',
    /^SyntaxError: The module 'node:fs' has no export named 'readFil'\. Did you mean 'readFile'\? It exports: readFile, .*, … \(\d+ more\)$/,
  ],
  [['import { fail } from "./old.cjs"; fail', '\nfail()'], './old.cjs:2:9', 'Error: old'],
  [['import "./bad.cjs"'], './bad.cjs:2:13', "SyntaxError: Unexpected token '='"],
  [['require("./bad.cjs")'], './bad.cjs:2:13', "SyntaxError: Unexpected token '='"],
  [['import "./needs-bad.cjs"'], './bad.cjs:2:13', "SyntaxError: Unexpected token '='"],
  [['import { needs } from "./needs-bad"; needs'], './bad.cjs:2:13', "SyntaxError: Unexpected token '='"],
  [['require("./module.cjs")'], './module.cjs:2:3', 'SyntaxError: Cannot use import statement outside a module'],
  [['\nrequire("./thrower.js")'], './thrower.js:1:22', 'Error: at once'],
  [
    ['\nimport table from "./t.csv"; table'],
    '2:1',
    "InputError: ./t.csv is no module: what can be imported are files of TypeScript and JavaScript (.ts, .mts, .cts, .tsx, .jsx, .js, .mjs, .cjs), .json and .node. Other files can be read: readFileSync('./t.csv', 'utf8'), from 'node:fs'.",
  ],
  [['\nimport "./broken.json"'], './broken.json:2:7', /^SyntaxError: \.\/broken\.json is no JSON: [^\n]+$/],
  [['\nimport "./named.json"'], './named.json:2:8', "SyntaxError: ./named.json is no JSON: Unexpected token 'N'"],
  [['\nimport "node:nothing"'], '2:1', "InputError: Cannot find 'node:nothing'. Node.js has no such module."],
  [
    ['await 1;\nawait import(5 as any)'],
    '2:7',
    'TypeError: import() takes the name of a package or the path of a file; got 5.',
  ],
  [
    ['throw Object.defineProperty(new Error("e"), "message", { get() { throw 1 } })'],
    '1:7',
    /^Thrown: (a value of type object that cannot be printed|\[mine\])$/,
  ],
  [
    ['throw { [Symbol.for("nodejs.util.inspect.custom")]() { throw 1 } }'],
    '1:7',
    'Thrown: a value of type object that cannot be printed',
  ],
  [
    ['\nimport "lacking"'],
    '2:1',
    "InputError: The package 'lacking' needs the package 'missing-dependency', which cannot be found. Install it in the notebook's folder: npm install missing-dependency",
  ],
];

describe('faults', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
    notebook.write('library.ts', LIBRARY);
    notebook.write('wrong.ts', 'export const a = 1;\nconst = 5;\n');
    notebook.write('importing.ts', 'export const a = 1;\nimport "./nothere";\n');
    notebook.write(
      'asking.ts',
      'import { type Row } from "./library";\nimport { bang, type Rows } from "./library";\nbang();\n',
    );
    notebook.write('old.cjs', 'exports.fail = () => {\n  throw new Error("old");\n};\n');
    notebook.write('bad.cjs', 'exports.a = 1;\nexports.b = = 2;\n');
    notebook.write('needs-bad.cjs', '\nrequire("./bad.cjs");\n');
    notebook.write('needs-bad.ts', 'export { default as needs } from "./needs-bad.cjs";\n');
    notebook.write('module.cjs', '"use strict";\n\t import "node:fs";\n');
    notebook.write('thrower.js', 'exports.a = 1; throw new Error("at once");');
    notebook.write('t.csv', 'a,b\n1,2\n');
    notebook.write('takes-fs.ts', 'import { readFileSync, readFil } from "node:fs";\nreadFil(readFileSync);');
    notebook.write('broken.json', '{"a":\n    [1');
    notebook.write('named.json', '{\n  "a": NaN,\n  "b": "x"\n}\n');
    mkdirSync(join(notebook.folder, 'node_modules', 'lacking'), { recursive: true });
    notebook.write('node_modules/lacking/package.json', '{"type":"module","main":"main.js"}');
    notebook.write('node_modules/lacking/main.js', 'import "missing-dependency";');
  });
  afterAll(() => notebook.close());

  it.each(FAULTS)('%j at %s', async (cells, at, error) => {
    const fault = await lastFault(cells);
    const relative = at.includes('cell') || at.includes('./') || at === '';
    const place = fault.at ? `${fault.at.name}:${fault.at.line}:${fault.at.column}` : '';
    expect(`${fault.name}: ${fault.message}`).toEqual(typeof error === 'string' ? error : expect.stringMatching(error));
    expect(place.replace(/^cell [0-9]+:/, '')).toBe(relative ? at.replace(/^cell 1:/, '') : at);
  });

  it('shows the code around the place, and the calls in own files alone', async () => {
    const fault = await lastFault(['const x: number = 1;\n\tboomed(x);\nfunction boomed(n: number) { null!.a; }']);
    const number = fault.at?.name ?? '';
    expect(fault.traceback).toEqual([
      "TypeError: Cannot read properties of null (reading 'a')",
      '',
      '  1 | const x: number = 1;',
      '  2 | \tboomed(x);',
      '> 3 | function boomed(n: number) { null!.a; }',
      '    |                                    ^',
      '',
      `    at boomed (${number}:3:36)`,
      `    at ${number}:2:2`,
    ]);
  });

  it('shows the code of a CommonJS file as it is now', async () => {
    notebook.write('turns.cjs', 'exports.turn = () => { throw new Error("one"); };');
    await notebook.value("import { turn } from './turns.cjs'");
    notebook.write('turns.cjs', '// Edited.\nexports.turn = () => { throw new Error("two"); };');
    const fault = await lastFault(["import { turn } from './turns.cjs'; turn()"]);
    expect(fault.traceback).toEqual([
      ...['Error: two', '', '  1 | // Edited.', '> 2 | exports.turn = () => { throw new Error("two"); };'],
      ...['    |                              ^', '', '    at exports.turn (./turns.cjs:2:30)'],
      expect.stringMatching(/^ {4}at cell \d+:1:37$/),
    ]);
  });

  it('names the file and the import of a module that does not parse', async () => {
    const fault = await lastFault(['1;\nimport "./wrong";']);
    const number = (await notebook.run('')).name.replace(/\d+/, (count) => String(Number(count) - 1));
    expect(fault.traceback.slice(-2)).toEqual(['    at ./wrong.ts:2:7', `    at ${number}:2:1`]);
  });

  it('folds the calls of a recursion without end', async () => {
    const fault = await lastFault(['const recurse = (): number => recurse();\nrecurse()']);
    expect(fault.traceback.slice(-2)).toEqual([`    at recurse (${fault.at?.name}:1:31)`, '    … and 49 times more']);
  });

  it('says what traces of other objects say', async () => {
    const { events } = await notebook.run('Error.prepareStackTrace = undefined; console.trace("traced")');
    expect(events).toMatchObject([{ name: 'stderr', text: expect.stringMatching(/^Trace: traced\n {4}at cell/) }]);
  });

  it('lets packages read call sites', async () => {
    const code = `const kept = Error.prepareStackTrace;
Error.prepareStackTrace = (_, sites) => sites;
const sites = new Error().stack as unknown as NodeJS.CallSite[];
Error.prepareStackTrace = kept;
[typeof sites[0]!.getLineNumber(), new Error('after').stack!.startsWith('Error: after')]`;
    expect(await notebook.value(code)).toBe("[ 'number', true ]");
  });

  it('maps the stack that the user prints', async () => {
    const { events } = await notebook.run(
      'type A = 1;\n\nconsole.log(new Error("mine").stack!.replace(/cell \\d+/, "cell"))',
    );
    expect(events).toEqual([{ type: 'stream', name: 'stdout', text: 'Error: mine\n    at cell:3:13\n' }]);
  });

  async function lastFault(cells: string[]): Promise<CellFault> {
    for (const cell of cells.slice(0, -1)) await notebook.value(cell);
    const { outcome } = await notebook.run(cells.at(-1) ?? '');
    if (outcome.status === 'ok') throw new Error('The cell did not fail.');
    return outcome.fault;
  }
});

describe('details of an error', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  it('are its cause, parts and fields, as Node prints them, with their places', async () => {
    expect(await detailsOf("throw new RangeError('none', { cause: undefined })")).toEqual([
      '    at cell 1:1:7 {',
      '  [cause]: undefined',
      '}',
    ]);
    expect(await detailsOf("function inner(): never { throw new RangeError('deep', { cause: 'why' }) }")).toEqual([]);
    expect(await detailsOf("try { inner() } catch (cause) { throw new Error('wrap', { cause }) }")).toEqual([
      '    at cell 3:1:39 {',
      '  [cause]: RangeError: deep',
      '      at inner (cell 2:1:33)',
      '      at cell 3:1:7 {',
      "    [cause]: 'why'",
      '  }',
      '}',
    ]);
    expect(await detailsOf("await Promise.any([1, 2].map(async () => { throw new Error('part') }))")).toEqual([
      '    at cell 4:1:7 {',
      '  [errors]: [',
      ...['    Error: part', '        at cell 4:1:50', '        at cell 4:1:26,'],
      ...['    Error: part', '        at cell 4:1:50', '        at cell 4:1:26'],
      '  ]',
      '}',
    ]);
    const fields = "{ code = 'E1'; details = { rows: [1, { two: 2 }] } }";
    expect(await detailsOf(`class Refused extends Error ${fields}\nthrow new Refused('no')`)).toEqual([
      '    at cell 5:2:7 {',
      "  code: 'E1',",
      '  details: { rows: [ 1, { two: 2 } ] }',
      '}',
    ]);
  });

  it('are told less deep where they are long, the cause by its message, and in so many lines at most', async () => {
    const request = 'Object.fromEntries(Array.from({ length: 40 }, (_, i) => ["f" + i, { a: "x".repeat(60) }]))';
    const cause = 'Object.assign(new Error("why", { cause: new Error("deeper") }), { request })';
    await notebook.value(`const request = ${request};`);
    const told = await detailsOf(`throw Object.assign(new Error('e', { cause: ${cause} }), { request, code: 5 })`);
    expect(told.slice(0, 7).map((line) => line.replace(/cell \d+/, 'cell'))).toEqual([
      '    at cell:1:21 {',
      '  request: [Object],',
      '  code: 5,',
      '  [cause]: Error: why',
      '      at cell:1:59 {',
      '    request: [Object],',
      '    [cause]: Error: deeper',
    ]);
  });

  it('are the messages of its cause and parts where those or its fields are long, then what lines of these fit', async () => {
    const lines = '{ body: "line\\n".repeat(100) }';
    const cause = 'new Error("why", { cause: new AggregateError([new RangeError("deeper\\nand more"), 5]) })';
    const told = await detailsOf(`throw Object.assign(new Error('top', { cause: ${cause} }), ${lines})`);
    expect(told.length).toBe(40);
    expect(told.slice(1, 3)).toEqual(["  body: 'line\\n' +", "    'line\\n' +"]);
    expect(told.slice(-10)).toEqual([
      expect.stringMatching(/^ {2}… \d+ lines more, which the error itself holds$/),
      '  [cause]: [Error: why] {',
      '    [cause]: [AggregateError] {',
      '      [errors]: [',
      '        [RangeError: deeper],',
      '        5',
      '      ]',
      '    }',
      '  }',
      '}',
    ]);
    const parts = (length: number) => `Array.from({ length: ${length} }, (_, i) => new Error("part " + i))`;
    const some = await detailsOf(`throw Object.assign(new AggregateError(${parts(30)}), { code: 5 })`);
    expect([some.length, ...some.slice(1, 4), ...some.slice(-3)]).toEqual([
      ...[35, '  code: 5,', '  [errors]: [', '    [Error: part 0],'],
      ...['    [Error: part 29]', '  ]', '}'],
    ]);
    const many = await detailsOf(`throw new AggregateError(${parts(50)})`);
    expect([many.length, many[2], many.at(-2), many.at(-1)]).toEqual([
      40,
      '    [Error: part 0],',
      '  … 15 lines more, which the error itself holds',
      '}',
    ]);
  });

  /** From the line that they begin on. */
  async function detailsOf(cell: string): Promise<string[]> {
    const { outcome } = await notebook.run(cell);
    const traceback = outcome.status === 'ok' ? [] : outcome.fault.traceback;
    return traceback.slice(traceback.findIndex((line) => line.endsWith(' {')));
  }
});
