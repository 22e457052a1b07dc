import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CellOutcome, CommEvent } from '../../src/kernel/wire/runner.js';
import { onceOver } from '../support/once-over.js';
import { TestNotebook } from './run-cells.js';

const NEVER = 'await new Promise(() => {})';

/** Cells that never end by themselves; each says once that it has begun. */
const ENDLESS: Record<string, string> = {
  'a loop': 'for (;;);',
  'a promise that never resolves': NEVER,
  'a loop after an await': 'await 1; for (;;);',
  'a loop in an async function': 'const spin = async () => { await 0; await 0; for (;;); }; await spin()',
  'a long wait': 'await new Promise((resolve) => setTimeout(resolve, 1e6))',
  'a long wait by timers/promises': 'await (await import("node:timers/promises")).setTimeout(1e6)',
  'a loop in a timer': `setTimeout(() => { for (;;); }, 1); ${NEVER}`,
  'a loop in an interval': `setInterval(() => { for (;;); }, 1); ${NEVER}`,
  'a loop in an immediate': `setImmediate(() => { for (;;); }); ${NEVER}`,
  'a loop in a microtask': `queueMicrotask(() => { for (;;); }); ${NEVER}`,
  'a loop in a tick': `process.nextTick(() => { for (;;); }); ${NEVER}`,
  'a loop in a promise callback': 'await Promise.resolve().then(() => { for (;;); })',
  'promises without end': `const again = () => Promise.resolve().then(again); again(); ${NEVER}`,
  'ticks without end': `const again = () => process.nextTick(again); again(); ${NEVER}`,
  'many chains of ticks without end': `const again = () => process.nextTick(again); for (let i = 0; i < 9; i++) again(); ${NEVER}`,
  'immediates without end': `const again = () => setImmediate(again); again(); ${NEVER}`,
  'an endless async source': 'for await (const n of (async function* () { for (;;) yield 1; })());',
  'an endless source':
    'const list: number[] = []; for (const n of (function* () { for (;;) yield 1; })()) list.length = n;',
  'a regular expression': '/^(a+)+$/.test("a".repeat(60) + "b")',
  'a wait for memory': 'Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)',
  'a loop that prints': 'for (;;) console.log("x".repeat(100))',
  'a loop of file reads': 'const fs = require("node:fs"); for (;;) fs.statSync("/")',
  'a loop that catches all': 'for (;;) { try { for (;;); } catch {} finally { for (;;); } }',
  'a loop in a display': '({ [Symbol.for("Jupyter.display")]() { for (;;); } })',
  'a display that never comes': 'display({ [Symbol.for("Jupyter.display")]: () => new Promise(() => {}) }); 1',
  'a loop in a getter that is printed': 'console.log({ [Symbol.for("nodejs.util.inspect.custom")]() { for (;;); } })',
  'a loop in an event': `require("node:net").createServer(() => { for (;;); }).listen(0, function (this: any) { require("node:net").connect(this.address().port) }); ${NEVER}`,
  'many things at once': `setInterval(() => {}, 1); setTimeout(() => {}, 1e6); fetch("http://127.0.0.1:1").catch(() => {}); const run = async () => { for (;;) await new Promise(setImmediate); }; run(); ${NEVER}`,
};

describe('interrupt', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());
  // A crash in one test, or a loop that goes on, must not fail those after it, nor its second try.
  beforeEach(async () => {
    const isReady = notebook.run('0').then(({ outcome }) => outcome.status === 'ok');
    if (await Promise.race([isReady, new Promise((resolve) => setTimeout(resolve, 20_000))])) return;
    await notebook.close();
    notebook = new TestNotebook();
  });

  it.each(Object.entries(ENDLESS))('ends %s and keeps the state', { timeout: 60_000 }, async (_, code) => {
    await notebook.value('let kept = 41');
    expect(await interrupted(`process.stdout.write("begun"); kept += 1;\n${code}`)).toMatchObject({
      status: 'error',
      fault: { name: 'Interrupted' },
    });
    expect(await notebook.value('kept')).toBe('42');
    expect(await notebook.value('await new Promise((resolve) => setTimeout(resolve, 2)); await 1; kept + 1')).toBe(
      '43',
    );
  });

  // Once in some ten thousand times, Node ends the process by an assertion of its own where an interrupt comes so early.
  it('ends a loop from its very start', { retry: 2 }, async () => {
    const own = new TestNotebook();
    onTestFinished(() => own.close());
    await own.value('1');
    for (let round = 0; round < 78; round++) {
      const running = own.runner.execute(round % 2 === 0 ? 'for (;;);' : 'await 1; for (;;);');
      await new Promise((resolve) => setTimeout(resolve, (round % 26) / 5));
      own.runner.interrupt();
      expect(await running).toMatchObject({ fault: { name: 'Interrupted' } });
    }
    expect(await own.value('7')).toBe('7');
  });

  it('ends one loop after another in timers of a cell that is over', async () => {
    await begunBy(`for (let i = 0; i < 3; i++) ${onceOver('console.log("begun"); for (;;);')} 0`);
    notebook.runner.interrupt();
    expect(await notebook.value('"runs"')).toBe("'runs'");
  });

  it('ends one cell twenty times in a row, wherever it is', async () => {
    const code =
      'for (let i = 0; ; i++) { if (i % 3) await i; else if (i % 2) await new Promise(setImmediate); else console.log(i); }';
    for (let round = 0; round < 20; round++) {
      expect(await interrupted(`process.stdout.write("begun");${code}`)).toMatchObject({
        fault: { name: 'Interrupted' },
      });
      expect(await notebook.value(`${round}`)).toBe(`${round}`);
    }
  });

  it.each<[string, string]>([
    ['chains of immediates', 'const again = () => setImmediate(again); for (let i = 0; i < 50; i++) again();'],
    ['chains of timers', 'const again = () => setTimeout(again); for (let i = 0; i < 50; i++) again();'],
    ['chains of ticks', 'const again = () => process.nextTick(again); for (let i = 0; i < 9; i++) again();'],
  ])('ends many %s ten times in a row, and leaves those of the cell before', async (_, chains) => {
    await notebook.value('var beats = 0; var heart = setInterval(() => { beats += 1 }, 1)');
    for (let round = 0; round < 10; round++) {
      expect(await interrupted(`{ process.stdout.write("begun"); ${chains} } ${NEVER}`)).toMatchObject({
        fault: { name: 'Interrupted' },
      });
      expect(await notebook.value(`${round}`)).toBe(`${round}`);
    }
    expect(await notebook.value('beats = 0; await new Promise((r) => setTimeout(r, 60)); beats > 0')).toBe('true');
    await notebook.value('clearInterval(heart)');
  });

  it('fails a cell that has begun what never ends behind its last statement', async () => {
    const code = 'const again = (): any => Promise.resolve().then(again); again(); process.stdout.write("begun"); 1';
    for (let round = 0; round < 5; round++) {
      expect(await interrupted(code)).toMatchObject({ status: 'error', fault: { name: 'Interrupted' } });
      expect(await notebook.value(`${round}`)).toBe(`${round}`);
    }
  });

  it('ends what loops though its cell is over', async () => {
    await begunBy(onceOver('console.log("begun"); for (;;);'));
    notebook.runner.interrupt();
    expect(await notebook.value('"runs"')).toBe("'runs'");
  });

  it.each([1, 2])(
    'ends a loop that an interrupted cell has left to an event, and no short work, after %i interrupts',
    async (times) => {
      const ends = (ms: number, task: string): string =>
        `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, ${ms})']).once('exit', () => { ${task} });`;
      const short = 'for (const until = Date.now() + 20; Date.now() < until; ); worked = true;';
      const code = `var worked = false; process.stdout.write("begun"); ${ends(150, short)} ${ends(400, 'for (;;);')} ${NEVER}`;
      expect(await interrupted(code)).toMatchObject({ fault: { name: 'Interrupted' } });
      if (times > 1) notebook.runner.interrupt();
      // The next cell runs when the loop begins.
      expect(await notebook.value('await new Promise((resolve) => setTimeout(resolve, 900)); worked')).toBe('true');
      expect(await notebook.value('"runs"')).toBe("'runs'");
    },
  );

  it('tells of a loop that displays, though its cell is over', async () => {
    const faults: string[] = [];
    const printed: string[] = [];
    const loop = "for (;;) display({ [Symbol.for('Jupyter.display')]() { for (;;); } });";
    const code = `const say = require('node:async_hooks').AsyncResource.bind(() => console.log('said'));
${onceOver(`console.log('begun'); ${loop}`)}`;
    await notebook.runner.execute(code, {
      onOutput: (event) => event.type === 'stream' && printed.push(event.text),
      onFault: (fault) => faults.push(fault.name),
    });
    await vi.waitUntil(() => printed.length > 0, 30_000);
    notebook.runner.interrupt();
    expect(await notebook.value('say(); "runs"')).toBe("'runs'");
    expect([faults, printed]).toEqual([['Interrupted'], ['begun\n', 'said\n']]);
  });

  it('ends a handler of a comm that displays for ever', async () => {
    await notebook.value(
      "comms.on('t', () => { console.log('begun'); for (;;) display({ [Symbol.for('Jupyter.display')]() { for (;;); } }); }); 0",
    );
    let handled: Promise<void> | undefined;
    await new Promise<void>((begun) => {
      const comm: CommEvent = { kind: 'open', id: 'x', target: 't', data: 0 };
      handled = notebook.runner.sendComm(comm, { onOutput: () => begun() });
    });
    notebook.runner.interrupt();
    await handled;
    expect(await notebook.value('"runs"')).toBe("'runs'");
  });

  it.each(['', 'await 1;', 'await new Promise((resolve) => setTimeout(resolve, 5));'])(
    'tells who sent a comm message that its handler was interrupted: %s',
    async (first) => {
      await notebook.value(`comms.on('t', async () => { ${first} for (;;); }); 0`);
      const faults: string[] = [];
      void notebook.runner.sendComm(
        { kind: 'open', id: 'x', target: 't', data: 0 },
        { onFault: (fault) => faults.push(fault.name) },
      );
      await new Promise((resolve) => setTimeout(resolve, 60));
      notebook.runner.interrupt();
      await expect.poll(() => faults).toEqual(['Interrupted']);
      expect(await notebook.value('"runs"')).toBe("'runs'");
    },
  );

  it('blames an earlier cell for its own loop and leaves the last one alone', async () => {
    const faults: string[] = [];
    await notebook.runner.execute('setTimeout(() => { for (;;); }, 60)', { onFault: () => faults.push('earlier') });
    await notebook.runner.execute('var rang = false; setTimeout(() => { rang = true; }, 90); 0', {
      onFault: () => faults.push('last'),
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    notebook.runner.interrupt();
    await expect.poll(() => faults).toEqual(['earlier']);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await notebook.value('rang')).toBe('true');
  });

  // Once in some hundred times, Node ends the process by an assertion of its own where the stack is full.
  it('ends a recursion that catches its own overflow and loops', async () => {
    const own = new TestNotebook();
    onTestFinished(() => own.close());
    const code = 'const deep = () => { try { deep(); } catch { for (;;); } }; deep()';
    expect(await interrupted(`process.stdout.write("begun");${code}`, own)).toMatchObject({
      fault: { name: 'Interrupted' },
    });
    expect(await own.value('"runs"')).toBe("'runs'");
  });

  it('does nothing to a runner that is idle', async () => {
    for (let round = 0; round < 200; round++) {
      notebook.runner.interrupt();
      expect(await notebook.value('await 1; 5')).toBe('5');
      notebook.runner.interrupt();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await notebook.value('6')).toBe('6');
  });

  it('cancels what the cell had begun', async () => {
    await interrupted(`var ticks = 0; setInterval(() => { ticks += 1 }, 1);
setTimeout(() => { ticks += 1000 }, 600);
process.stdout.write("begun");
await new Promise((resolve) => setTimeout(resolve, 600)); ticks += 1000`);
    const before = Number(await notebook.value('ticks'));
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(Number(await notebook.value('ticks'))).toBe(before);
  });

  it('leaves alone what earlier cells had begun', async () => {
    await notebook.value('var beats = 0; var heart = setInterval(() => { beats += 1 }, 1)');
    await interrupted('process.stdout.write("begun"); for (;;);');
    const before = Number(await notebook.value('beats'));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(Number(await notebook.value('beats'))).toBeGreaterThan(before);
    await notebook.value('clearInterval(heart)');
  });

  async function interrupted(code: string, on = notebook): Promise<CellOutcome> {
    const { running } = await begunBy(code, on);
    // What the cell has set going is in its loop by then.
    await new Promise((resolve) => setTimeout(resolve, 30));
    on.runner.interrupt();
    return running;
  }

  /** Runs a cell; resolves once it, or what it leaves behind, has printed something, or it has failed. */
  async function begunBy(code: string, on = notebook): Promise<{ running: Promise<CellOutcome> }> {
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const running = on.runner.execute(code, { onOutput: ({ type }) => type === 'stream' && begin() });
    const failed = running.then(({ status }) => (status === 'error' ? undefined : begun));
    await Promise.race([begun, failed]);
    return { running };
  }
});
