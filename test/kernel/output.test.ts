import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellOutcome } from '../../src/kernel/wire/runner.js';
import { TestNotebook } from './run-cells.js';

describe('output of a cell', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  it('keeps 2,000 lines of three kinds complete and in order', async () => {
    const { events } = await notebook.run(`for (let i = 0; i < 2000; i++) {
  if (i % 3 === 0) console.log('line', i);
  else if (i % 3 === 1) process.stderr.write(\`line \${i}\\n\`);
  else display({ [Symbol.for('Jupyter.display')]: async () => ({ 'text/plain': \`line \${i}\` }) });
}
'end'`);
    const kinds = ['stdout', 'stderr'] as const;
    const expected = Array.from({ length: 2000 }, (_, i) => {
      const name = kinds[i % 3];
      if (name) return { type: 'stream', name, text: `line ${i}\n` };
      return { type: 'display', data: { 'text/plain': `line ${i}` }, metadata: {} };
    });
    const end = { type: 'result', data: { 'text/plain': "'end'" }, metadata: {} };
    expect(events).toEqual([...expected, end]);
  });

  it('keeps 20,000 lines complete, and one text of 20 MB', async () => {
    const { events } = await notebook.run('for (let i = 0; i < 20000; i++) console.log("line", i)');
    const text = events.map((event) => (event.type === 'stream' ? event.text : '?')).join('');
    expect(text).toBe(Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join(''));
    const { events: large } = await notebook.run('void process.stdout.write("é".repeat(2e7))');
    expect(large.map((event) => (event.type === 'stream' ? event.text.length : 0))).toEqual([2e7]);
  });

  it('prints bytes, groups and promises as Node does', async () => {
    const { events } = await notebook.run(`process.stdout.write(new TextEncoder().encode("bytes\\n"));
console.group("out"); console.log("in"); console.groupEnd(); console.log(Promise.resolve(1), new Promise(() => {}))`);
    const text = 'bytes\nout\n  in\nPromise { 1 } Promise { <pending> }\n';
    expect(events).toEqual([{ type: 'stream', name: 'stdout', text }]);
  });

  it('prints objects as Node does', async () => {
    const { events } = await notebook.run('console.log({ a: new Map([[1, [2]]]) }, "%d"); console.table([{ a: 1 }])');
    const table = '┌─────────┬───┐\n│ (index) │ a │\n├─────────┼───┤\n│ 0       │ 1 │\n└─────────┴───┘\n';
    expect(events).toEqual([{ type: 'stream', name: 'stdout', text: `{ a: Map(1) { 1 => [ 2 ] } } %d\n${table}` }]);
  });

  it('passes on what children write, before the cell ends and its value is shown', async () => {
    const { events } = await notebook.run(
      'require("child_process").execSync("printf out; printf err >&2", { stdio: "inherit" }); 1',
    );
    const streams = events.filter((event) => event.type === 'stream').sort((a, b) => a.name.localeCompare(b.name));
    expect(streams).toEqual([
      { type: 'stream', name: 'stderr', text: 'err' },
      { type: 'stream', name: 'stdout', text: 'out' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'result', data: { 'text/plain': '1' } });
  });

  it.each([
    'setTimeout(() => console.log("late"), 0)',
    'setImmediate(() => setImmediate(() => console.log("late")))',
    'setTimeout(() => display("late"), 0)',
    'setTimeout(() => { throw new Error("late"); }, 0)',
  ])('shows a value before what comes later: %s', async (late) => {
    for (let round = 0; round < 20; round += 1) {
      const { events } = await notebook.run(`${late}; 43`);
      await notebook.run('await new Promise((resolve) => setTimeout(resolve, 5))');
      const texts = events.map((event) => JSON.stringify(event));
      expect(texts.findIndex((text) => text.includes('43'))).toBe(0);
    }
  });

  it('takes a bundle of several formats, and bytes as base64', async () => {
    const { events } = await notebook.run(
      '({ [Symbol.for("Jupyter.display")]: () => ({ "text/html": "<b>1</b>", "image/png": new Uint8Array([1, 2]) }) })',
    );
    expect(events).toEqual([
      { type: 'result', data: { 'text/html': '<b>1</b>', 'image/png': 'AQI=', 'text/plain': '1' }, metadata: {} },
    ]);
  });

  it('decodes text that is written in another encoding', async () => {
    const { events } = await notebook.run("process.stdout.write('68656c6c6f', 'hex'); undefined");
    expect(events).toEqual([{ type: 'stream', name: 'stdout', text: 'hello' }]);
  });

  it.each([
    ["console.log('Will it 🚀?'.slice(0, 9))", [{ type: 'stream', name: 'stdout', text: 'Will it \ufffd\n' }]],
    [
      "process.stdout.write('\\ud83d'); process.stdout.write('\\ude80'); await 0; undefined",
      [{ type: 'stream', name: 'stdout', text: '🚀' }],
    ],
    [
      "process.stdout.write('\\ud83d'); process.stderr.write('\\ude80'); undefined",
      [
        { type: 'stream', name: 'stdout', text: '\ufffd' },
        { type: 'stream', name: 'stderr', text: '\ufffd' },
      ],
    ],
    [
      "process.stdout.write('é'.repeat(2 ** 20 - 1) + '🚀'.repeat(2)); undefined",
      [{ type: 'stream', name: 'stdout', text: `${'é'.repeat(2 ** 20 - 1)}🚀🚀` }],
    ],
    [
      "display.markdown('🚀'.slice(0, 1) + '\\\\ud83d🚀')",
      [
        {
          type: 'display',
          data: { 'text/markdown': '\ufffd\\ud83d🚀', 'text/plain': '\ufffd\\ud83d🚀' },
          metadata: {},
        },
      ],
    ],
    [
      "display.json({ ['🚀'.slice(1)]: '🚀'.slice(0, 1) })",
      [
        {
          type: 'display',
          data: expect.objectContaining({ 'application/json': { '\ufffd': '\ufffd' } }),
          metadata: {},
        },
      ],
    ],
    [
      "({ [Symbol.for('Jupyter.display')]: () => ({ 'text/plain': '\\udfff' }) })",
      [{ type: 'result', data: { 'text/plain': '\ufffd' }, metadata: {} }],
    ],
  ])('shows U+FFFD where a half of a character stays alone: %s', async (code, shown) => {
    expect((await notebook.run(code)).events).toEqual(shown);
  });

  it('says so of errors, prompts and comm messages, and runs code that holds such a half', async () => {
    const { outcome } = await notebook.run("throw new Error('🚀'.slice(0, 1))");
    expect(outcome).toMatchObject({
      fault: { message: '\ufffd', traceback: expect.arrayContaining(['Error: \ufffd']) },
    });
    const told: unknown[] = [];
    const ended = await notebook.runner.execute(
      "comms.open('t', { a: '🚀'.slice(0, 1) }); '\ud83d'.length + (await input('🚀'.slice(1))).length",
      {
        onComm: ({ data }) => told.push(data),
        onInput: async ({ prompt }) => String(told.push(prompt)),
        expressions: { x: "'\ud83d'" },
      },
    );
    expect(told).toEqual([{ a: '\ufffd' }, '\ufffd']);
    expect(ended).toMatchObject({ expressions: { x: { data: { 'text/plain': "'\\ud83d'" } } } });
  });

  it('sends what an endless loop prints, and ends it on close', async () => {
    const other = new TestNotebook();
    let running: Promise<CellOutcome> | undefined;
    const printed = await new Promise<string>((resolve) => {
      running = other.runner.execute('for (;;) console.log("tick")', {
        onOutput: (event) => event.type === 'stream' && resolve(event.text.slice(0, 5)),
      });
    });
    expect(printed).toBe('tick\n');
    await other.close();
    expect(await running).toMatchObject({ status: 'error', fault: { name: 'ProcessClosed' } });
  });
});
