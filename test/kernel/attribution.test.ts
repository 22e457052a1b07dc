import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellFault, CellOutcome, InputRequest, OutputEvent } from '../../src/kernel/wire/runner.js';
import { TestNotebook } from './run-cells.js';

/** What one cell showed and how it failed, also after its end. */
interface Heard {
  outcome: CellOutcome;
  texts: string[];
  faults: CellFault[];
}

/** Begins a cell that will call `call`, and lets another wait for that call. */
const CALL = 'var call: () => void; var called = new Promise<void>((resolve) => { call = resolve; });';
const CALLED = 'await called; await new Promise((resolve) => setTimeout(resolve, 20));';

describe('what a cell causes', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  it.each([
    ['setTimeout', 'setTimeout(() => { console.log("late"); call() }, 200)'],
    ['setInterval', 'const id = setInterval(() => { console.log("late"); call(); clearInterval(id) }, 200)'],
    ['node:timers', '(require("node:timers") as any).setTimeout(() => { console.log("late"); call() }, 200)'],
    ['timers/promises', 'require("node:timers/promises").setTimeout(200).then(() => { console.log("late"); call() })'],
    [
      'a function that goes on',
      '(async () => { await new Promise((r) => setTimeout(r, 200)); console.log("late"); call() })(); 1',
    ],
    ['an event', 'require("node:child_process").exec("sleep 0.2", () => { console.log("late"); call() }); 1'],
  ])('prints under it, though another runs: %s', async (_, code) => {
    const first = await hear(`${CALL}\n${code}`);
    const second = await hear(`console.log("mine"); ${CALLED} console.log("end")`);
    expect(first.texts.join('')).toContain('late\n');
    expect(second.texts.join('')).toBe('mine\nend\n');
  });

  it.each([
    ['a timer', 'setTimeout(() => { call(); throw new Error("stray") }, 200)'],
    ['an immediate after a timer', 'setTimeout(() => setImmediate(() => { call(); throw new Error("stray") }), 200)'],
    ['a microtask', 'setTimeout(() => queueMicrotask(() => { call(); throw new Error("stray") }), 200)'],
    ['a tick', 'setTimeout(() => process.nextTick(() => { call(); throw new Error("stray") }), 200)'],
    [
      'a rejection',
      '(async () => { await new Promise((r) => setTimeout(r, 200)); call(); throw new Error("stray") })(); 1',
    ],
    ['an event', 'require("node:child_process").exec("sleep 0.2", () => { call(); throw new Error("stray") }); 1'],
  ])('fails under it, and not the cell that runs then: %s', async (_, code) => {
    const first = await hear(`${CALL}\n${code}`);
    const second = await hear(`${CALLED} 2`);
    expect(first.outcome).toEqual({ status: 'ok' });
    expect(first.faults).toMatchObject([{ name: 'Error', message: 'stray' }]);
    expect(second).toEqual({ outcome: { status: 'ok' }, texts: [], faults: [] });
  });

  it('is told where a package ends a process in which nobody listens', async () => {
    const shim = `const emit = Object.assign(globalThis, { emit: process.emit }).emit;
      process.emit = function (...all: [any]) {
        if (all[0] === 'uncaughtException' && process.listeners('uncaughtException').length === 0) process.exit(1);
        return Reflect.apply(emit, this, all);
      } as any;`;
    const { outcome } = await hear(
      `${shim} setTimeout(() => { throw new Error("e") }); await new Promise((resume) => setTimeout(resume, 20))`,
    );
    await hear('process.emit = Reflect.get(globalThis, "emit")');
    expect(outcome).toMatchObject({ status: 'error', fault: { name: 'Error', message: 'e' } });
  });

  it('is told after node:test, too, which hears of it for its tests', async () => {
    const other = new TestNotebook();
    await other.run(`import test from 'node:test';
      await test('ok', () => {});
      const failing = test('stray', () => new Promise(() => setTimeout(() => { throw new Error('in a test') })));
      await failing`);
    const timer =
      'setTimeout(() => { throw new Error("timer") }); await new Promise((resume) => setTimeout(resume, 20))';
    const rejected = 'Promise.reject(new Error("rejected")); 1';
    const heard = [await other.run(timer), await other.run(rejected)].map(({ outcome }) => outcome);
    const listened = await other.run(`process.once('uncaughtException', (e) => console.log(e.message)); ${timer}`);
    await other.close();
    expect(heard).toMatchObject([{ fault: { message: 'timer' } }, { fault: { message: 'rejected' } }]);
    expect(listened.outcome).toEqual({ status: 'ok' });
  });

  describe.each(['', 'process.removeAllListeners("uncaughtException").removeAllListeners("unhandledRejection");'])(
    'where a cell begins with %j',
    (before) => {
      it.each([
        ['uncaughtException', 'setTimeout(() => { throw new Error("e") })', 'e uncaughtException'],
        ['uncaughtException', 'queueMicrotask(() => { throw new Error("e") })', 'e uncaughtException'],
        ['uncaughtException', 'Promise.reject(new Error("e"))', 'e unhandledRejection'],
        ['unhandledRejection', 'void Promise.reject(new Error("e"))', 'e Promise'],
      ])('gives the %s of %s to the listener of a cell alone', async (event, code, told) => {
        const second = event === 'uncaughtException' ? 'String(more)' : 'more.constructor.name';
        const listen = `process.once('${event}', (e: any, more: any) => console.log(e.message, ${second}));`;
        const heard = await hear(`${before} ${listen} ${code}; await new Promise((resume) => setTimeout(resume, 20))`);
        expect(heard).toEqual({ outcome: { status: 'ok' }, texts: [`${told}\n`], faults: [] });
        const { outcome } = await hear(`${before} ${code}; await new Promise((resume) => setTimeout(resume, 20))`);
        expect(outcome).toMatchObject({ status: 'error', fault: { name: 'Error', message: 'e' } });
      });
    },
  );

  it('fails the cell that still runs', async () => {
    const { outcome, faults } = await hear(
      'setTimeout(() => { throw new Error("own") }, 1); await new Promise(() => {})',
    );
    expect(outcome).toMatchObject({ status: 'error', fault: { message: 'own' } });
    expect(faults).toEqual([]);
  });

  it('evaluates expressions after it', async () => {
    const outcome = await notebook.runner.execute('const half = 21', {
      expressions: { twice: 'half * 2', wrong: 'missing', broken: 'a b', awaited: 'await Promise.resolve("x")' },
    });
    expect(outcome).toMatchObject({
      status: 'ok',
      expressions: {
        twice: { status: 'ok', data: { 'text/plain': '42' } },
        wrong: { status: 'error', fault: { name: 'ReferenceError', message: 'missing is not defined' } },
        broken: { status: 'error', fault: { name: 'SyntaxError' } },
        awaited: { status: 'ok', data: { 'text/plain': "'x'" } },
      },
    });
  });

  it('asks for a line, behind what was shown before', async () => {
    const seen: unknown[] = [];
    const outcome = await notebook.runner.execute(
      'console.log("who?"); const name = await input("name: "); console.log(name)',
      {
        onOutput: (event) => seen.push(event.type === 'stream' && event.text),
        onInput: async (request: InputRequest) => {
          seen.push(request);
          return 'Ada';
        },
      },
    );
    expect(outcome).toEqual({ status: 'ok' });
    expect(seen).toEqual(['who?\n', { prompt: 'name: ', isPassword: false }, 'Ada\n']);
  });

  it('says where nobody can be asked', async () => {
    const outcome = await notebook.runner.execute('await input("name: ")');
    expect(outcome).toMatchObject({
      status: 'error',
      fault: { name: 'InputError', message: expect.stringContaining('-p NAME=VALUE') },
    });
  });

  async function hear(code: string): Promise<Heard> {
    const texts: string[] = [];
    const faults: CellFault[] = [];
    const outcome = await notebook.runner.execute(`{\n${code}\n}`, {
      onOutput: (event: OutputEvent) => event.type === 'stream' && texts.push(event.text),
      onFault: (fault) => faults.push(fault),
    });
    return { outcome, texts, faults };
  }
});
