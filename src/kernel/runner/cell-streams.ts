import { Console } from 'node:console';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { StringDecoder } from 'node:string_decoder';
import { InputError } from '../../base/errors.js';
import type { InputRequest } from '../wire/runner.js';
import type { CellContext } from './cell-work.js';
import type { OutputQueue } from './output-queue.js';

/** Redirects to `onText` what is written to the process's streams, also by `console`; `console.clear()` to `onClear`. */
export function captureStreams(onText: (name: 'stdout' | 'stderr', text: string) => void, onClear: () => void): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const decoder = new StringDecoder('utf8');
    const write = (chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean => {
      const isOther = typeof encoding === 'string' && !/^utf-?8$/i.test(encoding) && Buffer.isEncoding(encoding);
      const bytes = typeof chunk !== 'string' ? Buffer.from(chunk) : isOther ? Buffer.from(chunk, encoding) : undefined;
      const text = bytes ? decoder.write(bytes) : String(chunk);
      if (text !== '') onText(name, text);
      const done = typeof encoding === 'function' ? encoding : callback;
      if (typeof done === 'function') process.nextTick(() => done());
      return true;
    };
    process[name].write = write;
  }
  printWithoutInspector();
  // Node's own clears only terminals.
  console.clear = onClear;
}

/** Makes `console` print directly: a connected inspector is told of each call, too, at ten times the cost. */
function printWithoutInspector(): void {
  const { stdout, stderr } = process;
  const plain = new Console({ stdout, stderr, ignoreErrors: false, colorMode: false });
  for (const [name, method] of Object.entries(plain)) {
    if (typeof method === 'function' && name in console) Reflect.set(console, name, method);
  }
}

type Call = (this: unknown, ...parameters: unknown[]) => unknown;

/** Functions that block the process for long, or end it. */
const BLOCKING: Record<string, string[]> = {
  'node:child_process': ['execSync', 'execFileSync', 'spawnSync'],
  'node:process': ['abort', 'kill'],
};

/**
 * Calls `act` before each Node function that blocks or ends the process, so that nothing printed is lost, and `wait` in
 * place of those that wait for a child process, with their parameters and what calls them.
 */
export function beforeBlocking(
  act: () => void,
  wait: (parameters: unknown[], call: (parameters: unknown[]) => unknown) => unknown,
): void {
  const require = createRequire(import.meta.url);
  for (const [name, methods] of Object.entries(BLOCKING)) {
    const module = require(name) as Record<string, Call>;
    for (const method of methods) wrap(module, method, act, name === 'node:child_process' ? wait : undefined);
  }
  wrap(Atomics, 'wait', act);
  syncBuiltinESMExports();
}

type Wait = Parameters<typeof beforeBlocking>[1];

function wrap(target: object, method: string, act: () => void, wait?: Wait): void {
  const original = Reflect.get(target, method) as Call;
  const value = function (this: unknown, ...parameters: unknown[]): unknown {
    act();
    const call = (given: unknown[]): unknown => Reflect.apply(original, this, given);
    return wait ? wait(parameters, call) : call(parameters);
  };
  Object.defineProperty(value, 'name', { value: method });
  Object.defineProperty(target, method, { value, configurable: true, writable: true });
}

const NOBODY =
  'The cell asks for input, but nobody can be asked here: give it the value, as a parameter where oddslab run runs it (-p NAME=VALUE).';

/** Asks, through the parent process, for the lines that cells want of their reader. */
export function askParent(output: OutputQueue, context: CellContext) {
  const waiting = new Map<number, { resolve: (text: string) => void; reject: (error: InputError) => void }>();
  let lastId = 0;
  return {
    /** Asks for a line, after all that was shown before; a value's own display method asks ahead of what it holds up. */
    ask(request: InputRequest): Promise<string> {
      const id = ++lastId;
      const cell = context.current();
      const question = { type: 'input', cell, id, request } as const;
      // The place of a value that asks in order to be shown stays open until the answer comes.
      if (output.isDrawing(cell)) output.flush(question);
      else {
        output.put(question);
        output.flush();
      }
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    /** Delivers a line that was asked for; no text means that nobody can be asked. */
    answer(id: number, text?: string): void {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (text !== undefined) asked?.resolve(text);
      else asked?.reject(new InputError(NOBODY));
    },
  };
}
