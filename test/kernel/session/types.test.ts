import { tmpdir } from 'node:os';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { CellTypes, type TypeSource } from '../../../src/kernel/session/cell-types.js';
import { diagnosticsText } from '../../../src/kernel/types/cell-diagnostics.js';
import { openTypeService } from '../../../src/kernel/types/open-type-service.js';
import type { Diagnostic, TypeService, TypesMode } from '../../../src/kernel/types/type-service.js';
import { inShort, TestSession } from './test-session.js';

/** A type service that finds fault with each cell that says so, when it is let. */
class StandIn implements TypeService {
  readonly heard: string[] = [];
  obstacle: string | undefined;
  #release: () => void = () => {};
  readonly released = new Promise<void>((resolve) => {
    this.#release = resolve;
  });

  let(): void {
    this.#release();
  }

  add(code: string, name: string) {
    this.heard.push(`add ${name}`);
    const place = { line: 1, column: 1 };
    const found: Diagnostic[] = [
      { severity: 'hint', code: 6133, message: 'unused', start: place, end: place },
      { severity: 'error', code: 2322, message: 'is bad', start: place, end: place },
    ];
    const doubts: Diagnostic[] = [{ severity: 'warning', code: 2695, message: 'is odd', start: place, end: place }];
    const diagnostics = this.released.then(() => (code.includes('bad') ? found : code.includes('odd') ? doubts : []));
    return {
      diagnostics,
      obstacle: this.released.then(() => this.obstacle),
      unmet: () => [],
      withdraw: () => this.heard.push(`withdraw ${name}`),
    };
  }

  async complete(code: string, offset: number) {
    const start = code.lastIndexOf('.', offset) + 1;
    const items = [{ text: 'open', kind: 'method', signature: '(): void' }];
    return { start, end: offset, items: code.includes('none') ? [] : items };
  }

  async hover(code: string, offset: number) {
    if (!code.startsWith('known', offset)) return undefined;
    return { signature: 'const known: 1', documentation: 'It is *known*.', start: offset, end: offset + 5 };
  }

  async diagnose() {
    return undefined;
  }

  async signatures() {
    return undefined;
  }

  reset(): void {
    this.heard.push('reset');
  }

  async close(): Promise<void> {
    this.heard.push('close');
  }
}

const NOT_CHECKED = 'The cell did not run: its types block, and could not be checked. It is missing.';

let kernel: TestSession;
let types: StandIn;
afterEach(() => kernel.close());

function start(mode: TypesMode): void {
  types = new StandIn();
  const describe: TypeSource['describe'] = (found, _code, name) =>
    found
      .filter(({ severity }) => severity !== 'hint')
      .map(({ code, message }) => `${name}: TS${code} ${message}\n`)
      .join('');
  kernel = new TestSession({ mode, open: async () => ({ service: types, describe }) });
}

it('warns under the cell, once the cell is over, and delays nothing', async () => {
  start('warn');
  const cell = kernel.post('execute_request', { code: 'var bad = 1; bad' });
  expect(inShort(await kernel.idle(cell)).slice(-3)).toEqual(['execute_result 1', 'execute_reply ok', 'status idle']);
  await kernel.run('2');
  types.let();
  await kernel.seen('TS2322');
  expect(kernel.said.at(-1)).toMatchObject({
    parent: cell,
    content: { name: 'stderr', text: 'cell 1: TS2322 is bad\n' },
  });
});

it('does not run a cell with errors where they block', async () => {
  start('block');
  types.let();
  expect(inShort(await kernel.run('globalThis.ran = true; bad'))).toEqual([
    'status busy',
    'execute_input 1',
    'error TypeCheckError',
    'execute_reply error',
    'status idle',
  ]);
  expect(inShort(await kernel.run('typeof ran'))[2]).toBe("execute_result 'undefined'");
  expect(types.heard).toEqual(['add cell 1', 'withdraw cell 1', 'add cell 2']);
});

it('runs a cell that is only doubtful where types block, and says what is', async () => {
  start('block');
  types.let();
  const cell = kernel.post('execute_request', { code: 'var odd = 1; odd' });
  expect(inShort(await kernel.idle(cell))[2]).toBe('execute_result 1');
  await kernel.seen('TS2695');
  expect(kernel.said.find(({ type }) => type === 'stream')).toMatchObject({
    parent: cell,
    content: { name: 'stderr', text: 'cell 1: TS2695 is odd\n' },
  });
});

it('lets a cell run that only the run can judge, where the real types block', async () => {
  const open = async () => ({ service: openTypeService({ folder: tmpdir() }), describe: diagnosticsText });
  kernel = new TestSession({ mode: 'block', open });
  const last = async (code: string) => (await kernel.run(code)).filter(({ type }) => /error|result/.test(type)).at(-1);
  expect((await last('import pkg from "not-installed"; pkg'))?.content.evalue).toContain('npm install not-installed');
  expect((await last('function'))?.content.ename).toBe('SyntaxError');
  expect((await last('1, 2'))?.content.data).toMatchObject({ 'text/plain': '2' });
  expect((await last('const Bet = { parse: () => ({ pnl: 1 }) }; 0'))?.type).toBe('execute_result');
  expect((await last('type Bet = ReturnType<typeof Bet.parse>; 0'))?.type).toBe('execute_result');
  expect((await last('const bet: Bet = Bet.parse(); bet.pnl'))?.content.data).toMatchObject({ 'text/plain': '1' });
  expect((await last('const worse: Bet = Bet; 0'))?.content).toMatchObject({
    ename: 'TypeCheckError',
    evalue: 'The cell did not run: it has a type error.',
  });
});

it.each(['warn', 'block'] as const)('says once that a question is not awaited, where types %s', async (mode) => {
  const open = async () => ({ service: openTypeService({ folder: tmpdir() }), describe: diagnosticsText });
  kernel = new TestSession({ mode, open });
  for (const code of [
    "const kept = 1; if (confirm('delete?')) console.log('deleted')",
    "const ask = confirm; const sure = ask('x'); sure ? 1 : 2",
    "const { confirm: question } = globalThis; question('x') && 1",
  ]) {
    const said = await kernel.run(code);
    expect(said.find(({ type }) => type === 'error')?.content.evalue).toContain('(…) returns a promise, ');
  }
  await kernel.run('"abc".mark');
  if (mode === 'warn') await kernel.seen("Property 'mark'");
  const text = JSON.stringify(kernel.said);
  expect(text).toContain("Property 'mark'");
  expect(text).not.toContain('2801');
});

it('says once what a cell failed of, and what was meant', async () => {
  const open = async () => ({ service: openTypeService({ folder: tmpdir() }), describe: diagnosticsText });
  kernel = new TestSession({ mode: 'warn', open });
  let count = 0;
  /** What is said beside the error of a cell, and of one after it that is wrong, too. */
  const warned = async (code: string): Promise<string[]> => {
    const before = kernel.said.length;
    await kernel.run(code);
    count += 1;
    await kernel.run(`"abc".mark${count}`);
    await kernel.seen(`Property 'mark${count}'`);
    const streams = kernel.said.slice(before).filter(({ type }) => type === 'stream');
    const lines = streams.flatMap(({ content }) => String(content.text).split('\n'));
    return lines.flatMap((line) => /Did you mean.*|TS\d+: .*'(?!mark)\w+'\.$/.exec(line)?.[0] ?? []);
  };
  await kernel.run('const price = 1; prise');
  await kernel.seen("Did you mean 'price'?");
  expect(kernel.said.filter(({ content }) => /TS2304/.test(String(content.text)))).toEqual([]);
  for (const code of [
    'Deno.cwd()',
    'x = 5',
    'const t = <p>a</p>; t',
    'import { z } from "not-installed"; z',
    'import { readfile } from "node:fs"; readfile',
  ])
    expect(await warned(code)).toEqual([]);
  await kernel.run('print(nothing)');
  await kernel.seen("TS2304: Cannot find name 'nothing'.");
});

it('says nothing about the types of a cell that does not parse', async () => {
  start('warn');
  types.let();
  await kernel.run('bad bad');
  await kernel.run('new Function("bad bad")');
  await kernel.seen('TS2322');
  expect(kernel.said.filter(({ type }) => type === 'stream').map(({ content }) => content)).toEqual([
    { name: 'stderr', text: 'cell 2: TS2322 is bad\n' },
  ]);
});

it('says under a cell that is too large that it is not checked, and nothing else', async () => {
  start('warn');
  types.let();
  const said = await kernel.run(`const rows = '${'x'.repeat(1_000_000)}'; rows.length`);
  await kernel.seen('cell 1 is not checked');
  expect(inShort(said)).toContain('execute_result 1000000');
  await kernel.ask('complete_request', { code: '', cursor_pos: 0 });
  expect(kernel.said.filter(({ type }) => type === 'stream').map(({ content }) => content.text)).toEqual([
    'cell 1 is not checked, and its names are any. It has more than 1,000,000 characters: keep its data in a file.\n',
  ]);
  expect(types.heard).toEqual(['add cell 1']);
  expect(kernel.logged).toEqual([]);
});

it('does not run a cell that could not be checked where types block', async () => {
  start('block');
  types.obstacle = 'It is missing.';
  types.let();
  const refused = (await kernel.run('globalThis.ran = true')).find(({ type }) => type === 'error');
  expect(refused?.content).toMatchObject({ ename: 'TypeCheckError', evalue: NOT_CHECKED });
  types.obstacle = undefined;
  expect(inShort(await kernel.run('typeof ran'))[2]).toBe("execute_result 'undefined'");
});

it('runs a cell that is too large to be checked where types block, too, and says so', async () => {
  start('block');
  types.let();
  const said = await kernel.run(`const rows = '${'x'.repeat(1_000_000)}'; rows.length`);
  await kernel.seen('cell 1 is not checked');
  expect(inShort(said)).toContain('execute_result 1000000');
});

it('runs cells that could not be checked where types warn, and says it in the log once', async () => {
  start('warn');
  types.obstacle = 'It is missing.';
  types.let();
  for (const code of ['1', '2']) {
    expect(inShort(await kernel.run(code))[2]).toBe(`execute_result ${code}`);
    await kernel.ask('complete_request', { code: '', cursor_pos: 0 });
  }
  expect(kernel.logged).toEqual(['Cells are not checked: It is missing.']);
});

it('can be interrupted while it waits for the check', async () => {
  start('block');
  const cell = kernel.post('execute_request', { code: '1' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  kernel.session.interrupt();
  expect(inShort(await kernel.idle(cell))[2]).toBe('error Interrupted');
});

it('starts no checker where types are off, until something asks for it', async () => {
  start('off');
  types.let();
  await kernel.run('var bad = 1');
  expect(types.heard).toEqual([]);
  expect(await kernel.ask('complete_request', { code: '😀 bad.o', cursor_pos: 7 })).toEqual({
    status: 'ok',
    matches: ['open'],
    cursor_start: 6,
    cursor_end: 7,
    metadata: {
      _jupyter_types_experimental: [{ start: 6, end: 7, text: 'open', type: 'method', signature: '(): void' }],
    },
  });
  expect(types.heard).toEqual(['add cell 1']);
  expect(kernel.said.filter(({ type }) => type === 'stream')).toEqual([]);
});

it.each([
  ['%ti', ['%time', '%timeit'], 0],
  ['\n%%s', ['%%sql', '%%svg'], 1],
  [
    '%',
    ['%sql', '%time', '%timeit', '%who', '%%html', '%%latex', '%%markdown', '%%sql', '%%svg', '%%time', '%%timeit'],
    0,
  ],
  ['%nothing', [], 0],
])('completes the magic %j', async (code, matches, from) => {
  start('warn');
  const asked = await kernel.ask('complete_request', { code, cursor_pos: code.length });
  expect(asked).toMatchObject({ status: 'ok', matches, cursor_start: from, cursor_end: code.length });
});

it('tells what is known of a name', async () => {
  start('warn');
  expect(await kernel.ask('inspect_request', { code: '😀known', cursor_pos: 1, detail_level: 0 })).toEqual({
    status: 'ok',
    found: true,
    data: {
      'text/plain': 'const known: 1\n\nIt is known.',
      'text/markdown': '```ts\nconst known: 1\n```\n\nIt is *known*.',
    },
    metadata: {},
  });
  expect(await kernel.ask('inspect_request', { code: 'x', cursor_pos: 0 })).toEqual({
    status: 'ok',
    found: false,
    data: {},
    metadata: {},
  });
});

it('forgets the cells with the process that ran them, and one that does not parse', async () => {
  start('warn');
  await kernel.ask('complete_request', { code: '', cursor_pos: 0 });
  await kernel.run('1');
  await kernel.run('let = = 1');
  await kernel.run('process.exit(1)');
  await kernel.run('2');
  await kernel.ask('complete_request', { code: '', cursor_pos: 0 });
  expect(types.heard).toEqual(['add cell 1', 'add cell 3', 'reset', 'add cell 4']);
});

it('checks cells that come one close upon the other in their order, the next one when the one before is done', async () => {
  start('warn');
  await kernel.ask('complete_request', { code: '', cursor_pos: 0 });
  for (const code of ['1', 'odd', '3']) await kernel.run(code);
  await expect.poll(() => types.heard).toEqual(['add cell 1']);
  types.let();
  await expect.poll(() => types.heard).toEqual(['add cell 1', 'add cell 2', 'add cell 3']);
});

it('has a cell checked as soon as it is over, but lets those go first that follow closely, the more of them the longer', async () => {
  start('warn');
  types.let();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const cells = new CellTypes(
    'warn',
    async () => ({ service: types, describe: () => '' }),
    () => {},
  );
  cells.warmUp();
  const run = (name: string): void => {
    cells.add('1', name);
    cells.rest();
  };
  const heardAfter = async (ms: number): Promise<string[]> => {
    await vi.advanceTimersByTimeAsync(ms);
    return types.heard.splice(0);
  };
  run('a');
  expect(await heardAfter(1)).toEqual(['add a']);
  run('b');
  expect(await heardAfter(2)).toEqual([]);
  run('c');
  expect(await heardAfter(4)).toEqual([]);
  expect(await heardAfter(2)).toEqual(['add b', 'add c']);
  await heardAfter(100);
  run('d');
  expect(await heardAfter(1)).toEqual(['add d']);
  const many = Array.from({ length: 20 }, (_, index) => `e${index}`);
  for (const name of many) {
    run(name);
    await heardAfter(1);
  }
  expect(await heardAfter(27)).toEqual([]);
  expect(await heardAfter(3)).toEqual(many.map((name) => `add ${name}`));
});

it('starts a moment after the first cell where nobody has needed it before', async () => {
  start('warn');
  types.let();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const open = vi.fn(async () => ({ service: types, describe: () => '' }));
  const cells = new CellTypes('warn', open, () => {});
  cells.add('1', 'first');
  cells.rest();
  await vi.advanceTimersByTimeAsync(100);
  expect(open).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(open).toHaveBeenCalledOnce();
  expect(types.heard).toEqual(['add first']);
});

it('says once that there are no types, and runs no cell where they block', async () => {
  kernel = new TestSession({ mode: 'block', open: () => Promise.reject(new Error('It is missing.')) });
  for (const code of ['var bad = 1; bad', '2']) {
    const refused = (await kernel.run(code)).find(({ type }) => type === 'error');
    expect(refused?.content.evalue).toBe(NOT_CHECKED);
  }
  expect(await kernel.ask('complete_request', { code: 'a', cursor_pos: 1 })).toMatchObject({
    status: 'ok',
    matches: [],
  });
  expect(await kernel.ask('inspect_request', { code: 'a', cursor_pos: 1 })).toMatchObject({
    status: 'ok',
    found: false,
  });
  expect(kernel.logged).toEqual(['Types, completion and documentation are not available: It is missing.']);
});

it('shows under a cell what is known of a name that ends in a question mark', async () => {
  start('off');
  const known = await kernel.run('known?');
  expect(known.find(({ type }) => type === 'display_data')?.content).toEqual({
    data: {
      'text/plain': 'const known: 1\n\nIt is known.',
      'text/markdown': '```ts\nconst known: 1\n```\n\nIt is *known*.',
    },
    metadata: {},
    transient: {},
  });
  expect(inShort(known)).toContain('execute_reply ok');
  expect(inShort(await kernel.run('?other.name'))).toContain(
    "stream Nothing is known of 'other.name', or not yet: types may still be starting.\n",
  );
});
