import { expect, it, onTestFinished } from 'vitest';
import { TestSession } from './test-session.js';

interface Debugged {
  success: boolean;
  message?: string;
  body?: { variables?: { name: string; value: string; variablesReference: number; isTable?: true }[]; data?: object };
}

function session() {
  const kernel = new TestSession();
  onTestFinished(() => kernel.close());
  const debug = async (command: string, given: object = {}): Promise<Debugged> =>
    (await kernel.ask('debug_request', { seq: 7, type: 'request', command, arguments: given })) as unknown as Debugged;
  return { kernel, debug };
}

/** All that may be asked of all variables. */
async function all({ kernel, debug }: ReturnType<typeof session>): Promise<unknown[]> {
  const { body } = await debug('inspectVariables');
  const told: unknown[] = [body];
  for (const { name, variablesReference, isTable } of body?.variables ?? []) {
    told.push(await debug('richInspectVariables', { variableName: name }));
    if (variablesReference > 0) told.push(await debug('variables', { variablesReference }));
    const ask = { name, from: 0, count: 5, filter: 'x', sort: { column: 'value', descending: true } };
    if (isTable) told.push(await kernel.ask('table_request', ask), await kernel.ask('table_request', { name }));
  }
  return told;
}

const INDEX = JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href);
const VALUES = `import { DataFrame } from ${INDEX};
const rows = [{ a: 1, b: 'x' }, { a: 2, b: 'y' }]; const map = new Map([['k', [1]]]); const set = new Set(['x']);
const text = 'x'.repeat(200); const made = { x: -0, list: [1, 2, 3], day: new Date(0), [Symbol('s')]: 1 };
class Fee { rate = 2 } const fee = new Fee(); const numbers = new Float64Array(30); const big = 5n; const pattern = /a/g;
const twice = (a: number, b = 2) => a * b; const failed = new TypeError('x'); const done = Promise.resolve(1);
const framed = new DataFrame({ pnl: [1, 2], label: ['x', 'y'] }); const entries = Object.fromEntries([['a', 1]]);`;

/** Replaces what all built-in objects give by functions that count their calls, and what lists and objects inherit. */
const REPLACE = `const calls: Record<string, number> = Object.create(null);
(() => {
  const { apply, construct, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
  const types = require('node:util').types;
  const iterators = [[].values(), new Map().values(), new Set().values(), ''[Symbol.iterator](), (function* () {})()];
  const all: [string, any][] = [['types', types], ['fs', require('node:fs')],
    ['performance', Object.getPrototypeOf(performance)], ['typed', Object.getPrototypeOf(Uint8Array.prototype)],
    ...iterators.map((each, at): [string, any] => ['iterator' + at, Object.getPrototypeOf(each)]),
    ...[Object, Array, Number, String, Boolean, BigInt, Symbol, JSON, Math, Reflect, Map, Set, WeakMap, RegExp, Date, Buffer]
      .flatMap((of: any): [string, any][] => [[of.name ?? 'object', of], ...(of.prototype ? [[of.name + '.prototype', of.prototype] as [string, any]] : [])])];
  for (const [name, of] of all) for (const key of ownKeys(of)) {
    const property = getOwnPropertyDescriptor(of, key)!;
    const was = property.value;
    if (typeof was !== 'function' || key === 'constructor' || !property.configurable) continue;
    const counted = function (this: any, ...given: any[]) {
      calls[name + '.' + String(key)] = (calls[name + '.' + String(key)] ?? 0) + 1;
      return new.target ? construct(was, given, new.target) : apply(was, this, given);
    };
    for (const own of ownKeys(was)) if (own !== 'length' && own !== 'name' && own !== 'prototype')
      defineProperty(counted, own, getOwnPropertyDescriptor(was, own)!);
    defineProperty(of, key, { ...property, value: counted });
  }
  for (const of of [Object.prototype, Array.prototype] as any[])
    Object.defineProperty(of, 'toJSON', { value() { calls.toJSON = 1; return this; }, configurable: true });
  Object.setPrototypeOf(Array.prototype, new Proxy(Object.prototype, { get(target, key) { calls.proxy = 1; return target[key]; } }));
})();`;

/** What Node.js itself calls in the loop that reads what is asked. */
const OF_NODE = /^Array\.prototype\.pop$/;

/** The calls of replaced functions while a cell waits and `task` runs; those that a wait itself makes are among them. */
async function callsDuring({ kernel }: ReturnType<typeof session>, task: () => Promise<unknown>) {
  const waiting = kernel.post('execute_request', {
    code: `let during = {}; await new Promise((resolve) => {
      setTimeout(() => { for (const each in calls) delete calls[each]; }, 500);
      setTimeout(() => { during = { ...calls }; resolve(0); }, 3000);
    });`,
  });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await task();
  await kernel.idle(waiting);
  const last = await kernel.run('console.log(JSON.stringify(during))');
  const [text = '{}'] = last.flatMap(({ type, content }) => (type === 'stream' ? [String(content.text)] : []));
  return JSON.parse(text) as Record<string, number>;
}

it('nothing of the user’s runs where cells have replaced what JavaScript and Node.js give', async () => {
  const own = session();
  await own.kernel.run(VALUES);
  const before = await all(own);
  expect(before.length).toBeGreaterThan(30);
  await own.kernel.run(REPLACE);
  const unasked = await callsDuring(own, async () => {});
  let told: unknown[] = [];
  const asked = await callsDuring(own, async () => {
    told = await all(own);
  });
  const [first, ...others] = told as [{ variables: { name: string }[] }, ...unknown[]];
  const isOld = ({ name }: { name: string }): boolean => name !== 'calls' && name !== 'during';
  expect(first.variables.filter(isOld)).toEqual((before[0] as { variables: object[] }).variables);
  expect(others.slice(0, before.length - 1)).toEqual(before.slice(1));
  const more = Object.entries(asked).filter(([name, count]) => count > (unasked[name] ?? 0) && !OF_NODE.test(name));
  expect(more).toEqual([]);
});

it('the user’s own iteration runs by what the user has put in the place of built-in functions', async () => {
  const { kernel } = session();
  await kernel.run(`Array.prototype.lastIndexOf = (() => 'mine') as any;
    (Array.prototype as any).last = function () { return this[this.length - 1]; };
    class Rows { *[Symbol.iterator]() { yield { a: [1].lastIndexOf(1), b: ([1, 2] as any).last() }; } }
    const rows = new Rows();`);
  expect(await kernel.ask('table_request', { name: 'rows' })).toMatchObject({ rows: [['mine', '2']] });
  const said = await kernel.run('[1].lastIndexOf(1)');
  expect(said.find(({ type }) => type === 'execute_result')?.content.data).toEqual({ 'text/plain': "'mine'" });
});

it('what has been replaced for good is not called, either', async () => {
  const { kernel, debug } = session();
  await kernel.run(`let ran = 0; const { map } = Array.prototype; const x = [1];
    const value = function (this: any, ...given: any) { ran += 1; return map.apply(this, given); };
    Object.defineProperty(Array.prototype, 'map', { value, configurable: false, writable: false });`);
  expect(await debug('inspectVariables')).toMatchObject({
    success: false,
    message: expect.stringContaining('have been replaced for good'),
  });
  const said = await kernel.run('x');
  expect(said.find(({ type }) => type === 'execute_result')?.content.data).toEqual({ 'text/plain': '[ 1 ]' });
});
