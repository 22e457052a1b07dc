import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as afterMs } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INTERRUPTED } from '../../src/kernel/wire/runner.js';
import { onceOver } from '../support/once-over.js';
import type { JupyterClient } from './jupyter-client.js';
import { isRunning, processTree } from './process-tree.js';
import { startKernel, startKernelIn } from './start-kernel.js';

const GRACE_MS = 5000;
const SETTLE_MS = 200;

/** Resolves once none of the processes runs, or with those that still do after a while. */
async function remaining(ids: readonly number[]): Promise<number[]> {
  const until = Date.now() + GRACE_MS;
  while (ids.some(isRunning) && Date.now() < until) await afterMs(20);
  return ids.filter(isRunning);
}

/** Runs a cell that hangs, and interrupts it once it does. */
async function interrupted(client: JupyterClient, code: string) {
  const running = client.execute(code);
  await client.waitFor(({ header }) => header.msg_type === 'execute_input');
  await afterMs(SETTLE_MS);
  await client.interrupt();
  return running;
}

/** One kernel for all that a kernel gets over: nothing of it may show afterwards. */
let client: JupyterClient;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-survival-'));
  client = await startKernelIn(folder);
});
afterAll(async () => {
  await client?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('an interrupt ends the cell and keeps the state', () => {
  test.each([
    ['a loop', 'console.log(1); for (;;) {}'],
    ['an await that never resolves', 'console.log(1); await new Promise(() => {})'],
    ['a loop after an await', 'console.log(1); await null; await new Promise((f) => setTimeout(f, 1)); for (;;) {}'],
    ['a loop in an async function', 'async function spin() { await null; console.log(1); for (;;) {} }\nawait spin()'],
    ['a long await', 'console.log(1); await new Promise((done) => setTimeout(done, 600_000))'],
    ['a loop in a timer', 'setTimeout(() => { console.log(1); for (;;) {} }, 1); await new Promise(() => {})'],
    ['a loop that catches', 'console.log(1); for (;;) { try { for (;;) {} } catch {} }'],
    [
      'a loop of microtasks',
      'console.log(1); const again = (): Promise<void> => Promise.resolve().then(again); await again()',
    ],
    ['a line that is asked for', 'console.log(1); await new Promise((done) => process.once("never", done))'],
  ])('%s', async (_, code) => {
    await client.execute('let kept = { n: 1 }; const tick = () => ++kept.n;');
    for (let round = 0; round < 2; round++) {
      const { status, error } = await interrupted(
        client,
        code.replace('function spin', `function spin${round}`).replace('await spin()', `await spin${round}()`),
      );
      expect({ status, ename: error?.ename }).toEqual({ status: 'error', ename: INTERRUPTED });
    }
    expect((await client.execute('tick()')).result).toBe('2');
    expect(
      (await client.execute('await new Promise<string>((done) => setTimeout(() => done("timers run"), 1))')).result,
    ).toBe("'timers run'");
  });

  test('of a timer that loops once its cell is over', async () => {
    const loops = client.waitFor(({ content }) => content.text === 'loops\n');
    await client.execute(`let kept = 1; ${onceOver('console.log("loops"); for (;;) {}')} 0`);
    await loops;
    await client.interrupt();
    expect((await client.execute('kept')).result).toBe('1');
  });

  test('nothing happens where no cell runs', async () => {
    await client.execute('let kept = 1');
    for (let i = 0; i < 3; i++) await client.interrupt();
    expect((await client.execute('kept')).result).toBe('1');
  });

  test('cells that wait behind the one that is interrupted are aborted', async () => {
    const running = interrupted(client, 'console.log(1); for (;;) {}');
    const behind = client.execute('"not run"');
    expect([(await running).status, (await behind).status]).toEqual(['error', 'aborted']);
    expect((await client.execute('"runs"')).result).toBe("'runs'");
  });
});

describe("the end of the user's code is not the end of the kernel", () => {
  test.each([
    ['process.exit', 'console.log("said before"); process.exit(3)'],
    ['an abort', 'console.log("said before"); await new Promise((f) => setTimeout(f, 50)); process.abort()'],
    [
      'a kill',
      'console.log("said before"); await new Promise((f) => setTimeout(f, 50)); process.kill(process.pid, "SIGKILL"); await new Promise(() => {})',
    ],
    [
      'too much memory',
      'console.log("said before"); await new Promise((f) => setTimeout(f, 50)); const all: number[][] = []; for (;;) all.push(new Array(1e5).fill(1.5))',
      { NODE_OPTIONS: '--max-old-space-size=64' },
    ],
  ])('%s', async (_, code, env?: NodeJS.ProcessEnv) => {
    const own = env ? await startKernel({ env }) : client;
    await own.execute('let kept = 1');
    const [ended, behind] = await Promise.all([own.execute(code), own.execute('"aborted"')]);
    expect({ status: ended.status, behind: behind.status }).toEqual({ status: 'error', behind: 'aborted' });
    expect(ended.stdout).toBe('said before\n');
    expect(String(ended.error?.evalue)).not.toBe('');
    expect((await own.execute('typeof kept')).result).toBe("'undefined'");
    expect((await own.execute('1 + 1')).result).toBe('2');
    expect(own.process.hasEnded).toBe(false);
  });

  test.each([
    ['a rejection', 'void Promise.reject(new RangeError("late")); "value"'],
    ['an exception of a timer', 'setTimeout(() => { throw new RangeError("late") }, 1); "value"'],
    ['an exception of an emitter', 'setImmediate(() => { throw new RangeError("late") }); "value"'],
  ])('%s that nobody awaits is shown under its cell', async (_, code) => {
    await client.execute('let kept = 1');
    const said = client.waitFor(({ content }) => JSON.stringify(content).includes('RangeError: late'));
    const { request, status } = await client.execute(code);
    expect((await said).parent_header).toEqual(request.header);
    expect(['ok', 'error']).toContain(status);
    expect((await client.execute('kept')).result).toBe('1');
  });
});

describe('a shutdown leaves no process', () => {
  test.each([
    ['at rest', '1'],
    [
      'with a timer and a server',
      'import { createServer } from "node:http"; createServer().listen(0, "127.0.0.1"); setInterval(() => {}, 10); 1',
    ],
    [
      'with a child',
      'import { spawn } from "node:child_process"; spawn(process.execPath, ["-e", "setInterval(() => {}, 99)"]); 1',
    ],
    [
      'with a child that shares its streams',
      'import { spawn } from "node:child_process"; spawn("sleep", ["600"], { stdio: "inherit" }); 1',
    ],
    ['with a handler of signals', 'process.on("SIGTERM", () => {}); process.on("SIGINT", () => {}); 1'],
    ['with a worker', 'import { Worker } from "node:worker_threads"; new Worker("for (;;) {}", { eval: true }); 1'],
  ])('%s', async (_, code) => {
    const client = await startKernel();
    expect((await client.execute(code)).status).toBe('ok');
    const ids = processTree(client.process.pid);
    const { content } = await client.shutdown();
    expect(content).toEqual({ status: 'ok', restart: false });
    expect(await client.process.ended).toBe(0);
    expect(await remaining(ids)).toEqual([]);
  });

  test('while a cell loops', async () => {
    const client = await startKernel({ env: { ODDSLAB_TYPES: 'warn' } });
    void client.execute('console.log(1); for (;;) {}').catch(() => {});
    await afterMs(SETTLE_MS);
    const ids = processTree(client.process.pid);
    await client.shutdown();
    expect(await remaining(ids)).toEqual([]);
  });

  test('nor does a kill of the kernel, with a timer, a child, and a child that it left', async () => {
    const client = await startKernel({ env: { ODDSLAB_TYPES: 'warn' } });
    await client.execute(
      'setInterval(() => {}, 10); import { spawn } from "node:child_process"; spawn("sleep", ["600"])',
    );
    await client.execute('spawn("sleep", ["600"]).unref()');
    const ids = processTree(client.process.pid);
    client.process.signal('SIGKILL');
    expect(await remaining(ids)).toEqual([]);
  });

  test('nor does SIGTERM', async () => {
    const client = await startKernel();
    await client.execute('setInterval(() => {}, 10); 1');
    const ids = processTree(client.process.pid);
    client.process.signal('SIGTERM');
    expect(await remaining(ids)).toEqual([]);
  });
});
