import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CellOutcome } from '../../src/kernel/wire/runner.js';
import { isAbsent } from '../support/is-absent.js';
import { TestNotebook } from './run-cells.js';

describe('an interrupt of a cell that waits for a command', () => {
  let notebook: TestNotebook;
  beforeEach(() => {
    notebook = new TestNotebook();
  });
  afterEach(() => notebook.close());

  /** Runs a cell, and interrupts it each time that its command prints a line. */
  async function interrupted(code: string): Promise<CellOutcome> {
    return (await shown(code)).outcome;
  }

  /** The same, with the value that the cell shows. */
  async function shown(code: string): Promise<{ outcome: CellOutcome; result?: unknown }> {
    let interrupts = 0;
    let result: unknown;
    const outcome = await notebook.runner.execute(code, {
      name: 'cell',
      onOutput: (event) => {
        if (event.type === 'result') result = event.data['text/plain'];
        if (event.type !== 'stream') return;
        for (const _ of event.text.matchAll(/ready/g)) setTimeout(() => notebook.runner.interrupt(), 50 * ++interrupts);
      },
    });
    return { outcome, result };
  }
  const INTERRUPTED = { status: 'error', fault: { name: 'Interrupted' } };
  const IMPORTS = "import { execFileSync, execSync, spawn, spawnSync } from 'node:child_process'; let state = 1;";

  it.each([
    ['execSync', "execSync('echo ready; sleep 600', { stdio: 'inherit' })"],
    [
      'a shell with several commands',
      "execSync('echo ready >&2; (sleep 600; echo x) | cat; sleep 600; echo y', { stdio: ['ignore', 'pipe', 'inherit'] })",
    ],
    ['execFileSync', "execFileSync('sh', ['-c', 'echo ready; exec sleep 600'], { stdio: 'inherit' })"],
    ['spawnSync', "spawnSync('sh', ['-c', 'echo ready; sleep 600'], { stdio: 'inherit' })"],
  ])('ends the command, and the state stays: %s', async (_, call) => {
    await notebook.run(IMPORTS);
    expect(await interrupted(`state = 2; try { ${call}; state = 3 } finally { state += 10 }; state = 4`)).toMatchObject(
      INTERRUPTED,
    );
    const left = await notebook.value('state', "execSync('true'); spawnSync('true').status", '[state, _]');
    expect(left).toMatch(/^\[ (2|12), 0 \]$/);
  });

  it('ends a command that ignores SIGINT at the second', async () => {
    await notebook.run(IMPORTS);
    const command = 'trap "" INT; echo ready; echo ready; sleep 600; sleep 600';
    expect(await interrupted(`execSync(${JSON.stringify(command)}, { stdio: 'inherit' })`)).toMatchObject(INTERRUPTED);
    expect(await notebook.value('state')).toBe('1');
  });

  it('ends nothing else', async () => {
    await notebook.run(
      `${IMPORTS} const server = spawn('sleep', ['600'], { stdio: 'ignore' }), shown = spawn('sleep', ['600'], { stdio: 'inherit' });`,
    );
    expect(await interrupted("execSync('echo ready; sleep 600', { stdio: 'inherit' })")).toMatchObject(INTERRUPTED);
    expect(await notebook.value('[server, shown].map(({ exitCode, signalCode }) => [exitCode, signalCode])')).toBe(
      '[ [ null, null ], [ null, null ] ]',
    );
    expect(await notebook.value('[server, shown].map(({ pid }) => process.kill(pid!, 0))')).toBe('[ true, true ]');
  });

  it('goes on past a cell that catches it', async () => {
    await notebook.run(IMPORTS);
    const outcome = await interrupted(
      "try { execSync('echo ready; sleep 600', { stdio: 'inherit' }) } catch {}\nfor (;;);",
    );
    expect(outcome).toMatchObject(INTERRUPTED);
    expect(await notebook.value('state')).toBe('1');
  });

  it.each([
    ["while (true) { try { execSync('echo ready; sleep 600', { stdio: 'inherit' }) } catch { state += 1 } }", '2'],
    [
      "for (let i = 0; i < 3; i++) { try { execSync('echo ready; sleep 600', { stdio: 'inherit' }) } catch {} }\nstate = 5",
      '1',
    ],
    [
      "[1, 2, 3].map(() => { try { return execSync('echo ready >&2; sleep 600', { stdio: ['ignore', 'pipe', 'inherit'] }) } catch { return 'none' } })",
      '1',
    ],
    ["try { spawnSync('sh', ['-c', 'echo ready; sleep 600'], { stdio: 'inherit' }) } catch {}\n'done'", '1'],
  ])('begins no other command: %s', async (code, left) => {
    await notebook.run(IMPORTS);
    const { outcome, result } = await shown(code);
    expect(outcome).toMatchObject(INTERRUPTED);
    expect(result).toBeUndefined();
    expect(await notebook.value("execSync('true'); state")).toBe(left);
  });

  it.each([
    "bash -c 'sleep 600 & echo ready; wait'",
    'sleep 600 & echo ready; wait',
    "(trap '' INT; sleep 600) & echo ready; wait",
  ])('ends what a shell has in the background: %s', async (command) => {
    await notebook.run(IMPORTS);
    const options = "{ stdio: ['ignore', 'pipe', 'inherit'] }";
    const told = command.replace('echo ready', 'echo ready >&2');
    expect(await interrupted(`execSync(${JSON.stringify(told)}, ${options}); state = 2`)).toMatchObject(INTERRUPTED);
    expect(await notebook.value('state')).toBe('1');
  });

  it.skipIf(isAbsent('/proc/self/status', 'a command that loses the interrupt'))(
    'ends a command that loses it',
    async () => {
      await notebook.run(IMPORTS);
      const command = 'trap "" INT; echo ready; sleep 0.5; trap - INT; exec sleep 600';
      expect(
        await interrupted(`execFileSync('bash', ['-c', ${JSON.stringify(command)}], { stdio: 'inherit' })`),
      ).toMatchObject(INTERRUPTED);
      expect(await notebook.value('state')).toBe('1');
    },
  );

  it('leaves a command the time to end that it takes', async () => {
    await notebook.run(IMPORTS);
    const command = 'trap "sleep 1.5; touch over; exit" INT; echo ready; while :; do sleep 0.1; done';
    expect(await interrupted(`execSync(${JSON.stringify(command)}, { stdio: 'inherit' })`)).toMatchObject(INTERRUPTED);
    expect(await notebook.value("execSync('ls').toString()")).toContain('over');
  });

  it('leaves commands alone that end by themselves', async () => {
    expect(
      await notebook.value(IMPORTS, "[execSync('echo a').toString(), spawnSync('sh', ['-c', 'kill -INT $$']).signal]"),
    ).toBe("[ 'a\\n', 'SIGINT' ]");
  });
});
