import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.js';
import { type Notebook, type Output, serializeNotebook } from '../../src/notebook/format/nbformat.js';
import { type NotebookRun, runNotebook } from '../../src/notebook/run-notebook.js';
import { onceOver } from '../support/once-over.js';
import { makeNotebook } from './make-notebook.js';

const file = join(tmpdir(), 'nb.ipynb');

/** A statement that blocks the event loop without taking processor time: a loop follows. */
function blockFor(ms: number): string {
  return `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});`;
}

/** Of each output of each cell. */
function texts({ notebook }: NotebookRun): unknown[][] {
  return notebook.cells.map(({ outputs }) => (outputs as Output[]).map(({ text }) => text));
}

describe('runNotebook', () => {
  it('stores outputs and counts as Jupyter does, and leaves the argument alone', async () => {
    const notebook = makeNotebook(
      '# Title',
      'console.log("a"); console.log("b"); console.error("c"); display("d")',
      ' ',
      'type A = 1; ({ [Symbol.for("Jupyter.display")]: () => ({ "image/svg+xml": "<svg>\\n</svg>", "a/json": { b: 1 } }) })',
    );
    const before = structuredClone(notebook);
    const { notebook: executed, failure } = await runNotebook(notebook, { file });
    expect(failure).toBe(undefined);
    expect(notebook).toEqual(before);
    expect(executed.cells.map(({ execution_count, outputs }) => ({ execution_count, outputs }))).toEqual([
      { execution_count: undefined, outputs: undefined },
      {
        execution_count: 1,
        outputs: [
          { name: 'stdout', output_type: 'stream', text: ['a\n', 'b\n'] },
          { name: 'stderr', output_type: 'stream', text: ['c\n'] },
          { data: { 'text/plain': ["'d'"] }, metadata: {}, output_type: 'display_data' },
        ],
      },
      { execution_count: null, outputs: [] },
      {
        execution_count: 2,
        outputs: [
          {
            data: {
              'image/svg+xml': ['<svg>\n', '</svg>'],
              'a/json': { b: 1 },
              'text/plain': ['SVG image, 12 bytes'],
            },
            execution_count: 2,
            metadata: {},
            output_type: 'execute_result',
          },
        ],
      },
    ]);
    expect(executed.cells[1]?.metadata).toEqual({ tags: ['kept'] });
  });

  it('stops at the first cell that fails and keeps its error', async () => {
    const notebook = makeNotebook('const a = 1', '# Text', 'console.log(a);\nnope()', 'a');
    const { notebook: partial, failure } = await runNotebook(notebook, { file });
    expect(failure).toMatchObject({
      cell: 2,
      fault: { name: 'ReferenceError', at: { name: 'cell 2', line: 2, column: 1 } },
    });
    expect(partial.cells[2]?.outputs).toEqual([
      { name: 'stdout', output_type: 'stream', text: ['1\n'] },
      {
        ename: 'ReferenceError',
        evalue: 'nope is not defined',
        output_type: 'error',
        traceback: failure?.fault.traceback,
      },
    ]);
    expect(partial.cells[3]).toMatchObject({ execution_count: null, outputs: [] });
  });

  it('gives equal bytes when run again', async () => {
    const notebook = makeNotebook(
      'for (let i = 0; i < 500; i++) (i % 2 ? console.log : console.error)(i)',
      'new Error("e")',
    );
    const first = await runNotebook(notebook, { file });
    const second = await runNotebook(first.notebook, { file });
    expect(serializeNotebook(second.notebook)).toBe(serializeNotebook(first.notebook));
  });

  it('passes the environment on, and leaves the metadata of the notebook as it came', async () => {
    const metadata = { kernelspec: { name: 'deno', language: 'typescript' }, language_info: { version: '5' }, x: [1] };
    const { notebook } = await runNotebook(
      { ...makeNotebook('process.env.ODDSLAB_TEST'), metadata },
      { file, env: { ODDSLAB_TEST: 'yes' } },
    );
    expect(notebook.metadata).toEqual(metadata);
    expect(notebook.cells[0]?.outputs).toMatchObject([{ data: { 'text/plain': ["'yes'"] } }]);
  });

  it('refuses a notebook of another language', async () => {
    const notebook = { ...makeNotebook('1'), metadata: { kernelspec: { language: 'python' } } };
    const error = new InputError('nb.ipynb is for python; cells here are TypeScript (or JavaScript).');
    await expect(runNotebook(notebook, { file })).rejects.toEqual(error);
  });

  it('refuses a notebook whose language stands in its language_info alone', async () => {
    const metadata = { kernelspec: { name: 'python3' }, language_info: { name: 'python' } };
    await expect(runNotebook({ ...makeNotebook('1'), metadata }, { file })).rejects.toThrow(
      /is for python[\s\S]*TypeScript/,
    );
  });

  it('ends with the reason of its signal, even in an endless loop', async () => {
    const controller = new AbortController();
    const reason = new InputError('enough');
    const run = runNotebook(makeNotebook('for (;;);'), {
      file,
      signal: controller.signal,
      onCell: () => controller.abort(reason),
    });
    await expect(run).rejects.toBe(reason);
  });
});

it('tells how far a cell is, and keeps nothing of it', async () => {
  const notebook = makeNotebook(
    'const tell = globalThis[Symbol.for("oddslab.progress")]; tell("half"); await new Promise((r) => setTimeout(r, 50)); tell(""); "done"',
  );
  const told: unknown[] = [];
  const { notebook: executed } = await runNotebook(notebook, { file, onCell: (...shown) => told.push(shown) });
  expect(told).toEqual([
    [1, 1],
    [1, 1, 'half'],
    [1, 1, ''],
  ]);
  expect(executed.cells.flatMap(({ outputs = [] }) => outputs)).toEqual([
    { data: { 'text/plain': ["'done'"] }, execution_count: 1, metadata: {}, output_type: 'execute_result' },
  ]);
});

/** A notebook whose cells have tags: `[source, tag]`. */
function tagged(...cells: [source: string, tag?: string][]): Notebook {
  const notebook = makeNotebook(...cells.map(([source]) => source));
  cells.forEach(([, tag], index) => {
    Object.assign(notebook.cells[index] ?? {}, { metadata: tag ? { tags: [tag] } : {} });
  });
  return notebook;
}

/** Of each cell its number, and its outputs in short. */
function summary({ cells }: Notebook): unknown[] {
  return cells.map(({ execution_count, outputs }) => [
    execution_count,
    ...(outputs as Output[]).map(({ output_type: type, text, ename, data }) => {
      return [type, ename ?? (text as string[] | undefined)?.join('') ?? data].flat()[1] ?? type;
    }),
  ]);
}

describe('runNotebook, by tags and options', () => {
  it('leaves a cell tagged skip-execution as it is', async () => {
    const { notebook } = await runNotebook(tagged(['const a = 1'], ['nope()', 'skip-execution'], ['const b = 2']), {
      file,
    });
    expect(notebook.cells.map(({ execution_count, outputs }) => [execution_count, outputs])).toEqual([
      [1, []],
      [99, [{ output_type: 'stale' }]],
      [2, []],
    ]);
  });

  it('takes the error of a cell tagged raises-exception, and does not miss it', async () => {
    const cells = tagged(['nope()', 'raises-exception'], ['const a = 1', 'raises-exception'], ['console.log("on")']);
    const { notebook, failure, tolerated } = await runNotebook(cells, { file });
    expect([failure, tolerated]).toEqual([undefined, []]);
    expect(summary(notebook)).toEqual([[1, 'ReferenceError'], [2], [3, 'on\n']]);
  });

  it('goes on after errors where they are allowed', async () => {
    const run = await runNotebook(makeNotebook('throw new Error("a")', 'console.log("b")'), {
      file,
      allowErrors: true,
    });
    expect(run.failure).toBe(undefined);
    expect(run.tolerated).toMatchObject([{ cell: 1, isTimeout: false, fault: { name: 'Error', message: 'a' } }]);
    expect(summary(run.notebook)).toEqual([
      [1, 'Error'],
      [2, 'b\n'],
    ]);
  });

  it.each([
    ['a loop', `${blockFor(400)} for (;;);`],
    ['a promise that never resolves', 'await new Promise(() => setInterval(() => {}, 1000))'],
  ])('interrupts %s when its time is over, and goes on where errors are allowed', async (_, source) => {
    const notebook = makeNotebook('console.log("a")', `console.log("b");\n${source}`, '"c"');
    const { notebook: partial, failure } = await runNotebook(notebook, { file, timeoutMs: 1500, allowErrors: true });
    const message = 'The cell did not end within 1.5 s and was interrupted.';
    const traceback = [`CellTimeout: ${message}`];
    expect(failure).toMatchObject({ cell: 2, isTimeout: true, fault: { name: 'CellTimeout', message, traceback } });
    expect(partial.cells[1]?.outputs).toEqual([
      { name: 'stdout', output_type: 'stream', text: ['b\n'] },
      { ename: 'CellTimeout', evalue: message, output_type: 'error', traceback },
    ]);
    expect(partial.cells[2]).toMatchObject({ execution_count: 3, outputs: [{ output_type: 'execute_result' }] });
  });

  it.skipIf(process.platform === 'win32')('keeps the process of a cell that is slow to be interrupted', async () => {
    const pause = 'require("node:child_process").spawn("sh", ["-c", "kill -STOP $PPID; sleep 4; kill -CONT $PPID"]);';
    const notebook = makeNotebook('const kept = 1', `${pause} for (;;);`, 'console.log(kept)');
    const run = await runNotebook(notebook, { file, timeoutMs: 1500, allowErrors: true });
    expect(run.failure?.fault.message).toBe('The cell did not end within 1.5 s and was interrupted.');
    expect(summary(run.notebook)).toEqual([[1], [2, 'CellTimeout'], [3, '1\n']]);
  });

  it('goes on in a new process where errors are allowed and a cell ends its own', async () => {
    const cells = makeNotebook('const a = 1;', 'process.exit(0)', 'console.log(typeof a)');
    const { notebook, failure, tolerated } = await runNotebook(cells, { file, allowErrors: true });
    expect([failure, tolerated.map(({ cell }) => cell)]).toEqual([undefined, [2]]);
    expect(summary(notebook)).toEqual([[1], [2, 'ProcessExit'], [3, 'undefined\n']]);
    expect(JSON.stringify(notebook.cells[1]?.outputs)).toContain('A new process runs the cells from here on');
  });

  it('says that the process of a cell died, and cannot go on', async () => {
    const cells = tagged(['console.log("a")'], ['process.exit(3)', 'raises-exception'], ['1']);
    const { notebook, failure } = await runNotebook(cells, { file });
    expect(failure).toMatchObject({ cell: 2, isTimeout: false, fault: { name: 'ProcessExit' } });
    expect(summary(notebook)).toEqual([[1, 'a\n'], [2, 'ProcessExit'], [null]]);
  });

  it('goes on after an error that nobody awaits, and tells of it', async () => {
    const wait = 'await new Promise((resolve) => setTimeout(resolve, 60))';
    const late = `${onceOver('throw new Error("late");')} 0`;
    const run = await runNotebook(tagged([late], [wait], [late, 'raises-exception'], [wait]), { file });
    expect(run.failure).toBe(undefined);
    expect(run.strays).toMatchObject([{ cell: 1, fault: { message: 'late', at: { name: 'cell 1' } } }]);
    const text = run.strays[0]?.fault.traceback.map((line) => `${line}\n`);
    expect(run.notebook.cells[0]?.outputs).toMatchObject([
      { output_type: 'execute_result' },
      { name: 'stderr', output_type: 'stream', text },
    ]);
  });

  describe('after the last cell', () => {
    const sleep = 'await new Promise((resolve) => setTimeout(resolve, 300));';
    const NOTHING = { late: [], timers: [], hasRequests: false, hasLoop: false };

    it('waits for the promise that a cell ends in', async () => {
      const main = `async function main() { ${sleep} console.log('done'); throw new Error('failed'); } main();`;
      const run = await runNotebook(makeNotebook(main, 'const other = 1;'), { file });
      expect(run.strays).toMatchObject([{ cell: 1, fault: { message: 'failed' } }]);
      expect(texts(run)[0]).toContainEqual(['done\n']);
    });

    it('waits no longer for it than a cell may take', async () => {
      const cell = 'let end; const wait = new Promise((resolve) => setTimeout(resolve, 60_000)); wait';
      const run = await runNotebook(makeNotebook(cell), { file, timeoutMs: 1500 });
      const message = 'The promise that the cell ends in did not settle within 1.5 s after the last cell.';
      expect(run.failure).toMatchObject({ cell: 1, isTimeout: true, fault: { name: 'CellTimeout', message } });
      expect(JSON.stringify(run.notebook.cells[0])).toContain('CellTimeout');
    });

    it('waits a moment for what nobody awaits', async () => {
      const run = await runNotebook(makeNotebook(`void (async () => { ${sleep} console.log('done'); })();`), { file });
      expect(texts(run)).toEqual([[['done\n']]]);
      expect(run.unfinished).toEqual(NOTHING);
    });

    it('tells which cells leave more than that', async () => {
      const promised = 'import { setTimeout as sleep } from "node:timers/promises"; void sleep(60_000);';
      const run = await runNotebook(makeNotebook('1', 'setTimeout(() => {}, 60_000); 0', promised), { file });
      expect(run.unfinished).toEqual({ ...NOTHING, timers: ['cell 2', 'cell 3'] });
    });

    it('tells that a process or a request is under way', async () => {
      const run = await runNotebook(makeNotebook('import { exec } from "node:child_process"; exec("sleep 60"); 0'), {
        file,
      });
      expect(run.unfinished).toEqual({ ...NOTHING, hasRequests: true });
    });

    it.each([
      ['main().catch(() => process.exit(1))', 'ProcessExit', 'process.exit(1)'],
      ['setTimeout(() => process.exit(3), 100)', 'ProcessExit', 'process.exit(3)'],
      ['setTimeout(() => process.abort(), 100)', 'ProcessCrash', 'SIGABRT'],
      ['process.exitCode = 5', 'ProcessExit', 'process.exitCode to 5'],
    ])('fails the last cell where its process ends by %s', async (code, name, part) => {
      const main = `async function main() { ${sleep} throw new Error('failed'); }`;
      const run = await runNotebook(makeNotebook('console.log(1)', `${main} ${code}; 0`), { file });
      expect(run.failure).toMatchObject({ cell: 2, isTimeout: false, fault: { name } });
      expect(run.failure?.fault.message).toContain(part);
      expect(JSON.stringify(run.notebook.cells[1])).toContain(name);
      const allowed = await runNotebook(makeNotebook(`${main} ${code}; 0`), { file, allowErrors: true });
      expect([allowed.failure, allowed.tolerated]).toMatchObject([undefined, [{ cell: 1, fault: { name } }]]);
    });

    const testing = "import test from 'node:test';";
    const failing = `test('adds', () => { throw new Error('not so'); });`;
    it.each([
      [['process.exitCode = 5; 0', '1', '2'], 1, 'The cell has set process.exitCode to 5.'],
      [['1', 'process.exitCode = 5; throw 1', '2'], 2, 'The cell has set process.exitCode to 5.'],
      [[`${testing} ${failing}`, '1', '2'], 1, 'A test has failed: node:test has set process.exitCode to 1.'],
      [[testing, `await ${failing}`, sleep], 2, 'A test has failed: node:test has set process.exitCode to 1.'],
      [[testing, `test('more', async (t) => { await t.${failing} });`, sleep], 2, 'A test has failed'],
    ])('tells which cell has set an exit code, where others follow: %j', async (cells, cell, message) => {
      const run = await runNotebook(makeNotebook(...cells), { file, allowErrors: true });
      const ended = run.tolerated.filter(({ fault }) => fault.name === 'ProcessExit');
      expect(ended).toMatchObject([{ cell, fault: { message: expect.stringContaining(message) } }]);
      const shows = run.notebook.cells.map((each) => JSON.stringify(each).includes('ProcessExit'));
      expect(shows).toEqual(cells.map((_, at) => at === cell - 1));
    });

    it('tells each cell in which a test has failed', async () => {
      const cells = [`${testing} ${failing}`, `test('well', () => {});`, `test('again', async () => { throw 2; });`];
      const run = await runNotebook(makeNotebook(...cells), { file });
      expect(run.failure).toMatchObject({ cell: 1, fault: { name: 'ProcessExit' } });
      const shows = run.notebook.cells.map((each) => JSON.stringify(each).includes('ProcessExit'));
      expect(shows).toEqual([true, false, true]);
      const allowed = await runNotebook(makeNotebook(...cells), { file, allowErrors: true });
      expect(allowed.tolerated.map(({ cell }) => cell)).toEqual([1, 3]);
    });

    it('tells of the code that holds in the end, where a cell sets one after a failed test', async () => {
      const cells = [`${testing} ${failing}`, 'process.exitCode = 3;', '2'];
      const run = await runNotebook(makeNotebook(...cells), { file, allowErrors: true });
      const ended = run.tolerated.filter(({ fault }) => fault.name === 'ProcessExit');
      // Newer versions of Node.js set that of the test once more at the end.
      expect([
        [2, 'The cell has set process.exitCode to 3.'],
        [1, 'A test has failed: node:test has set process.exitCode to 1.'],
      ]).toContainEqual(ended.map(({ cell, fault }) => [cell, fault.message.split('\n')[0]])[0]);
      expect(ended).toHaveLength(1);
    });

    it.each([
      [['process.exitCode = 5;', 'process.exitCode = 0;']],
      [[`${testing} test('adds', { todo: true }, () => { throw new Error('not yet'); });`, '1']],
      [[`${testing} test('adds', () => {})`, '1']],
    ])('tells nothing of a code that is 0 in the end: %j', async (cells) => {
      const run = await runNotebook(makeNotebook(...cells), { file });
      expect(run.failure).toBe(undefined);
    });

    it('takes an exit with 0 for a good end', async () => {
      const run = await runNotebook(makeNotebook(`void (async () => { ${sleep} process.exit(0); })(); 0`), { file });
      expect([run.failure, run.unfinished]).toEqual([undefined, NOTHING]);
    });

    it.each([
      [`${onceOver(`console.log("begun"); ${blockFor(5000)} for (;;);`)} 0`, undefined],
      [`${onceOver(`${blockFor(1500)} for (;;);`)} 0`, 1000],
      [`const again = (): any => Promise.resolve().then(again); ${onceOver(`${blockFor(1500)} again();`)} 0`, 1000],
      [`const again = () => { process.nextTick(again) }; ${onceOver(`${blockFor(1500)} again();`)} 0`, 1000],
      [`setTimeout(() => { ${blockFor(1500)} for (;;); }, 50); new Promise((done) => setTimeout(done, 20))`, 1000],
    ])('ends what never gives way: %s', async (code, timeoutMs) => {
      const run = await runNotebook(makeNotebook(code), { file, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
      expect([run.failure, run.strays, run.unfinished]).toEqual([undefined, [], { ...NOTHING, hasLoop: true }]);
      expect(JSON.stringify(texts(run)).includes('begun')).toBe(code.includes('begun'));
    });

    it('waits for what takes a few seconds without a turn', async () => {
      const work = `setTimeout(() => { ${blockFor(3500)} console.log("over"); }, 50); 0`;
      const run = await runNotebook(makeNotebook(work), { file });
      expect([run.unfinished, JSON.stringify(texts(run)).includes('over')]).toEqual([NOTHING, true]);
    });

    it('bounds a promise that waits behind what never gives way', async () => {
      const code = `setTimeout(() => { ${blockFor(1500)} for (;;); }, 50); new Promise((done) => setTimeout(done, 200))`;
      const run = await runNotebook(makeNotebook(code), { file, timeoutMs: 500 });
      expect(run.failure).toMatchObject({ cell: 1, isTimeout: true, fault: { name: 'CellTimeout' } });
    });

    it.each([
      [
        'an interval, a server and a promise that has settled',
        'setInterval(() => {}, 10); 0',
        'import { createServer } from "node:http"; createServer().listen(0); 0',
        'Promise.resolve(1)',
      ],
      ['a promise that nothing can settle', 'new Promise(() => {})'],
    ])('does not wait for %s', async (_, ...cells) => {
      const run = await runNotebook(makeNotebook(...cells), { file });
      expect(run.unfinished).toEqual(NOTHING);
      expect(run.failure).toBeUndefined();
    });
  });

  it('gives late output to the cell that caused it', async () => {
    const notebook = makeNotebook(
      'let late; const told = new Promise((resolve) => { late = resolve; }); setTimeout(() => { console.log("late"); late(); }, 30); 0',
      'await told; console.log("here")',
    );
    const { notebook: executed } = await runNotebook(notebook, { file });
    expect(executed.cells.map(({ outputs }) => (outputs as Output[]).map(({ text }) => text))).toEqual([
      [undefined, ['late\n']],
      [['here\n']],
    ]);
  });

  it('keeps the last state of progress in one line', async () => {
    const code = 'for (let i = 0; i <= 2000; i++) process.stdout.write("\\rstep " + i + " of 2000");';
    const { notebook: executed } = await runNotebook(makeNotebook(code), { file });
    expect(executed.cells[0]?.outputs).toEqual([
      { name: 'stdout', output_type: 'stream', text: ['step 2000 of 2000'] },
    ]);
  });

  it('changes what an earlier cell shows, and takes away', async () => {
    const notebook = makeNotebook(
      'display("old", { id: "x" }); 0',
      'display.update("x", "new"); console.log("gone"); display.clear({ wait: true }); console.log("kept")',
    );
    const { notebook: executed } = await runNotebook(notebook, { file });
    expect(executed.cells[0]?.outputs).toMatchObject([
      { data: { 'text/plain': ["'new'"] }, metadata: {}, output_type: 'display_data' },
      { data: { 'text/plain': ['0'] }, output_type: 'execute_result' },
    ]);
    expect(executed.cells[1]?.outputs).toEqual([{ name: 'stdout', output_type: 'stream', text: ['kept\n'] }]);
  });

  it('fails a cell that asks: nobody is there', async () => {
    const { failure } = await runNotebook(makeNotebook('await input("name? ")'), { file });
    expect(failure?.cell).toBe(1);
    expect(failure?.fault.message).toMatch(/nobody|cannot/i);
  });
});

it('runs cells in the language that an editor noted for them, and refuses those it cannot run by name', async () => {
  const notebook = makeNotebook('5 * 2', '<b>shown</b>', 'SELECT 1 + 1 AS n', 'print(1)', '%%html\n<i>named</i>');
  const noted = [
    { vscode: { languageId: 'typescript' } },
    { vscode: { languageId: 'html' } },
    { dotnet_interactive: { language: 'sql' }, polyglot_notebook: { kernelName: 'sql' } },
    { polyglot_notebook: { kernelName: 'csharp' } },
    { vscode: { languageId: 'html' } },
  ];
  for (const [at, metadata] of noted.entries()) Object.assign(notebook.cells[at] ?? {}, { metadata });
  const { notebook: ran, tolerated } = await runNotebook(notebook, { file, allowErrors: true });
  const shown = ran.cells.map(({ outputs }) =>
    (outputs as Output[]).map(({ data, evalue }) => evalue ?? Object.keys(Object(data))),
  );
  expect(shown).toEqual([
    [['text/plain']],
    [expect.arrayContaining(['text/html'])],
    [expect.arrayContaining(['text/html'])],
    [expect.stringMatching(/^Cells in csharp do not run here\. /)],
    [expect.arrayContaining(['text/html'])],
  ]);
  expect(tolerated.map(({ cell }) => cell)).toEqual([4]);
  expect(ran.cells.map(({ source }) => source)).toEqual(notebook.cells.map(({ source }) => source));
});
