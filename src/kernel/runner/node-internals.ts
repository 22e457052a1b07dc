import { ChildProcess } from 'node:child_process';
import Module from 'node:module';
import { connect } from 'node:net';
import timers from 'node:timers';

// All that the runner needs of Node without Node's documentation promising it: names of its files, private functions and
// fields, and texts. On a Node where one of them has changed, test/kernel/runner/node-internals.test.ts names it.

/** Node code that must run to its end: ending it midway would corrupt its state, and Node would abort. */
export const NODE_BOOKKEEPING = /^node:(internal\/)?(async_hooks|timers|process\/|async_local_storage)/;
/** Node code that loads another part of Node, which would stay half loaded for ever. */
export const BUILTIN_LOADER = 'node:internal/bootstrap/realm';
/** Node code that loads modules. */
export const MODULE_LOADERS = /^node:internal\/modules\//;
/** Of these, what loads ES modules, also on behalf of `import` of a CommonJS package: it remembers what it has begun. */
export const ES_MODULE_LOADERS = /^node:internal\/modules\/esm\//;
/** Node code that reads the files of ES modules; it never keeps the event loop from its next turn. */
export const MODULE_READER = 'node:internal/fs/promises';
/** Node code that calls one callback after another and must learn of the end of each. */
export const TIMER_CALLER = /^node:internal\/timers/;
/** Node code that runs between two such callbacks. */
export const BETWEEN_CALLBACKS = /^node:internal\/process\/task_queues/;
/** The code of node:test, whose listeners get the errors of everything that runs beside a test. */
export const TEST_RUNNER = /^node:internal\/test_runner\//;

/** How `inspect` prints a pending promise: nothing else tells, without awaiting it, that it is not settled. */
export const PENDING_PROMISE = /\{\s*<pending>/;
/** The types in `process.getActiveResourcesInfo` of work that should end: open connections, but not servers. */
export const ENDING_RESOURCES = /^(FSReq|GetAddrInfo|TCPConnect|TCPSocket|Process)/;

/** Node's timer functions, kept because the runner and the cells' code replace the global ones. */
export const setImmediateOfNode = setImmediate;
export const setTimeoutOfNode = setTimeout;
export const clearTimeoutOfNode = clearTimeout;

/** What a function that starts a timer returns. */
export type Timer = NodeJS.Timeout | NodeJS.Immediate;

/** Whether a timer has been cancelled or has run for the last time. By the timers' field `_destroyed`. */
export function hasTimerEnded(timer: Timer): boolean {
  return Reflect.get(timer, '_destroyed') === true;
}

/** Whether a timer is an interval. By the timers' field `_repeat`. */
export function isInterval(timer: Timer): boolean {
  return Boolean(Reflect.get(timer, '_repeat'));
}

const INSPECT = Symbol.for('nodejs.util.inspect.custom');
const TRACKING = ['async_id_symbol', 'trigger_async_id_symbol', 'kResourceStore', 'destroyed'];

/** Keeps the properties by which Node tracks async contexts, known by the names of their symbols, out of printed promises. */
export function printPromisesPlainly(): void {
  Object.defineProperty(Promise.prototype, INSPECT, {
    value: function (this: object) {
      for (const symbol of Object.getOwnPropertySymbols(this)) {
        if (!TRACKING.includes(symbol.description ?? '')) continue;
        Object.defineProperty(this, symbol, { enumerable: false });
      }
      // Returning the object itself makes `inspect` print it as usual.
      return this;
    },
    configurable: true,
    writable: true,
  });
}

type Capture = Parameters<typeof process.setUncaughtExceptionCaptureCallback>[0];

// As the module `domain` replaces it by one that only refuses.
const { setUncaughtExceptionCaptureCallback: setCapture } = process;
/** What gets uncaught errors now, as cells or `domain` have set it: Node tells nobody. */
let capture: Capture = null;

/** Notes from now on what is set to get uncaught errors, so that {@link forgetAsyncContexts} can put it back. */
export function followCaptures(): void {
  process.setUncaughtExceptionCaptureCallback = (callback) => {
    setCapture(callback);
    capture = callback;
  };
}

/**
 * Empties Node's stack of async contexts. Code must exit each level in turn; terminated code does not, and Node would
 * abort. Node's handling of an uncaught exception, `process._fatalException`, empties the stack; the `setImmediate` that
 * it then calls must not count as work of a cell.
 */
export function forgetAsyncContexts(): void {
  const recover: unknown = Reflect.get(process, '_fatalException');
  if (typeof recover !== 'function') return;
  const { setImmediate: ofCells } = timers;
  timers.setImmediate = setImmediateOfNode;
  // One must go before another is set.
  setCapture(null);
  setCapture(() => {});
  Reflect.apply(recover, process, ['interrupt', false]);
  setCapture(null);
  if (capture) setCapture(capture);
  timers.setImmediate = ofCells;
}

/** Calls a function before Node loads a CommonJS file, whichever file requires it. By `Module.prototype.load`. */
export function beforeLoading(call: (module: NodeModule, path: string) => void): void {
  const load = Reflect.get(Module.prototype, 'load') as (this: NodeModule, path: string) => unknown;
  Reflect.set(Module.prototype, 'load', function (this: NodeModule, path: string) {
    call(this, path);
    return load.call(this, path);
  });
}

type Folders = readonly string[] | null | undefined;

/** Narrows the folders in which Node looks for what is required or imported. By `Module._findPath`. */
export function narrowLookups(narrow: (request: string, folders: Folders) => Folders): void {
  const find: unknown = Reflect.get(Module, '_findPath');
  if (typeof find !== 'function') return;
  Reflect.set(Module, '_findPath', (request: string, folders: Folders, ...rest: unknown[]) =>
    Reflect.apply(find, Module, [request, narrow(request, folders), ...rest]),
  );
}

/** A child process whose streams may be taken from it. */
export interface Spawned {
  pid?: number | undefined;
  once(event: 'exit', listener: () => void): unknown;
  stdio: unknown[];
  stdout: unknown;
  stderr: unknown;
  ref(): unknown;
  unref(): unknown;
}

/** What Node starts a child process with, whichever of its functions is called. */
type SpawnOptions = { stdio?: unknown };

/**
 * Calls a function before Node starts a child process that it does not wait for, and what that function returns, after.
 * By the method `spawn` of child processes.
 */
export function whenSpawning(prepare: (options: SpawnOptions) => ((child: Spawned) => void) | undefined): void {
  const { prototype } = ChildProcess as unknown as { prototype: object };
  const spawn = Reflect.get(prototype, 'spawn') as (this: object, options: SpawnOptions) => unknown;
  Reflect.set(prototype, 'spawn', function (this: Spawned, options: SpawnOptions) {
    const after = prepare(options);
    const result = spawn.call(this, options);
    after?.(this);
    return result;
  });
}

/** A connection whose file descriptor a child can get. */
export interface Connection {
  fd: number;
  close(): void;
}

/**
 * Connects to a socket in the file system at once; undefined if there can be none. If nobody listens, writing throws. By
 * the field `_handle` of sockets.
 */
export function connectNow(path: string): Connection | undefined {
  const socket = connect(path).on('error', () => {});
  const fd: unknown = Reflect.get(Object(Reflect.get(socket, '_handle')), 'fd');
  if (typeof fd === 'number' && fd >= 0) return { fd, close: () => void socket.destroy() };
  socket.destroy();
  return undefined;
}

/** Runs code as that of a CommonJS file. By the method `_compile` of a module. */
export function compileCommonJs(module: NodeModule, code: string, path: string): void {
  const compile = Reflect.get(module, '_compile') as (this: NodeModule, code: string, path: string) => void;
  compile.call(module, code, path);
}
