import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/base/packages.js';
import { startRunner } from '../../src/kernel/runner-process.js';
import { withoutNative } from '../support/without-native.js';
import { TestNotebook } from './run-cells.js';

describe('startRunner', () => {
  it.each([
    [
      'console.log("before"); process.exit(3)',
      'ProcessExit',
      'The cell ended its process by process.exit(3). Everything that the cells had defined is gone.',
    ],
    [
      'console.log("before"); process.abort()',
      'ProcessCrash',
      'The process that runs the cells was ended by the signal SIGABRT. Everything that the cells had defined is gone.',
    ],
    [
      'console.log("before"); process.kill(process.pid, "SIGSEGV"); await new Promise(() => {})',
      'ProcessCrash',
      'The process that runs the cells was ended by the signal SIGSEGV. Everything that the cells had defined is gone.',
    ],
  ])('says how the process ended: %s', async (code, name, message) => {
    const notebook = new TestNotebook();
    const { outcome } = await notebook.run(code);
    expect(outcome).toEqual({ status: 'error', fault: { name, message, traceback: [`${name}: ${message}`] } });
    expect((await notebook.run('1')).outcome).toEqual(outcome);
    await notebook.close();
  });

  it.each([
    ['--nonsense', () => '--nonsense', /--nonsense is not allowed in NODE_OPTIONS$/],
    [
      'without its transform',
      () => withoutNative(/^oxc-transform$/),
      /oxc-transform cannot be loaded on .*install again/,
    ],
    ['without its parser', () => withoutNative(/^oxc-parser$/), /oxc-parser cannot be loaded on .*npm install again/],
  ])('says why the process could not start: %s', async (_, options, why) => {
    const runner = startRunner({ cwd: packageRoot(), env: { ...process.env, NODE_OPTIONS: await options() } });
    const written: unknown[] = [];
    const outcome = await runner.execute('1', { onOutput: (event) => written.push(event) });
    const message = outcome.status === 'error' ? outcome.fault.message : '';
    expect([message, written]).toEqual([expect.stringMatching(why), []]);
    expect(message).toMatch(/^The process that runs the cells could not start: [^\n]+$/);
    await runner.close();
  });

  it('does not tell under a cell where its debugger listens, or that another process has its port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const env = { ...process.env, NODE_OPTIONS: `--inspect=127.0.0.1:${port}` };
    const runner = startRunner({ cwd: packageRoot(), env });
    const written: unknown[] = [];
    const { status } = await runner.execute('require("node:inspector").url()', {
      onOutput: (event) => written.push(event),
    });
    expect([status, written]).toEqual([
      'ok',
      [expect.objectContaining({ type: 'result', data: { 'text/plain': expect.stringContaining('ws://127.0.0.1') } })],
    ]);
    await runner.close();
  });

  it('ends though a child of the cell lives on and holds its streams', async () => {
    const notebook = new TestNotebook();
    const { outcome } = await notebook.run(
      'require("node:child_process").spawn("sleep", ["3"], { stdio: "inherit", detached: true }).unref(); process.exit(1)',
    );
    expect(outcome).toMatchObject({ fault: { name: 'ProcessExit' } });
    expect(await notebook.runner.ended).toMatchObject({ name: 'ProcessExit' });
    await notebook.close();
  });

  it.each(['', 'process.exit(1)', 'process.kill(process.pid, "SIGKILL"); await new Promise(() => {})'])(
    'ends what the cells have started, but for what is detached, after: %s',
    async (end) => {
      const notebook = new TestNotebook();
      const start = (options: string): string =>
        `require("node:child_process").spawn("sleep", ["60"], { stdio: "ignore"${options} }).pid`;
      const child = Number(await notebook.value(start('')));
      const detached = Number(await notebook.value(start(', detached: true')));
      if (end !== '') await notebook.run(end);
      await notebook.close();
      while (isRunning(child)) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(isRunning(detached)).toBe(true);
      process.kill(detached);
    },
  );

  it('keeps what was printed before the process ended, and says nothing of a debugger', async () => {
    for (let round = 0; round < 4; round++) {
      const notebook = new TestNotebook();
      expect((await notebook.run('console.log("a"); console.error("b"); process.exit(0)')).events).toEqual([
        { type: 'stream', name: 'stdout', text: 'a\n' },
        { type: 'stream', name: 'stderr', text: 'b\n' },
      ]);
      await notebook.close();
    }
  });

  it('says how to raise the limit of memory, without what V8 prints', async () => {
    const runner = startRunner({
      cwd: packageRoot(),
      env: { ...process.env, NODE_OPTIONS: '--max-old-space-size=32' },
    });
    const shown: unknown[] = [];
    const outcome = await runner.execute('const all: unknown[] = []; for (;;) all.push(new Array(1000).fill({}))', {
      onOutput: (event) => shown.push(event),
    });
    expect(outcome).toMatchObject({ fault: { message: expect.stringContaining('--max-old-space-size') } });
    expect(shown).toEqual([]);
    await runner.close();
  });

  it('does not take a word of memory that a child says for its own', async () => {
    const notebook = new TestNotebook();
    const words = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory';
    const said = (text: string): string =>
      `require("node:child_process").execSync(${JSON.stringify(`echo '${text}' >&2`)}, { stdio: "inherit" });`;
    const shown = (text: string): unknown => ({ type: 'stream', name: 'stderr', text: `${text}\n` });
    expect((await notebook.run(`${said(words)} undefined`)).events).toEqual([shown(words)]);
    expect((await notebook.run(`${said('later')} undefined`)).events).toEqual([shown('later')]);
    const { outcome, events } = await notebook.run(
      `${said(words)} process.kill(process.pid, "SIGKILL"); await new Promise(() => {})`,
    );
    expect(outcome).toMatchObject({ fault: { name: 'ProcessCrash' } });
    expect(events).toEqual([shown(words)]);
    await notebook.close();
  });

  it('leads a group of its own, so that a signal to the group of its parent does not end it', async () => {
    const notebook = new TestNotebook();
    const code = 'Number(require("node:child_process").execSync("ps -o pgid= -p " + process.pid)) === process.pid';
    expect(await notebook.value(code)).toBe('true');
    await notebook.close();
  });

  it('says that its folder is gone', async () => {
    const cwd = join(tmpdir(), 'oddslab-no-such-folder');
    const fault = await startRunner({ cwd }).ended;
    expect(fault).toMatchObject({ message: expect.stringContaining(`its folder ${cwd} is gone`) });
  });

  it.each(['setInterval(() => {}, 10); require("net").createServer().listen(0)', '1'])(
    'closes with alive: %s',
    async (code) => {
      const notebook = new TestNotebook();
      const pid = Number(await notebook.value(`${code}; process.pid`));
      await notebook.close();
      expect(isRunning(pid)).toBe(false);
    },
  );

  it.each(['await new Promise(() => {})', 'setTimeout(() => { for (;;); }, 1)'])(
    'dies with its parent during: %s',
    async (code) => {
      const main = join(packageRoot(), 'dist', 'kernel', 'runner', 'main.cjs');
      const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT, main, code], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [said] = await once(parent.stdout, 'data');
      const pid = Number(String(said));
      expect(isRunning(pid)).toBe(true);
      parent.kill('SIGKILL');
      while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  );
});

/** A parent that starts a runner on one cell, tells its process id, and does nothing more. */
const PARENT = `
import { spawn } from 'node:child_process';
const [main, code] = process.argv.slice(1);
const child = spawn(process.execPath, ['--experimental-vm-modules', main], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
child.stdio[3].once('data', () => {
  const body = Buffer.from(JSON.stringify({ type: 'execute', id: 1, code, name: 'cell' }));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  child.stdio[4].write(Buffer.concat([head, body]));
  setTimeout(() => console.log(child.pid), 300);
});
`;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
