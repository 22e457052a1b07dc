import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellFault } from '../../src/kernel/events.js';
import { TestNotebook } from './run-cells.js';

const LIBRARY = `export interface Row { a: number }

export function boom(row: Row): never {
  throw new RangeError('too ' + row.a);
}
`;

/** Cells to run, of which the last fails; where; and how. */
const FAULTS: [cells: string[], at: string, error: string | RegExp][] = [
  [['const a: number = ;'], '1:19', 'SyntaxError: Unexpected token'],
  [
    ['const ok = 1;\n  const é = 1; let a = 1; let a = 2'],
    '2:31',
    'SyntaxError: Identifier `a` has already been declared',
  ],
  [['\nreturn 5'], '2:1', "SyntaxError: A 'return' statement can only be used within a function body."],
  [['type T = { a: number };\n\nmissing.x'], '3:1', 'ReferenceError: missing is not defined'],
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
  [['throw null'], '1:7', 'Thrown: null'],
  [['await Promise.reject(5)'], '', 'Thrown: 5'],
  [['const changed = new Error("changed"); changed.stack = "custom";\nthrow changed'], '2:7', 'Error: changed'],
  [['Error.stackTraceLimit = 0', '\nnope1()'], '2:1', 'ReferenceError: nope1 is not defined'],
  [['Error.prepareStackTrace = () => "mine"', '\nnope2()'], '2:1', 'ReferenceError: nope2 is not defined'],
  [
    ['import "./importing"'],
    './importing.ts:2:8',
    "InputError: Cannot find the module './nothere': looked for nothere.ts, nothere.js and nothere/index.ts from the importing file's folder.",
  ],
  [['\nimport "./broken.json"'], '2:1', /^SyntaxError: \.\/broken\.json is no JSON: /],
  [['\nimport "node:nothing"'], '2:1', 'Error: No such built-in module: node:nothing'],
  [
    ['await 1;\nawait import(5 as any)'],
    '2:7',
    'TypeError: import() takes the name of a package or the path of a file; got 5.',
  ],
  [['\nimport "lacking"'], '2:1', /^Error: Cannot find package 'missing-dependency'/],
];

describe('faults', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
    notebook.write('library.ts', LIBRARY);
    notebook.write('wrong.ts', 'export const a = 1;\nconst = 5;\n');
    notebook.write('importing.ts', 'export const a = 1;\nimport "./nothere";\n');
    notebook.write('broken.json', '{"a": [1');
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
