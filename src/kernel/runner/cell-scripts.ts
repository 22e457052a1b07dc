import { type Runtime, Session } from 'node:inspector';
import type { ProjectOptions } from '../transform/project-options.js';
import type { Position } from '../transform/source-lines.js';
import type { SyntaxFault } from '../transform/strip-types.js';
import { nestingOf } from '../transform/syntax-tree.js';
import { type EarlierNames, inScript, type TopLevelNames, withWrittenNames } from '../transform/top-level-names.js';
import { transformCell } from '../transform/transform.js';
import { ASKING } from '../transform/unawaited.js';
import type { SourceRegistry, UserScript } from './stack.js';

/** The names of earlier cells that matter to later ones; {@link EarlierNames}, to be changed. */
type Earlier = { [Kind in keyof EarlierNames]: Set<string> };

/** Terminated from outside, or ended by throwing. */
type Stopped = { status: 'terminated' } | { status: 'thrown'; value: unknown };

/** How a cell's code ended: with the value of its last expression, or why there is none. */
type ScriptEnd =
  | { status: 'ok'; value: unknown; isSilenced: boolean }
  | Stopped
  | { status: 'uncompiled'; fault: SyntaxFault };

/** The greatest nesting depth. The native parser crashes the process at somewhat more; V8 refuses less. */
const DEEPEST = 8000;
const TOO_DEEP: SyntaxFault = {
  message: 'The parts of this code lie too deep within each other to be read. Break it up into several statements.',
  position: { line: 1, column: 1 },
};

/**
 * Makes the function that evaluates the TypeScript source of cells, one after another. The scripts put their value into
 * `bridge`; `missing` are imported names that their modules lack, of which those are removed that a cell declares again.
 * The names that cells declare are added to `declared`; `project` gets what the tsconfig.json beside the notebook says.
 */
export function cellScripts(
  registry: SourceRegistry,
  bridge: { value: unknown },
  { missing, declared }: { missing: Set<string>; declared: DeclaredNames },
  project: () => ProjectOptions,
) {
  const earlier: Earlier = { constants: new Set(), vars: new Set(), renamed: new Set(), missing };
  let ours: Map<string, unknown> | undefined;
  const taken = new Set<string>();
  const isOurs = (name: string): boolean => !taken.has(name) && Reflect.get(globalThis, name) === ours?.get(name);
  /** Constants of earlier cells that are functions that ask the reader. */
  const aliases = new Map<string, string>();
  const asking = () => new Map([...ASKING.filter(isOurs).map((name) => [name, name] as const), ...aliases]);
  /** @param name The script's name in traces: `cell 3`; the URL is its name in stacks. */
  return async function evaluate(source: string, url: string, name: string, isThorough = false): Promise<ScriptEnd> {
    // They are defined once the first cell runs.
    ours ??= new Map(ASKING.map((name) => [name, Reflect.get(globalThis, name)]));
    const cell =
      nestingOf(source) > DEEPEST
        ? { fault: TOO_DEEP }
        : transformCell(source, earlier, { isThorough, project, asking });
    const used = 'fault' in cell ? undefined : cell.names.used;
    registry.add(url, { name, source, position: positionIn(source, used, { isThorough, project }) });
    if ('fault' in cell) return { status: 'uncompiled', fault: cell.fault };
    bridge.value = undefined;
    const takeBack = declare(earlier, cell.names);
    const forget = note(declared, cell.names);
    const ended = await evaluateScript(cell.code, url);
    if (ended.status !== 'uncompiled' && ended.status !== 'tooDeep') {
      for (const name of [...cell.names.constants, ...cell.names.variables]) {
        if (ASKING.includes(name)) taken.add(name);
        aliases.delete(name);
      }
      for (const [name, asks] of cell.asking) aliases.set(name, asks);
    }
    if (ended.status === 'ok') {
      const { value } = bridge;
      bridge.value = undefined;
      return { status: 'ok', value, isSilenced: cell.isSilenced };
    }
    if (ended.status !== 'uncompiled' && ended.status !== 'tooDeep') return ended;
    // Nothing of it has run or is declared.
    takeBack();
    forget();
    if (ended.status === 'tooDeep') return { status: 'uncompiled', fault: TOO_DEEP };
    // The full transform reports errors better and accepts code that V8 refuses here.
    if (cell.isQuick) return evaluate(source, url, name, true);
    const { line, column } = registry.place(url, ended.position) ?? { line: 1, column: 1 };
    return { status: 'uncompiled', fault: { message: withWrittenNames(ended.message), position: { line, column } } };
  };
}

/** A name that a cell declared. */
interface DeclaredName {
  /** The name by which it runs. */
  script: string;
  /** The module that it was last imported from. */
  from?: string | undefined;
}

/** The names that the cells have declared, in the order in which they first did. */
export type DeclaredNames = Map<string, DeclaredName>;

/** Adds the names of a cell; the returned function takes back what that changed. */
function note(declared: DeclaredNames, { constants, variables, imports, renamed }: TopLevelNames): () => void {
  const before: [string, DeclaredName | undefined][] = [];
  for (const name of [...constants, ...variables]) {
    before.push([name, declared.get(name)]);
    declared.set(name, { script: inScript(name, renamed), from: imports.get(name) });
  }
  return () => {
    for (const [name, earlier] of before.reverse()) {
      if (earlier) declared.set(name, earlier);
      else declared.delete(name);
    }
  };
}

/** Notes what a cell declares; the returned function takes it back. It costs nothing for what earlier cells declared. */
function declare(earlier: Earlier, { constants, variables, vars, renamed }: TopLevelNames): () => void {
  const undo: (() => void)[] = [];
  const add = (to: Set<string>, name: string) => {
    if (to.has(name)) return;
    to.add(name);
    undo.push(() => to.delete(name));
  };
  const remove = (from: Set<string>, name: string) => {
    if (from.delete(name)) undo.push(() => from.add(name));
  };
  for (const name of [...constants, ...variables]) remove(earlier.missing, name);
  for (const name of variables) remove(earlier.constants, name);
  for (const name of [...constants, ...variables]) if (!vars.has(name)) remove(earlier.vars, name);
  for (const name of constants) add(earlier.constants, name);
  for (const name of vars) add(earlier.vars, name);
  for (const name of renamed) add(earlier.renamed, name);
  return () => {
    for (const step of undo.reverse()) step();
  };
}

/** Maps positions on demand, since most cells never fail. */
function positionIn(
  source: string,
  earlier: EarlierNames | undefined,
  options: { isThorough: boolean; project: () => ProjectOptions },
): UserScript['position'] {
  return (at) => {
    const cell = transformCell(source, earlier, options);
    return 'fault' in cell ? at : cell.position(at);
  };
}

/** How a script ended: normally, or because it was stopped or did not compile. */
type Evaluated =
  | { status: 'ok' }
  | Stopped
  /** Nested too deeply for V8's parser. */
  | { status: 'tooDeep' }
  | { status: 'uncompiled'; message: string; position: Position };

/** Evaluates the cells. */
export const session = new Session();
session.connect();

/** Evaluates a script in V8's REPL mode: its top-level names stay and may be declared again, and `await` works there. */
function evaluateScript(code: string, url: string): Promise<Evaluated> {
  // Otherwise the inspector would keep the last statement's value for ever.
  const expression = `${code}\n;void 0\n//# sourceURL=${url}`;
  const parameters: Runtime.EvaluateParameterType & { replMode: boolean } = {
    expression,
    replMode: true,
    awaitPromise: true,
    silent: true,
  };
  return new Promise((resolve) => {
    session.post('Runtime.evaluate', parameters, (failure, answer) => {
      if (failure) resolve({ status: 'terminated' });
      else if (!answer.exceptionDetails) resolve({ status: 'ok' });
      else {
        resolve(readException(answer.exceptionDetails));
        // The thrown value is also the result, under an id of its own.
        release(answer.result.objectId);
      }
    });
  });
}

/**
 * Ends the JavaScript that runs now, perhaps a little later; not even a `finally` of it runs on. Calls back then, before
 * Node goes on; with an error if it is about to be ended already. If a call by the inspector came in between, that was
 * ended instead, and what ran goes on.
 */
export function terminateExecution(onEnded: (failure: Error | null) => void): void {
  session.post('Runtime.terminateExecution', onEnded);
}

const CALL = Symbol.for('oddslab.call');

/** The name in stacks of the call beyond which {@link terminateExecution} ends nothing. */
export const BOUNDED = 'oddslabBounded';

/** Calls a function so that {@link terminateExecution} ends only the function, and its caller goes on. */
export function callBounded(task: () => void): void {
  let failure: { thrown: unknown } | undefined;
  const call = function oddslabBounded(): void {
    try {
      task();
    } catch (thrown) {
      failure = { thrown };
    }
  };
  Object.defineProperty(globalThis, CALL, { value: call, configurable: true });
  const expression = `globalThis[Symbol.for(${JSON.stringify(CALL.description)})]()`;
  session.post('Runtime.evaluate', { expression, silent: true, returnByValue: true });
  if (failure) throw failure.thrown;
}

function readException(details: Runtime.ExceptionDetails): Evaluated {
  const value = details.exception ? realValue(details.exception) : new Error(details.text);
  try {
    return readThrown(value, details);
  } catch {
    // Values that V8 throws can be inspected; others, such as a proxy, may throw when inspected.
    return { status: 'thrown', value };
  }
}

function readThrown(value: unknown, details: Runtime.ExceptionDetails): Evaluated {
  const isSyntaxError = details.exception?.className === 'SyntaxError';
  const isCompiling = isSyntaxError && !details.stackTrace && details.scriptId !== undefined;
  const isUncompiled = isCompiling && value instanceof Error && !/\n\s+at /.test(value.stack ?? '');
  const isFull = value instanceof RangeError && value.message === 'Maximum call stack size exceeded';
  if (isFull && !details.stackTrace && !/\n\s+at /.test(value.stack ?? '')) return { status: 'tooDeep' };
  if (!isUncompiled) return { status: 'thrown', value };
  const position = { line: details.lineNumber + 1, column: details.columnNumber + 1 };
  return { status: 'uncompiled', message: value.message, position };
}

/** The value behind the inspector's description, obtained by having the inspector call a function with it. */
function realValue(remote: Runtime.RemoteObject): unknown {
  if (remote.objectId === undefined) return primitive(remote);
  const { objectId } = remote;
  let caught: unknown;
  Object.defineProperty(globalThis, '__oddslabCaught__', {
    value: (value: unknown) => {
      caught = value;
    },
    configurable: true,
  });
  session.post('Runtime.callFunctionOn', {
    functionDeclaration: 'function (value) { __oddslabCaught__(value); }',
    objectId,
    arguments: [{ objectId }],
    silent: true,
  });
  release(objectId);
  Reflect.deleteProperty(globalThis, '__oddslabCaught__');
  return caught;
}

/** Releases an object that the inspector keeps alive. Releasing by group would be simpler but crashes Node 24. */
function release(objectId: string | undefined): void {
  if (objectId !== undefined) session.post('Runtime.releaseObject', { objectId });
}

const PEEKED = Symbol.for('oddslab.peeked');

/** Whether a promise is `pending`, `fulfilled` or `rejected`, as the inspector knows without awaiting it. */
export function promiseState(promise: object): string {
  Object.defineProperty(globalThis, PEEKED, { value: promise, configurable: true });
  let state = '';
  const expression = `globalThis[Symbol.for(${JSON.stringify(PEEKED.description)})]`;
  session.post(
    'Runtime.evaluate',
    { expression, silent: true },
    (_, { result } = { result: { type: 'undefined' } }) => {
      if (result.objectId === undefined) return;
      session.post('Runtime.getProperties', { objectId: result.objectId, ownProperties: true }, (_failure, answer) => {
        const internal = answer?.internalProperties ?? [];
        state = String(internal.find(({ name }) => name === '[[PromiseState]]')?.value?.value ?? '');
        for (const { value } of [...internal, ...(answer?.result ?? [])]) release(value?.objectId);
      });
      release(result.objectId);
    },
  );
  Reflect.deleteProperty(globalThis, PEEKED);
  return state;
}

function primitive(remote: Runtime.RemoteObject): unknown {
  const { unserializableValue } = remote;
  if (unserializableValue === undefined) return remote.type === 'undefined' ? undefined : remote.value;
  return unserializableValue.endsWith('n') ? BigInt(unserializableValue.slice(0, -1)) : Number(unserializableValue);
}
