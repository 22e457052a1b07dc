import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { types } from 'node:util';
import { makeQuiet } from '../display/mime-bundle.js';
import { TEST_REPORTER } from '../wire/test-reporter.js';
import type { CellContext } from './cell-work.js';
import type { Namespace } from './import-package.js';

type Run = (this: unknown, ...parameters: unknown[]) => unknown;

/** An event of node:test. */
interface TestEvent {
  type: string;
  data: { name?: string; nesting?: number; todo?: unknown };
}

interface TestListener {
  print: (cell: number, text: string) => void;
  onFailed: (cell: number) => void;
}

/** The functions of node:test that make tests, and those that are properties of these. */
const MAKERS = ['test', 'it', 'describe', 'suite'];
const VARIANTS = ['skip', 'todo', 'only', ...MAKERS];

/**
 * Makes the `node:test` of cells. All tests of a process are those of one run, which tells of them in the order in which
 * they were made, in the name of whoever made the first; here, each test runs for its cell, and what is told of it goes
 * there.
 *
 * @param listener.print Gets what is told of a cell's tests.
 * @param listener.onFailed Gets each cell of which a test has failed.
 * @returns Gives the module; it is loaded at the first call.
 */
export function cellTests(context: CellContext, { print, onFailed }: TestListener): () => Namespace {
  const inside = new AsyncLocalStorage<true>();
  /** The tests of which nothing has been told yet, in the order in which they were made. */
  const made: { name: string; cell: number }[] = [];
  const begun = new Set<number>();
  let told: number | undefined;
  const cellOf = ({ type, data }: TestEvent): number => {
    if (type === 'test:start' && data.nesting === 0) {
      const at = made.findIndex(({ name }) => name === data.name);
      if (at !== -1) told = made.splice(at, 1)[0]?.cell;
    }
    return told ?? context.current();
  };
  const report = async function* (events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
    const { tap } = createRequire(import.meta.url)('node:test/reporters') as {
      tap(events: TestEvent[]): AsyncIterable<string>;
    };
    for await (const event of events) {
      const cell = cellOf(event);
      if (event.type === 'test:fail' && !event.data.todo) onFailed(cell);
      const parts: string[] = [];
      for await (const part of tap([event])) parts.push(part);
      // The first names the format, once for each cell.
      const text = parts.slice(1).join('');
      if (text === '') continue;
      print(cell, begun.has(cell) ? text : parts.join(''));
      begun.add(cell);
      // Nothing is left to be written to the process's streams.
      yield '';
    }
  };
  Object.defineProperty(globalThis, TEST_REPORTER, { value: report });
  const forCell = (task: Run): Run => {
    const cell = context.current();
    const run: Run = function (...parameters) {
      return context.run(cell, () => inside.run(true, () => Reflect.apply(task, this, parameters)));
    };
    // node:test tells by the length whether a test takes a callback.
    return Object.defineProperties(run, { name: { value: task.name }, length: { value: task.length } });
  };
  const maker = (original: Run): Run => {
    const wrapped: Run = function (...parameters) {
      const given = parameters.map((each) => (typeof each === 'function' ? forCell(each as Run) : each));
      const [first] = parameters;
      const task = parameters.find((each) => typeof each === 'function') as Run | undefined;
      const name = typeof first === 'string' ? first : task?.name || '<anonymous>';
      if (!inside.getStore()) made.push({ name, cell: context.current() });
      const reported: unknown = Reflect.apply(original, this, given);
      // Where a cell ends in it, the promise of a test says nothing that its report does not.
      return types.isPromise(reported) ? makeQuiet(reported) : reported;
    };
    return Object.defineProperties(wrapped, { name: { value: original.name }, length: { value: original.length } });
  };
  let module: Namespace | undefined;
  const load = (): Namespace => {
    const original = createRequire(import.meta.url)('node:test') as Run & Namespace;
    const wrappers = new Map<unknown, Run>();
    const wrapperOf = (each: Run): Run => wrappers.get(each) ?? wrap(each);
    const wrap = (each: Run): Run => {
      const wrapper = maker(each);
      wrappers.set(each, wrapper);
      for (const name of Object.keys(each)) {
        const member: unknown = Reflect.get(each, name);
        const isMaker = typeof member === 'function' && VARIANTS.includes(name);
        Reflect.set(wrapper, name, isMaker ? wrapperOf(member as Run) : member);
      }
      return wrapper;
    };
    const whole = wrapperOf(original);
    return { ...(whole as unknown as Namespace), default: whole };
  };
  return () => {
    module ??= load();
    return module;
  };
}
