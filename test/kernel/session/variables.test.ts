import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestSession } from './test-session.js';

/** A variable as a debug reply tells it. */
interface Told {
  name: string;
  type: string;
  value: string;
  variablesReference: number;
  presentationHint: { kind: string; attributes: string[] };
  isTable?: true;
}

interface Debugged {
  success: boolean;
  message?: string;
  busy?: boolean;
  body?: { variables?: Told[]; data?: Record<string, string> };
}

let kernel: TestSession;

async function debug(command: string, given: object = {}): Promise<Debugged> {
  const content = { seq: 7, type: 'request', command, arguments: given };
  return (await kernel.ask('debug_request', content)) as unknown as Debugged;
}

async function variables(): Promise<Told[]> {
  return (await debug('inspectVariables')).body?.variables ?? [];
}

async function inWords(): Promise<string[]> {
  return (await variables()).map(({ name, type, value }) => `${name} | ${type} | ${value}`);
}

/** As a front end does: on a busy machine the first looks may have had no time for some. */
async function allInWords(): Promise<string[]> {
  let told: string[] = [];
  const untold = async () => {
    told = await inWords();
    return told.filter((line) => line.endsWith(' |  | …'));
  };
  await expect.poll(untold).toEqual([]);
  return told;
}

async function partsOf(name: string, given: object = {}): Promise<string[]> {
  const { variablesReference } = (await variables()).find((one) => one.name === name) ?? {};
  const { body } = await debug('variables', { variablesReference, ...given });
  return (body?.variables ?? []).map((part) => `${part.name} | ${part.type} | ${part.value}`);
}

beforeAll(() => {
  kernel = new TestSession();
});
afterAll(() => kernel.close());

it('there are none before the first cell', async () => {
  expect(await debug('inspectVariables')).toEqual({
    status: 'ok',
    type: 'response',
    seq: 0,
    request_seq: 7,
    command: 'inspectVariables',
    success: true,
    body: { variables: [] },
  });
  const message = 'No cell has run in this process yet.';
  expect(await debug('richInspectVariables', { variableName: 'x' })).toMatchObject({ success: false, message });
  expect(await kernel.ask('table_request', { name: 'x' })).toMatchObject({ status: 'error', evalue: message });
});

it('tells what cells declared, in order, and nothing of the runner, of Node or of types', async () => {
  await kernel.run(`import { readFileSync } from 'node:fs'; import type { Stats } from 'node:fs';
    interface Row { a: number } type Id = string;
    const a = 1; var b = 'x'; let c; function f(x: number): number { return x } class K {} enum E { A, B }
    const URL = 'mine'; const [d, { e }] = [null, { e: undefined }]; namespace N { export const q = 1 }`);
  await kernel.run(`import { helper } from './helper.ts'; const never = 1`);
  await kernel.run(
    'a; { const inner = 1 } for (const each of [1]) { var deep = each; } globalThis.global1 = 1; eval("var sly = 1");',
  );
  const told = await allInWords();
  expect(new Set(told)).toEqual(
    new Set([
      'a | number | 1',
      'b | string | "x"',
      'c | undefined | undefined',
      'f | function | f(x)',
      'K | class | class K',
      'E | Object | { 0: "A", 1: "B", A: 0, B: 1 }',
      'URL | string | "mine"',
      'd | null | null',
      'e | undefined | undefined',
      'N | Object | { q: 1 }',
      'deep | number | 1',
    ]),
  );
  expect(told.at(-1)).toBe('deep | number | 1');
});

it('tells nothing of the code that stands for syntax', async () => {
  const names = await allInWords();
  await kernel.run('using resource = null; for (using each of []) {} { await using inner = null; }');
  expect((await allInWords()).filter((one) => !names.includes(one))).toEqual(['resource | null | null']);
});

it('keeps the place of a name that is declared again, whatever it becomes', async () => {
  const names = (await variables()).map(({ name }) => name);
  await kernel.run('class a {}; let b = 2n; const URL = 4; const last = 5;');
  const told = await allInWords();
  expect((await variables()).map(({ name }) => name)).toEqual([...names, 'last']);
  expect(told).toEqual(expect.arrayContaining(['a | class | class a', 'b | bigint | 2n', 'URL | number | 4']));
});

it('leaves out names without a value: of a cell that failed before, or did not compile', async () => {
  await kernel.run('const before = 1; throw new Error("x"); const after = 2; let later = 3;');
  await kernel.run('const unclosed = {;');
  await kernel.run('const before2 = 1; const before2 = 2;');
  const names = (await variables()).map(({ name }) => name);
  expect(names).toContain('before');
  for (const name of ['after', 'later', 'unclosed', 'before2']) expect(names).not.toContain(name);
  await kernel.run('const after = "now"');
  expect(await inWords()).toContain('after | string | "now"');
});

it('marks what was imported, and what can be looked at row by row', async () => {
  await kernel.run(`import fc, { integer as whole } from ${JSON.stringify(import.meta.resolve('fast-check'))};
    const rows = [{ a: 1 }]; const typed = new Float64Array(1000); const entries = new Map([[1, 2]]); const plain = { a: 1 };`);
  const told = Object.fromEntries((await variables()).map((one) => [one.name, one]));
  expect(told.fc?.presentationHint.attributes).toEqual(['imported']);
  expect(told.whole?.presentationHint).toEqual({ kind: 'method', attributes: ['imported'] });
  expect(told.rows).toMatchObject({
    value: 'Array(1) [Object {…}]',
    isTable: true,
    presentationHint: { attributes: [] },
  });
  expect(told.typed).toMatchObject({ value: 'Float64Array(1000) [0, 0, 0, 0, 0, …]', isTable: true });
  expect(told.entries).toMatchObject({ value: 'Map(1)', isTable: true });
  expect(told.plain?.isTable).toBeUndefined();
  await kernel.run('const whole = 1;');
  expect((await variables()).find(({ name }) => name === 'whole')?.presentationHint.attributes).toEqual([]);
});

it('knows of a promise whether it is settled, without awaiting it', async () => {
  await kernel.run(`const done = Promise.resolve(1); const open = new Promise(() => {});
    const bad = Promise.reject(new Error('x')); bad.catch(() => {});`);
  expect(await inWords()).toEqual(
    expect.arrayContaining([
      'done | Promise | Promise (fulfilled)',
      'open | Promise | Promise (pending)',
      'bad | Promise | Promise (rejected)',
    ]),
  );
});

it('runs no code of the values: no getter, no proxy, no text of their own', async () => {
  await kernel.run(`let ran = 0; const trap = () => { ran += 1; return undefined; };
    const hostile = { get a() { return trap() }, get [Symbol.toStringTag]() { trap(); return 'x' }, toString: trap,
      [Symbol.for('Jupyter.display')]: trap, [Symbol.for('oddslab.table')]: trap, toHTML: trap, toSpec: trap,
      [Symbol.toPrimitive]: trap, [Symbol.for('nodejs.util.inspect.custom')]: trap };
    const proxy = new Proxy({}, new Proxy({}, { get: trap }));
    const below = Object.create(proxy); const listed = [proxy, hostile]; const map = new Map([[proxy, hostile]]);
    const set = new Set([proxy, hostile]); const settled = Object.assign(Promise.resolve(1), { then: trap });
    class Shown { static get name() { return trap() as any } get outerHTML() { return trap() }
      [Symbol.for('Jupyter.display')]() { console.log('drawn'); return trap(); } }
    const shown = new Shown(); const failed = new Error('x');
    const prepared = Error.prepareStackTrace; Error.prepareStackTrace = trap;
    Object.defineProperty(listed, 'constructor', { get: trap });
    Object.defineProperty(globalThis, 'sneaky', { get: trap, configurable: true }); var sneaky;`);
  const names = (await variables()).map(({ name }) => name);
  await kernel.run('ran = 0');
  await variables();
  expect(await partsOf('hostile')).toContain('a | getter | (not run)');
  await partsOf('listed');
  await partsOf('map');
  await kernel.ask('table_request', { name: 'listed', from: 0, count: 10, filter: 'x' });
  await partsOf('set');
  await partsOf('failed');
  await kernel.ask('table_request', { name: 'map', from: 0, count: 10 });
  await kernel.ask('table_request', { name: 'set', from: 0, count: 10 });
  for (const name of names) await debug('richInspectVariables', { variableName: name });
  expect(await inWords()).toEqual(expect.arrayContaining(['ran | number | 0', 'sneaky | undefined | undefined']));
  expect(kernel.said.some(({ content }) => String(content.text).includes('drawn'))).toBe(false);
  await kernel.run('Error.prepareStackTrace = prepared; delete (globalThis as any).sneaky');
});

it('tells the parts of a value, some at a time', async () => {
  await kernel.run(`const deep = { a: { b: { c: [1, 2, 3] } }, s: 'x' };
    const long = Array.from({ length: 250 }, (_, at) => at); const keyed = new Map([['k', [1]], [{}, 2]]);`);
  expect(await partsOf('deep')).toEqual(['a | Object | { b: Object {…} }', 's | string | "x"']);
  expect((await partsOf('long')).slice(98)).toEqual(['98 | number | 98', '99 | number | 99', '… |  | 150 more']);
  expect(await partsOf('long', { start: 248, count: 10 })).toEqual(['248 | number | 248', '249 | number | 249']);
  expect(await partsOf('keyed')).toEqual(['"k" | Array | Array(1) [1]', '{} | number | 2']);
  const again = await variables();
  const more = await variables();
  expect(more.map(({ variablesReference }) => variablesReference)).toEqual(
    again.map(({ variablesReference }) => variablesReference),
  );
  expect(await debug('variables', { variablesReference: 999_999 })).toMatchObject({
    success: false,
    message: 'This value is gone: ask for the variables again.',
  });
});

it('tells one at length: a frame as a cell shows it, what shows itself by code of the user as text', async () => {
  const index = JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href);
  await kernel.run(`import { DataFrame } from ${index};
    const drawn = { a: 1, [Symbol.for('Jupyter.display')]: async () => ({ 'text/html': '<b>x</b>' }) };
    const framed = new DataFrame({ pnl: [1, 2] });`);
  expect((await debug('richInspectVariables', { variableName: 'drawn' })).body?.data).toEqual({
    'text/plain': '{ a: 1 }',
  });
  expect((await debug('richInspectVariables', { variableName: 'framed' })).body?.data).toEqual({
    'text/html': expect.stringContaining('<table'),
    'text/plain': expect.stringContaining('2 rows × 1 column'),
  });
  expect(await inWords()).toContain('framed | DataFrame | DataFrame 2 × 1');
  expect((await debug('richInspectVariables', { variableName: 'c' })).body?.data).toEqual({
    'text/plain': 'undefined',
  });
  expect(await debug('richInspectVariables', { variableName: 'noSuch' })).toMatchObject({
    success: false,
    message: 'No cell has given a value to "noSuch".',
  });
  expect(await debug('richInspectVariables', { variableName: 'process.exit()' })).toMatchObject({ success: false });
});

it('answers by what is true of a kernel without a debugger', async () => {
  expect(await debug('debugInfo')).toMatchObject({
    success: true,
    body: { isStarted: false, breakpoints: [], stoppedThreads: [], richRendering: true },
  });
  for (const command of ['initialize', 'attach', 'setBreakpoints', 'dumpCell', 'evaluate', ''])
    expect(await debug(command)).toMatchObject({ success: false, message: expect.stringContaining('no debugger') });
  expect(await kernel.ask('debug_request', {})).toMatchObject({ status: 'ok', success: false });
  expect(await kernel.ask('debug_request', { command: 5 })).toMatchObject({ status: 'error' });
});

it('shortens what is large, and tells nothing of what takes long', async () => {
  await kernel.run(`const many = Array.from({ length: 1e7 }, (_, at) => at); const text = 'x'.repeat(1e8);
    let nested = {}; for (let at = 0; at < 1e5; at += 1) nested = { nested };
    const wide = Object.fromEntries(Array.from({ length: 3e5 }, (_, at) => ['k' + at, at]));`);
  for (const name of ['many', 'text', 'nested', 'wide']) {
    const { body } = await debug('richInspectVariables', { variableName: name });
    expect(body?.data?.['text/plain']?.length).toBeLessThan(3000);
  }
  expect(await partsOf('wide')).toEqual(['… |  | more than can be listed in time']);
  let told: string[] = [];
  const look = async () => {
    told = await inWords();
    return told;
  };
  // On a busy machine the first looks may have no time for them.
  await expect
    .poll(look)
    .toEqual(
      expect.arrayContaining([
        'wide | Object | {…}',
        'many | Array | Array(10000000) [0, 1, 2, 3, 4, …]',
        'text | string | (100,000,000 characters)',
        'nested | Object | { nested: Object {…} }',
      ]),
    );
  expect(Math.max(...told.map((line) => line.length))).toBeLessThan(200);
});

it('tells what takes no time even where the rest takes all there is', async () => {
  await kernel.run(`const early = 0.5, word = 'short', none = null;
    ${Array.from({ length: 30 }, (_, at) => `const held${at} = {};`).join(' ')}
    const vast = [0, 1, 2].map((at) => Object.fromEntries(Array.from({ length: 3e5 }, (_, k) => ['k' + at + k, k])));
    const [vast0, vast1, vast2] = vast;`);
  const told = await inWords();
  expect(told).toEqual(
    expect.arrayContaining(['early | number | 0.5', 'word | string | "short"', 'none | null | null']),
  );
});

it('says soon that a cell computes, and answers while one waits', async () => {
  const computing = kernel.post('execute_request', {
    code: 'console.log("go"); for (const end = Date.now() + 3000; Date.now() < end;);',
  });
  await kernel.seen('go');
  expect(await debug('inspectVariables')).toMatchObject({ success: false, busy: true });
  expect(await kernel.ask('table_request', { name: 'rows' })).toMatchObject({ status: 'ok', busy: true, rows: [] });
  kernel.session.interrupt();
  await kernel.idle(computing);
  const waiting = kernel.post('execute_request', {
    code: 'let step = 1; console.log("waits"); await new Promise((r) => setTimeout(r, 60_000)); const unset = 1;',
  });
  await kernel.seen('waits');
  const told = await inWords();
  expect(told).toContain('step | number | 1');
  expect(told.some((line) => line.startsWith('unset'))).toBe(false);
  kernel.session.interrupt();
  await kernel.idle(waiting);
});

describe('a table', () => {
  it('is sorted and filtered, and follows its value', async () => {
    await kernel.run('const trades = [{ pnl: 3 }, { pnl: -1 }, { pnl: 10 }];');
    const ask = { name: 'trades', from: 0, count: 2, sort: { column: 'pnl', descending: true }, filter: 'pnl > 0' };
    expect(await kernel.ask('table_request', ask)).toEqual({
      status: 'ok',
      columns: [{ name: 'pnl', type: 'number' }],
      rows: [['10'], ['3']],
      whole: [['10'], ['3']],
      positions: [2, 0],
      total: 3,
      matched: 2,
    });
    await kernel.run('trades.push({ pnl: 7 });');
    expect(await kernel.ask('table_request', ask)).toMatchObject({ rows: [['10'], ['7']], total: 4, matched: 3 });
    await kernel.run('trades = 5', {});
    expect(await kernel.ask('table_request', { name: 'trades' })).toMatchObject({ status: 'ok', total: 4 });
    await kernel.run('let trades = 5');
    expect(await kernel.ask('table_request', { name: 'trades' })).toMatchObject({
      status: 'error',
      ename: 'InputError',
      evalue: '"trades" has no rows to show: it is neither a frame, nor an array, nor anything that gives rows.',
    });
    expect(await kernel.ask('table_request', {})).toMatchObject({ status: 'error' });
  });

  it('of a value that is gone keeps nothing of it', async () => {
    await kernel.run(
      'let held = [{ a: 1 }]; const gone = new WeakRef(held); const { setFlagsFromString } = await import("node:v8"); setFlagsFromString("--expose-gc");',
    );
    await kernel.ask('table_request', { name: 'held' });
    await variables();
    await kernel.run('held = undefined;');
    await kernel.run(
      'const { runInNewContext } = await import("node:vm"); await new Promise((r) => setTimeout(r, 10)); runInNewContext("gc")();',
    );
    const said = await kernel.run('gone.deref() === undefined');
    expect(said.find(({ type }) => type === 'execute_result')?.content.data).toEqual({ 'text/plain': 'true' });
  });
});

it('is empty again in a process that took the place of one that ended', async () => {
  const session = new TestSession();
  onTestFinished(() => session.close());
  await session.run('const x = 1');
  await session.run('process.exit()');
  expect(await session.ask('debug_request', { command: 'inspectVariables', seq: 1 })).toMatchObject({
    success: true,
    body: { variables: [] },
  });
});

it('looks at the newest of ten thousand names, and at as many of the others as there is time for', async () => {
  const shared = kernel;
  kernel = new TestSession();
  onTestFinished(async () => {
    await kernel.close();
    kernel = shared;
  });
  await kernel.run(Array.from({ length: 10_000 }, (_, at) => `const n${at} = { at: ${at} };`).join('\n'));
  let told: string[] = [];
  const newest = async () => {
    told = await inWords();
    return told.at(-1);
  };
  // On a busy machine the first look may have no time for any.
  await expect.poll(newest).toBe('n9999 | Object | { at: 9999 }');
  expect(told.map((line) => line.replace(/(Object \| \{ at: \d+ \}|Object \| \{…\}| \| …)$/, ''))).toEqual(
    Array.from({ length: 10_000 }, (_, at) => `n${at} | `),
  );
});
