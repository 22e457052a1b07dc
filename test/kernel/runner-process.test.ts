import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startRunner } from '../../src/kernel/runner-process.js';
import { packageRoot } from '../../src/package-root.js';
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

  it('ends though a child of the cell lives on and holds its streams', async () => {
    const notebook = new TestNotebook();
    const { outcome } = await notebook.run(
      'require("node:child_process").spawn("sleep", ["3"], { stdio: "inherit", detached: true }).unref(); process.exit(1)',
    );
    expect(outcome).toMatchObject({ fault: { name: 'ProcessExit' } });
    expect(await notebook.runner.ended).toMatchObject({ name: 'ProcessExit' });
    await notebook.close();
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

  it('keeps what was printed before the process ended', async () => {
    const notebook = new TestNotebook();
    const { events } = await notebook.run('console.log("a"); console.error("b"); process.exit(0)');
    expect(events).toEqual([
      { type: 'stream', name: 'stdout', text: 'a\n' },
      { type: 'stream', name: 'stderr', text: 'b\n' },
    ]);
    await notebook.close();
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
      const main = join(packageRoot(), 'dist', 'kernel', 'runner', 'main.js');
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
