import { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } from 'node:async_hooks';
import { execFile, spawnSync } from 'node:child_process';
import { stat as statWithCallback, writeSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { type Runtime, Session } from 'node:inspector';
import Module, { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect, promisify } from 'node:util';
import { constants, Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  BETWEEN_CALLBACKS,
  BUILTIN_LOADER,
  beforeLoading,
  compileCommonJs,
  connectNow,
  ENDING_RESOURCES,
  ES_MODULE_LOADERS,
  forgetAsyncContexts,
  hasTimerEnded,
  isInterval,
  MODULE_LOADERS,
  MODULE_READER,
  NODE_BOOKKEEPING,
  narrowLookups,
  PENDING_PROMISE,
  printPromisesPlainly,
  TEST_RUNNER,
  TIMER_CALLER,
} from '../../../src/kernel/runner/node-internals.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

// Each test is named after something of Node that no documentation promises, and what the runner needs it for. Where one
// fails, this Node has changed it: mend src/kernel/runner/node-internals.ts.

const require = createRequire(import.meta.url);
const files = Symbol.for('oddslab.test.files');

/** The files of the calls that lead here, innermost first, without this test's own. */
function filesNow(): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 100;
    Error.prepareStackTrace = (_, sites) =>
      sites.filter((site) => !site.isAsync()).map((site) => site.getScriptNameOrSourceURL() ?? '');
    return (new Error().stack as unknown as string[]).filter((name) => name.startsWith('node:'));
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

/** The same where a callback runs that `start` has started. */
function filesIn(start: (callback: () => void) => unknown): Promise<string[]> {
  return new Promise((resolve) => start(() => resolve(filesNow())));
}

/** Writes a module of that name that notes the files of the calls by which it is loaded. */
async function noting(name: string): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(
    path,
    'globalThis[Symbol.for("oddslab.test.files")].noted = globalThis[Symbol.for("oddslab.test.files")]();',
  );
  Object.assign(globalThis, { [files]: filesNow });
  return path;
}

function noted(): string[] {
  return (filesNow as { noted?: string[] }).noted ?? [];
}

describe('files of Node, by which an interrupt knows what it may end', () => {
  it.each<[string, (callback: () => void) => unknown]>([
    ['node:internal/timers, where a timer is called', (call) => setTimeout(call, 1)],
    ['node:internal/timers, where an immediate is called', (call) => setImmediate(call)],
    ['node:internal/process/task_queues, where a tick is called', (call) => process.nextTick(call)],
    ['node:async_hooks, where a context is entered', (call) => new AsyncResource('test').runInAsyncScope(call)],
    ['node:async_hooks or node:internal/async_local_storage', (call) => new AsyncLocalStorage().run(1, call)],
  ])('%s: NODE_BOOKKEEPING must run to its end', async (_, start) => {
    const [innermost] = await filesIn(start);
    expect(innermost).toMatch(NODE_BOOKKEEPING);
  });

  it('node:internal/timers: TIMER_CALLER calls one callback after another', async () => {
    expect(await filesIn((call) => setTimeout(call, 1))).toContainEqual(expect.stringMatching(TIMER_CALLER));
  });

  it('node:internal/process/task_queues: BETWEEN_CALLBACKS runs within TIMER_CALLER', async () => {
    const seen = await filesIn((call) => {
      setTimeout(() => process.nextTick(call), 1);
      setTimeout(() => {}, 1);
      // Both are due in one turn.
      for (const start = performance.now(); performance.now() - start < 5; );
    });
    expect(seen[0]).toMatch(BETWEEN_CALLBACKS);
    expect(seen.at(-1)).toMatch(TIMER_CALLER);
  });

  it('node:internal/bootstrap/realm: BUILTIN_LOADER loads parts of Node', () => {
    const { emitWarning } = process;
    let seen: string[] = [];
    // This part warns while it is loaded that nobody should.
    Object.assign(process, {
      emitWarning() {
        seen = filesNow();
      },
    });
    require('node:sys');
    Object.assign(process, { emitWarning });
    expect(seen).toContain(BUILTIN_LOADER);
  });

  it('node:internal/modules/: MODULE_LOADERS load CommonJS files', async () => {
    require(await noting('noting.cjs'));
    expect(noted()).toContainEqual(expect.stringMatching(MODULE_LOADERS));
    expect(noted()).not.toContainEqual(expect.stringMatching(ES_MODULE_LOADERS));
  });

  it('node:internal/modules/esm/: ES_MODULE_LOADERS load ES modules', async () => {
    const { href } = pathToFileURL(await noting('noting.mjs'));
    const load = new Script(`import(${JSON.stringify(href)})`, {
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    await load.runInThisContext();
    expect(noted()).toContainEqual(expect.stringMatching(ES_MODULE_LOADERS));
  });

  it('node:internal/fs/promises: MODULE_READER reads the files of ES modules', async () => {
    let seen: string[] = [];
    const options = { encoding: 'utf8' as const };
    Object.defineProperty(options, 'signal', {
      get() {
        seen = filesNow();
        return undefined;
      },
      enumerable: true,
    });
    await readFile(import.meta.filename, options);
    expect(seen).toContain(MODULE_READER);
  });

  it('node:internal/test_runner/: TEST_RUNNER listens for the errors of what runs beside a test', async () => {
    const program = `
      process.on('newListener', (event) => {
        if (event === 'uncaughtException') process.stdout.write(new Error().stack);
      });
      require('node:test').test('a', () => {});`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], {
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
    expect(stdout.match(/node:[\w/]+/g)).toContainEqual(expect.stringMatching(TEST_RUNNER));
  });
});

describe('functions and fields of Node', () => {
  it('process._fatalException: forgets the async contexts of ended code, which Node would abort for', async () => {
    const ids = await new Promise<number[]>((resolve) => {
      setImmediate(() => {
        const within = executionAsyncId();
        forgetAsyncContexts();
        resolve([within, executionAsyncId()]);
      });
    });
    expect(ids).toEqual([expect.any(Number), 0]);
    expect(ids[0]).toBeGreaterThan(0);
  });

  it('_destroyed of a timer: an interrupted cell’s timers are cancelled, those that ended are forgotten', async () => {
    const waiting = setTimeout(() => {}, 60_000);
    expect(hasTimerEnded(waiting)).toBe(false);
    clearTimeout(waiting);
    expect(hasTimerEnded(waiting)).toBe(true);
    let ran: NodeJS.Immediate | undefined;
    await new Promise<void>((resolve) => {
      ran = setImmediate(resolve);
      expect(hasTimerEnded(ran)).toBe(false);
    });
    expect(ran && hasTimerEnded(ran)).toBe(true);
  });

  it('_repeat of a timer: intervals are not waited for at the end of a notebook', () => {
    const [once, again] = [setTimeout(() => {}, 60_000), setInterval(() => {}, 60_000)];
    expect([isInterval(once), isInterval(again)]).toEqual([false, true]);
    clearTimeout(once);
    clearInterval(again);
  });

  it('Module.prototype.load: files that were edited are known, so that require() reloads them', async () => {
    const path = await noting('loaded.cjs');
    const { load } = Module.prototype as unknown as { load: unknown };
    const loaded: [unknown, string][] = [];
    beforeLoading((module, file) => loaded.push([module.filename ?? module.id, file]));
    require(path);
    Object.assign(Module.prototype, { load });
    expect(loaded).toEqual([[path, path]]);
  });

  it('Module._findPath: packages that are installed meanwhile are found', () => {
    const { _findPath } = Module as unknown as { _findPath: unknown };
    const asked: [string, boolean][] = [];
    narrowLookups((request, folders) => {
      asked.push([request, (folders ?? []).some((folder) => folder.endsWith('node_modules'))]);
      return [];
    });
    expect(() => require('vitest')).toThrow('Cannot find module');
    Object.assign(Module, { _findPath });
    expect(asked).toEqual([['vitest', true]]);
  });

  it('module._compile: require() loads .cts files', () => {
    const module = new Module(join(import.meta.dirname, 'made.cts')) as unknown as NodeModule;
    compileCommonJs(module, 'module.exports = 1 + 1;', module.id);
    expect(module.exports).toBe(2);
  });

  it('import.meta.resolve with a second parameter: a cell’s import.meta.resolve', async () => {
    const program = 'process.stdout.write(import.meta.resolve("./b.mjs", "file:///a/"))';
    const flags = ['--experimental-import-meta-resolve', '--input-type=module'];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', program]);
    expect(stdout).toBe('file:///a/b.mjs');
  });

  it('Session.post of the inspector: evaluates before it returns, so that a call can be bounded', () => {
    const session = new Session();
    session.connect();
    let value: unknown;
    session.post('Runtime.evaluate', { expression: '1 + 1' }, (_, answer) => {
      value = answer.result.value;
    });
    expect(value).toBe(2);
    session.disconnect();
  });

  it('replMode of the inspector: cells declare names again', async () => {
    const session = new Session();
    session.connect();
    const evaluate = (expression: string): Promise<unknown> =>
      new Promise((resolve) => {
        const parameters: Runtime.EvaluateParameterType & { replMode: boolean } = {
          expression,
          replMode: true,
          awaitPromise: true,
        };
        session.post('Runtime.evaluate', parameters, (_, { result }) => resolve(result.value));
      });
    expect(await evaluate('let oddslabCanary = 1; oddslabCanary')).toBe(1);
    expect(await evaluate('let oddslabCanary = await 2; oddslabCanary')).toBe(2);
    session.disconnect();
  });
});

describe('texts of Node', () => {
  it('how inspect prints promises: whether a cell’s last value is pending is known without awaiting it', () => {
    const print = (value: unknown): string => inspect(value, { customInspect: false, depth: 0 });
    expect(print(new Promise(() => {}))).toMatch(PENDING_PROMISE);
    expect(print(Promise.resolve('a'))).not.toMatch(PENDING_PROMISE);
  });

  it('names of the symbols by which promises are tracked: they are not printed', () => {
    const hook = createHook({ init() {} }).enable();
    printPromisesPlainly();
    const printed = new AsyncLocalStorage().run(1, () => inspect(Promise.resolve(1)));
    hook.disable();
    Reflect.deleteProperty(Promise.prototype, inspect.custom);
    expect(printed).toBe('Promise { 1 }');
  });

  it('the field `_handle` of sockets: a child that is waited for writes into a connection that is read elsewhere', async () => {
    const path = join(await temporaryFolder(), 'socket');
    const server = createServer().listen(path);
    await new Promise((resolve) => server.once('listening', resolve));
    const heard = new Promise((resolve) =>
      server.once('connection', (socket) => socket.setEncoding('utf8').once('data', resolve)),
    );
    const connection = connectNow(path);
    spawnSync(process.execPath, ['-e', 'console.log(1)'], { stdio: ['ignore', connection?.fd, 'ignore'] });
    connection?.close();
    expect(await heard).toBe('1\n');
    server.close();
    const alone = connectNow(`${path}-none`);
    expect(() => writeSync(alone?.fd ?? -1, '1')).toThrow();
    alone?.close();
  });

  it('types of active resources: what ends by itself is waited for at the end of a notebook, servers are not', async () => {
    const count = (): number => process.getActiveResourcesInfo().filter((type) => ENDING_RESOURCES.test(type)).length;
    const before = count();
    const server = createServer().listen(0);
    await new Promise((resolve) => server.once('listening', resolve));
    expect(count()).toBe(before);
    // Not readFile, whose first request Node 26 makes a moment later.
    const read = new Promise((resolve) => statWithCallback(import.meta.filename, resolve));
    expect(count()).toBe(before + 1);
    const child = execFile(process.execPath, ['-e', '']);
    expect(count()).toBeGreaterThan(before + 1);
    await Promise.all([read, new Promise((resolve) => child.once('close', resolve))]);
    server.close();
  });
});
