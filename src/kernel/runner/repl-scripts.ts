import { type Runtime, Session } from 'node:inspector';
import type { Position } from '../transform/source-lines.js';

/** Terminated from outside, or ended by throwing. */
export type Stopped = { status: 'terminated' } | { status: 'thrown'; value: unknown };

/** How a script ended: normally, or because it was stopped or did not compile. */
type Evaluated =
  | { status: 'ok' }
  | Stopped
  /** Nested too deeply for V8's parser. */
  | { status: 'tooDeep' }
  | { status: 'uncompiled'; message: string; position: Position };

/** By which scripts are evaluated. */
export const session = new Session();
session.connect();

/** Evaluates a script in V8's REPL mode: its top-level names stay and may be declared again, and `await` works there. */
export function evaluateScript(code: string, url: string): Promise<Evaluated> {
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
