import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellFault } from '../../src/kernel/wire/runner.js';
import { TestNotebook } from './run-cells.js';

const FILES = {
  'lib/fees.ts': `export enum Side { Buy = 'buy', Sell = 'sell' }
const twice = (of: (x: number) => number, _: ClassMethodDecoratorContext) => (x: number) => 2 * of(x);
export class Fee { constructor(private rate = 10) {} @twice of(x: number): number { return 10 * x; } }`,
  'node_modules/priced/package.json': '{ "name": "priced", "type": "module", "exports": "./index.js" }',
  'node_modules/priced/index.js': 'export const price = 0.5;',
  'package.json': '{ "name": "study", "type": "module", "imports": { "#lib/*": "./lib/*.ts" } }',
  'worker.ts': `import { parentPort, workerData } from 'node:worker_threads';
import { price } from 'priced';
import { Fee, Side } from './lib/fees';
import { Side as Same } from '#lib/fees';
namespace Sum { export const of = (a: number, b: number): number => a + b; }
console.log('begun', process.argv.length, process.argv[1]!.endsWith('worker.ts'), process.execArgv);
parentPort!.on('message', (n: number) => {
  parentPort!.postMessage([n, new Fee().of(n), Side.Buy === Same.Buy, price, Sum.of(1, workerData as number), import.meta.filename.endsWith('worker.ts')]);
  parentPort!.close();
});`,
  'view.tsx': `import { parentPort } from 'node:worker_threads';
const h = (tag: string, _: object | null, ...inner: string[]) => tag + inner.join('');
/** @jsx h */
parentPort!.postMessage(<b>c</b>);`,
  'late.ts': `setTimeout(() => { console.log('late' satisfies string); console.error('wrong'); }, 100);`,
  'throws.ts': `type A = { b: number };
const a: A | undefined = JSON.parse('null');

console.log(a!.b);`,
  'throws-later.ts': `interface A { b: number }
setTimeout(() => {
  throw new RangeError('later');
}, 5);`,
  'wrong.ts': 'const a: number = 1;\nconst b: = 2;',
  'forked.ts': `import { Fee } from './lib/fees.js';
console.log('forked', process.argv.slice(2).join(), process.argv[1]!.endsWith('forked.ts'), process.execArgv.length);
process.on('message', (n: number) => { process.send!(new Fee().of(n)); process.disconnect(); });`,
  'plain.mjs': `import { parentPort } from 'node:worker_threads'; parentPort.postMessage('plain');`,
};

describe('workers and forks of TypeScript', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
    for (const [name, text] of Object.entries(FILES)) notebook.write(name, text);
  });
  afterAll(() => notebook.close());

  async function hear(code: string) {
    const heard = { stdout: '', stderr: '', faults: [] as CellFault[], result: undefined as unknown };
    const outcome = await notebook.runner.execute(`${IMPORTS}\n${code}`, {
      name: 'cell',
      onOutput: (event) => {
        if (event.type === 'stream') heard[event.name] += event.text;
        if (event.type === 'result') heard.result = event.data['text/plain'];
      },
      onFault: (fault) => heard.faults.push(fault),
    });
    return { heard, outcome };
  }
  const IMPORTS =
    "import { Worker } from 'node:worker_threads'; import { fork } from 'node:child_process'; import { once } from 'node:events';";

  it('run as an import would, with what they are given', async () => {
    const { heard, outcome } =
      await hear(`const w = new Worker(new URL('./worker.ts', import.meta.url), { workerData: 41 });
w.postMessage(3);
const [answer] = await once(w, 'message'); await once(w, 'exit');
[...answer, w instanceof Worker, Worker.name]`);
    expect(outcome).toEqual({ status: 'ok' });
    expect(heard).toMatchObject({
      stdout: 'begun 2 true []\n',
      result: "[ 3, 60, true, 0.5, 42, true, true, 'Worker' ]",
    });
  });

  it.each([
    ["'./view.tsx'", "'bc'"],
    ["'./plain.mjs'", "'plain'"],
    ["new URL('./view.js', import.meta.url)", "'bc'"],
    ['\'require("node:worker_threads").parentPort.postMessage(7)\', { eval: true }', '7'],
  ])('take %s', async (file, shown) => {
    const { heard, outcome } = await hear(`(await once(new Worker(${file}), 'message'))[0]`);
    expect([outcome, heard.result]).toEqual([{ status: 'ok' }, shown]);
  });

  it.each(["new Worker('./late.ts')", "fork('./late.ts')"])(
    'print under their cell, after its end: %s',
    async (start) => {
      const first = await hear(`const over = once(${start}, 'exit'); 1`);
      const second = await hear("console.log('mine'); await over; await new Promise((r) => setTimeout(r, 50)); 2");
      expect([first.heard.stdout, first.heard.stderr, second.heard.stdout]).toEqual(['late\n', 'wrong\n', 'mine\n']);
    },
  );

  it.each([
    ['throws.ts', 'TypeError', { name: './throws.ts', line: 4, column: 16 }],
    ['throws-later.ts', 'RangeError', { name: './throws-later.ts', line: 3, column: 9 }],
    ['wrong.ts', 'SyntaxError', { name: './wrong.ts', line: 2, column: 10 }],
  ])('tell where %s fails', async (file, name, at) => {
    const unheard = await hear(`new Worker('./${file}'); await new Promise(() => {})`);
    expect(unheard.outcome).toMatchObject({ status: 'error', fault: { name, at } });
    const { heard } = await hear(
      `(await new Promise<Error>((resolve) => new Worker('./${file}').on('error', resolve))).stack`,
    );
    expect(String(heard.result)).toContain(`${at.name}:${at.line}:${at.column}`);
    const forked = await hear(`(await once(fork('./${file}'), 'close'))[0]`);
    expect(forked.heard.result).toBe('1');
    expect(forked.heard.stderr).toContain(name);
    expect(forked.heard.stderr).toContain(`${at.name}:${at.line}:${at.column}`);
    expect(forked.heard.stderr).not.toContain('main.cjs');
  });

  it('talk with a forked process', async () => {
    const { heard, outcome } = await hear(`const c = fork(new URL('./forked.ts', import.meta.url), ['a', 'b']);
c.send(4); const [n] = await once(c, 'message'); await once(c, 'close'); n`);
    expect(outcome).toEqual({ status: 'ok' });
    expect(heard).toMatchObject({ stdout: 'forked a,b true 0\n', result: '80' });
  });

  it('refuses what is not there, as Node does', async () => {
    const { outcome } = await hear("await once(new Worker('./none.ts'), 'exit')");
    expect(outcome).toMatchObject({ status: 'error', fault: { message: expect.stringContaining('none.ts') } });
  });
});
