import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import { createRequire } from 'node:module';
import { types } from 'node:util';
import { makeQuiet } from '../display/mime-bundle.js';
import { TEST_REPORTER, testReporterFlags } from '../wire/test-reporter.js';
import type { CellContext } from './cell-work.js';
import type { Namespace } from './import-package.js';
import { clearTimeoutOfNode, setTimeoutOfNode } from './node-internals.js';

type Run = (this: unknown, ...parameters: unknown[]) => unknown;

/** An event of node:test. */
interface TestEvent {
  type: string;
  data: { name?: string; nesting?: number; todo?: unknown };
}

interface TestListener {
  print: (cell: number, text: string, name?: 'stdout' | 'stderr') => void;
  onFailed: (cell: number) => void;
}

/** The functions of node:test that make tests, and those that are properties of these. */
const MAKERS = ['test', 'it', 'describe', 'suite'];
const VARIANTS = ['skip', 'todo', 'only', ...MAKERS];

/** How long a cell waits for the tests that it began and does not await. */
const PATIENCE_MS = 30_000;
const LATE =
  'A test that this cell began is not over after 30 seconds, and the cell ends without it. To wait for it, write await test(…).\n';

/**
 * Makes the `node:test` of cells. All tests of a process are those of one run, which tells of them in the order in which
 * they were made, in the name of whoever made the first; here, each test runs for its cell, and what is told of it goes
 * there.
 *
 * @param listener.print Gets what is told of a cell's tests.
 * @param listener.onFailed Gets each cell of which a test has failed.
 */
export function cellTests(context: CellContext, { print, onFailed }: TestListener) {
  const inside = new AsyncLocalStorage<true>();
  const running = new RunningTests();
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
      const isOver = event.data.nesting === 0 && (event.type === 'test:pass' || event.type === 'test:fail');
      if (event.type === 'test:fail' && !event.data.todo) onFailed(cell);
      const parts: string[] = [];
      for await (const part of tap([event])) parts.push(part);
      // The first names the format, once for each cell.
      const text = parts.slice(1).join('');
      if (text !== '') print(cell, begun.has(cell) ? text : parts.join(''));
      if (text !== '') begun.add(cell);
      if (isOver) running.end(cell);
      if (text === '') continue;
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
      const isOuter = !inside.getStore();
      const cell = context.current();
      if (isOuter) made.push({ name, cell });
      const reported: unknown = Reflect.apply(original, this, isOuter ? running.begin(cell, given) : given);
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
  return {
    /** The module; it is loaded at the first call. */
    module(): Namespace {
      module ??= load();
      return module;
    },
    /** Resolves once all has been told of the tests that a cell began; after half a minute says that some are not over. */
    async settled(cell: number): Promise<void> {
      if (!(await running.settled(cell))) print(cell, LATE, 'stderr');
    },
    /** Ends the tests of a cell that was interrupted; those of later cells would wait for them. */
    cancel: (cell: number): void => running.cancel(cell),
  };
}

/** The tests that are not over, by the cell that began them; not those within other tests. */
class RunningTests {
  readonly #cells = new Map<number, { count: number; abort: AbortController; resume: () => void }>();

  /** Notes a test of a cell; returns what it is to be called with, so that it can be ended. */
  begin(cell: number, parameters: readonly unknown[]): unknown[] {
    const entry = this.#cells.get(cell) ?? { count: 0, abort: new AbortController(), resume: () => {} };
    if (entry.count === 0) setMaxListeners(0, entry.abort.signal);
    this.#cells.set(cell, entry);
    entry.count += 1;
    return withSignal(parameters, entry.abort.signal);
  }

  end(cell: number): void {
    const entry = this.#cells.get(cell);
    if (!entry) return;
    entry.count -= 1;
    if (entry.count > 0) return;
    this.#cells.delete(cell);
    entry.resume();
  }

  cancel(cell: number): void {
    this.#cells.get(cell)?.abort.abort();
  }

  /** Resolves once a cell has no test under way; to false if that takes too long. */
  settled(cell: number): Promise<boolean> {
    const entry = this.#cells.get(cell);
    // A reporter of the user's own choice tells nothing here.
    if (!entry || testReporterFlags(process.env).length === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeoutOfNode(() => resolve(false), PATIENCE_MS);
      entry.resume = () => {
        clearTimeoutOfNode(timer);
        resolve(true);
      };
    });
  }
}

/** The parameters of a function of node:test, `([name], [options], [task])`, with a signal among the options. */
function withSignal(parameters: readonly unknown[], signal: AbortSignal): unknown[] {
  const at = parameters.findIndex((each) => typeof each === 'object' && each !== null);
  const task = parameters.findIndex((each) => typeof each === 'function');
  if (at === -1) return parameters.toSpliced(task === -1 ? parameters.length : task, 0, { signal });
  const options = parameters[at] as { signal?: AbortSignal };
  const both = options.signal ? AbortSignal.any([options.signal, signal]) : signal;
  return parameters.with(at, { ...options, signal: both });
}
