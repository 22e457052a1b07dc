import { type Runtime, Session } from 'node:inspector';
import type { Position } from '../line-index.js';

/** How a script ended: normally, terminated from outside, by throwing, or because it did not compile. */
export type Evaluated =
  | { status: 'ok' }
  | { status: 'terminated' }
  | { status: 'thrown'; value: unknown }
  /** Nested too deeply for V8's parser. */
  | { status: 'tooDeep' }
  | { status: 'uncompiled'; message: string; position: Position };

let session: Session | undefined;
let caught: unknown;

/**
 * Evaluates a script as V8's REPL mode does: its top-level names stay and may be declared again, and top-level `await`
 * works.
 *
 * @param url The script's name in stacks.
 */
export function evaluateScript(code: string, url: string): Promise<Evaluated> {
  const { post } = connected();
  // Otherwise the inspector would keep the last statement's value for ever.
  const expression = `${code}\n;void 0\n//# sourceURL=${url}`;
  return new Promise((resolve) => {
    post({ expression, replMode: true, awaitPromise: true, silent: true }, (failure, answer) => {
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
 * Ends the JavaScript that runs now; nothing of it runs on, not even a `finally`.
 *
 * @param onEnded Called once it has ended, before Node goes on; the code may run a little further before it ends. If a
 * call by the inspector came in between, that was ended instead, and what ran goes on. With an error if the code is about
 * to be ended already.
 */
export function terminateExecution(onEnded: (failure: Error | null) => void): void {
  connected();
  session?.post('Runtime.terminateExecution', onEnded);
}

const CALL = Symbol.for('oddslab.call');

/** The name in stacks of the call beyond which {@link terminateExecution} ends nothing. */
export const BOUNDED = 'oddslabBounded';

/**
 * Calls a function so that {@link terminateExecution} ends only the function, and its caller goes on.
 *
 * @throws What the function throws.
 */
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
  connected();
  session?.post('Runtime.evaluate', { expression, silent: true, returnByValue: true });
  if (failure) throw failure.thrown;
}

type Evaluate = (
  parameters: Runtime.EvaluateParameterType & { replMode: boolean },
  callback: (failure: Error | null, answer: Runtime.EvaluateReturnType) => void,
) => void;

function connected(): { post: Evaluate } {
  if (!session) {
    session = new Session();
    session.connect();
  }
  const inspector = session;
  return { post: (parameters, callback) => inspector.post('Runtime.evaluate', parameters, callback) };
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
  Object.defineProperty(globalThis, '__oddslabCaught__', {
    value: (value: unknown) => {
      caught = value;
    },
    configurable: true,
  });
  session?.post('Runtime.callFunctionOn', {
    functionDeclaration: 'function (value) { __oddslabCaught__(value); }',
    objectId,
    arguments: [{ objectId }],
    silent: true,
  });
  release(objectId);
  Reflect.deleteProperty(globalThis, '__oddslabCaught__');
  const value = caught;
  caught = undefined;
  return value;
}

/** Releases an object that the inspector keeps alive. Releasing by group would be simpler but crashes Node 24. */
function release(objectId: string | undefined): void {
  if (objectId !== undefined) session?.post('Runtime.releaseObject', { objectId });
}

function primitive(remote: Runtime.RemoteObject): unknown {
  const { unserializableValue } = remote;
  if (unserializableValue === undefined) return remote.type === 'undefined' ? undefined : remote.value;
  return unserializableValue.endsWith('n') ? BigInt(unserializableValue.slice(0, -1)) : Number(unserializableValue);
}
