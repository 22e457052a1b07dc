import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { RunnerKeeper } from '../../../src/kernel/session/runner-keeper.js';
import type { CellFault, Runner } from '../../../src/kernel/wire/runner.js';
import { onceOver } from '../../support/once-over.js';
import { inShort, TestSession } from './test-session.js';

/** A session for the current test. */
function startSession(): TestSession {
  const kernel = new TestSession();
  onTestFinished(() => kernel.close());
  return kernel;
}

const ANEW =
  'stream A new process runs the cells from now on, with a fresh state: run those again that define what you need.\n';

it('starts anew when a cell ends its process', async () => {
  const kernel = startSession();
  await kernel.run('var kept = 1');
  expect(inShort(await kernel.run('process.exit(3)')).slice(2)).toEqual([
    'error ProcessExit',
    ANEW,
    'execute_reply error',
    'status idle',
  ]);
  expect(inShort(await kernel.run('typeof kept'))).toEqual([
    'status busy',
    'execute_input 3',
    "execute_result 'undefined'",
    'execute_reply ok',
    'status idle',
  ]);
});

it('says under the cell before, and with the next that shows anything, that the process has ended between two', async () => {
  const kernel = startSession();
  const before = kernel.post('execute_request', { code: `var kept = 1; ${onceOver('process.exit(3)')}` });
  await kernel.seen('This was between two cells');
  expect(kernel.said.at(-1)).toMatchObject({ parent: before, content: { name: 'stderr' } });
  await kernel.run('0', { silent: true });
  const said = inShort(await kernel.run('typeof kept'));
  expect(said[2]).toMatch(/^stream ProcessExit: .* This was between two cells\. A new process runs the cells/);
  expect(said[3]).toBe("execute_result 'undefined'");
  expect(inShort(await kernel.run('1'))[2]).toBe('execute_result 1');
});

it('hears that the process has ended between two cells, also behind one that could not be handed over', async () => {
  let end: (fault: CellFault) => void = () => {};
  const ended = new Promise<CellFault>((resolve) => {
    end = resolve;
  });
  const runner = { isAlive: true, ended, execute: () => Promise.reject(new RangeError('too long')) };
  const lost: (CellFault | undefined)[] = [];
  const keeper = new RunnerKeeper(
    () => runner as Partial<Runner> as Runner,
    () => 'It is gone.',
    (between) => lost.push(between),
  );
  await expect(keeper.execute('1', { name: 'cell 1' })).rejects.toThrow('too long');
  const fault = { name: 'ProcessExit', message: 'It ended.', traceback: [] };
  end(fault);
  await ended;
  expect(lost).toEqual([fault]);
});

it('does not promise a new process where its folder is gone, and starts one once it is back', async () => {
  const kernel = startSession();
  await kernel.run('1');
  rmSync(kernel.folder, { recursive: true });
  expect(inShort(await kernel.run('process.exit(3)')).slice(2, 4)).toEqual([
    'error ProcessExit',
    'stream It is gone.\n',
  ]);
  const said = await kernel.run('2');
  expect(inShort(said)[2]).toBe('error ProcessCrash');
  expect(said[2]?.content.evalue).toBe('It is gone.');
  mkdirSync(kernel.folder);
  expect(inShort(await kernel.run('3'))[2]).toBe('execute_result 3');
});

it('interrupts what a cell that is over has left behind', async () => {
  const kernel = startSession();
  await kernel.run(`var kept = 1; ${onceOver('console.log("in"); const now = Date.now; for (;;) now();')}`);
  await kernel.seen('in');
  await kernel.idle(kernel.post('interrupt_request', {}, 'control'));
  expect(inShort(await kernel.run('kept'))[2]).toBe('execute_result 1');
});

it('interrupts a cell, aborts what waits, and keeps the state', async () => {
  const kernel = startSession();
  await kernel.run('var kept = 1');
  const loop = kernel.post('execute_request', {
    code: 'console.log("in"); await new Promise(setImmediate); for (;;);',
  });
  const behind = kernel.post('execute_request', { code: '2' });
  await kernel.seen('in');
  expect(inShort(await kernel.idle(kernel.post('interrupt_request', {}, 'control')))).toContain('interrupt_reply ok');
  expect(inShort(await kernel.idle(loop)).slice(-3)).toEqual([
    'error Interrupted',
    'execute_reply error',
    'status idle',
  ]);
  expect(inShort(await kernel.idle(behind))).toContain('execute_reply aborted');
  expect(inShort(await kernel.run('kept'))[2]).toBe('execute_result 1');
});

it('spares a cell that was sent after the interrupt but arrived before it', async () => {
  const kernel = startSession();
  await kernel.run(onceOver('console.log("in"); for (;;);'));
  await kernel.seen('in');
  const sent = Date.now();
  const dateAfterMs = (ms: number): string => new Date(sent + ms).toISOString();
  const next = kernel.post('execute_request', { code: '3 + 3' }, 'shell', dateAfterMs(2));
  kernel.post('interrupt_request', {}, 'control', dateAfterMs(1));
  expect(inShort(await kernel.idle(next))).toContain('execute_result 6');
  const loop = kernel.post('execute_request', { code: 'for (;;);' }, 'shell', dateAfterMs(3));
  kernel.post('interrupt_request', {}, 'control', dateAfterMs(2));
  kernel.post('interrupt_request', {}, 'control', dateAfterMs(3));
  expect(inShort(await kernel.idle(loop))).toContain('error Interrupted');
});

it('ends a native call that does not give way at the second interrupt', async () => {
  const kernel = startSession();
  const pipe = `/tmp/oddslab-pipe-${process.pid}`;
  execFileSync('mkfifo', [pipe]);
  onTestFinished(() => rmSync(pipe));
  // Nobody ever writes to it.
  const code = `console.log('in'); await new Promise(setImmediate); require('node:fs').readFileSync('${pipe}')`;
  const stuck = kernel.post('execute_request', { code });
  await kernel.seen('in');
  kernel.session.interrupt();
  await kernel.seen('does not give way');
  kernel.session.interrupt();
  expect(inShort(await kernel.idle(stuck)).slice(-4)).toEqual([
    'error Interrupted',
    ANEW,
    'execute_reply error',
    'status idle',
  ]);
  expect(inShort(await kernel.run('1'))[2]).toBe('execute_result 1');
});

it('says of a command that ignores an interrupt what the second does, which ends the command alone', async () => {
  const kernel = startSession();
  await kernel.run('let kept = 1;');
  const code = `require('node:child_process').execSync('trap "" INT; echo in; sleep 60', { stdio: 'inherit' })`;
  const waiting = kernel.post('execute_request', { code });
  await kernel.seen('in');
  kernel.session.interrupt();
  await kernel.seen('goes on');
  const says = kernel.said.map(({ content }) => String(content.text)).find((text) => text.includes('goes on'));
  expect(says).toBe(
    'The command for which the cell waits goes on: it was asked to end (SIGINT). Interrupt once more to end it by force (SIGKILL); what is defined stays.\n',
  );
  kernel.session.interrupt();
  expect(inShort(await kernel.idle(waiting))).toContain('error Interrupted');
  expect(inShort(await kernel.run('kept'))[2]).toBe('execute_result 1');
});

it('answers at once while a cell runs, and shows as busy again', async () => {
  const kernel = startSession();
  const long = kernel.post('execute_request', { code: 'console.log("in"); await new Promise(() => {})' });
  await kernel.seen('in');
  const before = kernel.said.length;
  expect(await kernel.ask('is_complete_request', { code: 'f(' })).toEqual({ status: 'incomplete', indent: '  ' });
  expect(await kernel.ask('kernel_info_request')).toEqual({ status: 'ok', implementation: 'test' });
  expect(await kernel.ask('comm_info_request')).toEqual({ status: 'ok', comms: {} });
  expect(await kernel.ask('connect_request')).toEqual({ status: 'ok', shell_port: 1 });
  const last = kernel.said.at(-1);
  expect([last?.content.execution_state, last?.parent]).toEqual(['busy', long]);
  expect(kernel.said.slice(before).filter(({ parent }) => parent === long).length).toBe(4);
  kernel.session.interrupt();
  await kernel.idle(long);
});

it('answers what it cannot do', async () => {
  const kernel = startSession();
  const said = await kernel.idle(
    kernel.post('debug_request', { seq: 4, command: 'initialize', type: 'request' }, 'control'),
  );
  expect(said.find(({ type }) => type === 'debug_reply')?.content).toEqual({
    status: 'ok',
    type: 'response',
    seq: 0,
    request_seq: 4,
    command: 'initialize',
    success: false,
    message:
      'This kernel has no debugger. Of the debug requests it answers inspectVariables, richInspectVariables, variables and debugInfo.',
  });
});

it('shuts down once it has answered, to all', async () => {
  const kernel = startSession();
  const said = await kernel.idle(kernel.post('shutdown_request', { restart: true }, 'control'));
  const content = { status: 'ok', restart: true };
  expect(
    said.filter(({ type }) => type === 'shutdown_reply').map(({ channel, content }) => ({ channel, content })),
  ).toEqual([
    { channel: 'control', content },
    { channel: 'iopub', content },
  ]);
  expect(kernel.logged).toEqual(['shut down']);
});
