import { describe, expect, it } from 'vitest';
import type { CellOutcome, OutputEvent } from '../../src/kernel/wire/runner.js';
import { TestNotebook } from './run-cells.js';

const LINES = 2000;
const PRINT = `for (let i = 0; i < ${LINES}; i++) console.log(i);`;
const TEXT = Array.from({ length: LINES }, (_, i) => `${i}\n`).join('');

function textOf(events: OutputEvent[]): string {
  return events.map((event) => (event.type === 'stream' && event.name === 'stdout' ? event.text : '')).join('');
}

describe('what was printed before', () => {
  it.each([
    ['a loop', 'for (;;);'],
    ['a blocking child', 'require("node:child_process").execSync("sleep 60")'],
    ['a wait for memory', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)'],
  ])('%s is seen while it blocks', async (_, code) => {
    const notebook = new TestNotebook();
    let text = '';
    let running: Promise<CellOutcome> | undefined;
    await new Promise<void>((resolve) => {
      running = notebook.runner.execute(`${PRINT} ${code}`, {
        onOutput: (event) => {
          if (event.type === 'stream') text += event.text;
          if (text.length >= TEXT.length) resolve();
        },
      });
    });
    expect(text).toBe(TEXT);
    await notebook.close();
    expect(await running).toMatchObject({ fault: { name: 'ProcessClosed' } });
  });

  it('a value that was displayed, too, is seen while a loop blocks, in its place', async () => {
    const notebook = new TestNotebook();
    const seen: unknown[] = [];
    let running: Promise<CellOutcome> | undefined;
    await new Promise<void>((resolve) => {
      running = notebook.runner.execute('display([1]); console.log(2); display.update("n", 3); for (;;);', {
        onOutput: (event) => {
          seen.push(event.type === 'stream' ? event.text : 'data' in event && event.data['text/plain']);
          if (seen.length === 3) resolve();
        },
      });
    });
    expect(seen).toEqual(['[ 1 ]', '2\n', '3']);
    await notebook.close();
    expect(await running).toMatchObject({ fault: { name: 'ProcessClosed' } });
  });

  it.each([
    ['an abort', 'process.abort()'],
    ['a kill', 'process.kill(process.pid, "SIGKILL"); for (;;);'],
    ['an exit', 'process.exit(1)'],
  ])('%s is not lost', async (_, code) => {
    const notebook = new TestNotebook();
    const { events, outcome } = await notebook.run(`${PRINT} ${code}`);
    expect(outcome.status).toBe('error');
    expect(textOf(events)).toBe(TEXT);
    await notebook.close();
  });
});
