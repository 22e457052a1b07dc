import { setTimeout as afterMs } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestNotebook } from './run-cells.js';

/** Cells that wait for a promise that an earlier cell settles by `answer` or `refuse`. */
const WAITING: Record<string, string> = {
  'a value': 'await asked; went += 1',
  'a value within an expression': 'went += 1 + (await asked as number)',
  'an error that is caught': 'try { await asked; } catch { went += 1 }',
  'an error and what comes finally': 'try { await asked; } finally { went += 1 }',
  'the next of many': 'for await (const each of many()) { went += 1 }',
  'the end of many': 'for await (const each of many()) ;\nwent += 1',
};

describe('a cell that was interrupted while it awaited', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  it.each(
    Object.entries(WAITING).flatMap(([what, code]) => [
      [what, 'answer(1)', code],
      [what, 'refuse(new Error("late"))', code],
    ]),
  )('does not go on with %s after %s', async (_, settle, code) => {
    await notebook.value(`var went = 0, answer: any, refuse: any;
var asked = new Promise((resolve, reject) => { answer = resolve; refuse = reject; });
var many = async function* () { yield await asked; };`);
    const running = notebook.run(code);
    await afterMs(60);
    notebook.runner.interrupt();
    expect((await running).outcome).toMatchObject({ fault: { name: 'Interrupted' } });
    expect(await notebook.value(`${settle}; await new Promise((done) => setTimeout(done, 5)); went`)).toBe('0');
  });

  it('still does in peace what takes a while, after it was interrupted', async () => {
    const running = notebook.run(`import { createServer } from 'node:http';
var server = createServer((_, answer) => {
  for (const until = performance.now() + 300; performance.now() < until; ) { }
  answer.end('served');
}).listen(0, '127.0.0.1');
await new Promise(() => {})`);
    await afterMs(100);
    notebook.runner.interrupt();
    expect((await running).outcome).toMatchObject({ fault: { name: 'Interrupted' } });
    const ask = "const { port } = server.address() as any; await (await fetch('http://127.0.0.1:' + port)).text()";
    expect(await notebook.value(ask)).toBe("'served'");
    await notebook.value('server.closeAllConnections(); server.close(); 0');
  });

  it.each([
    [
      'the module domain',
      'import domain from "node:domain"; var late = domain.create(); late.on("error", ({ message }) => heard.push(message))',
    ],
    [
      'what captures uncaught errors',
      'var late = { run: (call: () => void) => call() }; process.setUncaughtExceptionCaptureCallback(({ message }) => heard.push(message))',
    ],
  ])('ends in peace beside %s, which still hears of errors', async (_, listen) => {
    const own = new TestNotebook();
    onTestFinished(() => own.close());
    await own.value(`var heard: string[] = []; ${listen}; 0`);
    for (let round = 0; round < 2; round++) {
      const running = own.run('await 1; for (;;);');
      await afterMs(100);
      own.runner.interrupt();
      expect((await running).outcome).toMatchObject({ fault: { name: 'Interrupted' } });
    }
    await own.value('late.run(() => setTimeout(() => { throw new Error("late") }, 1)); 0');
    expect(await own.value('await new Promise((done) => setTimeout(done, 50)); heard')).toBe("[ 'late' ]");
  });

  it('takes no turn more than a module for each await', async () => {
    const { events } = await notebook.run(
      'void Promise.resolve().then(() => console.log("a")).then(() => console.log("b")); await null; console.log("c");',
    );
    expect(events).toEqual([{ type: 'stream', name: 'stdout', text: 'a\nc\nb\n' }]);
  });

  it('gives awaits their value and their place in every expression', async () => {
    expect(
      await notebook.value('var one = 1 + await 1; let two = [await one, ...await Promise.all([3])]; -(await two[0]!)'),
    ).toBe('-2');
    expect(await notebook.value('1 + await await Promise.resolve(2)')).toBe('3');
    const { outcome } = await notebook.run('const fine = await 1;\nlet x = 1 + await Promise.reject(new Error("no"))');
    expect(outcome).toMatchObject({ fault: { message: 'no', at: { line: 2, column: 34 } } });
  });
});
