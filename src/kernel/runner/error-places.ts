import type { Place } from '../events.js';
import type { SyntaxFault } from '../transform/strip-types.js';

const places = new WeakMap<object, Place>();
const callers = new WeakMap<object, Error>();

/** The error for importing a module with a syntax error; it carries its place, since its stack has no call there. */
export function moduleSyntaxError(fault: SyntaxFault, scriptName: string): SyntaxError {
  const error = new SyntaxError(fault.message);
  placeError(error, { name: scriptName, ...fault.position });
  return error;
}

/** Records the place of an error whose stack has no call there; the first place recorded is kept. */
export function placeError(error: unknown, place: Place): void {
  if (isObject(error) && !places.has(error)) places.set(error, place);
}

/** The place recorded for an error; undefined if there is none. */
export function placeOf(error: object): Place | undefined {
  return places.get(error);
}

/**
 * Awaits what the user's code asked for. If it fails, records the call that asked, which the error's own stack lacks.
 *
 * @throws What the task throws.
 */
export async function withCaller<Value>(task: () => Promise<Value>): Promise<Value> {
  const here = new Error();
  try {
    return await task();
  } catch (error) {
    if (isObject(error)) callers.set(error, here);
    throw error;
  }
}

/** An error made where the user's code asked for what failed; undefined if unknown. */
export function callerOf(error: object): Error | undefined {
  return callers.get(error);
}

let last: { value: unknown; here: Error } | undefined;

/** Records where a cell throws a value, since the value need not be an error with a stack. */
export function noteThrown(value: unknown): unknown {
  last = { value, here: new Error() };
  return value;
}

/** An error made where a cell threw a value; undefined if something else has been thrown since. Forgets it. */
export function throwerOf(value: unknown): Error | undefined {
  const here = last && Object.is(last.value, value) ? last.here : undefined;
  last = undefined;
  return here;
}

const awaited = new Map<number, number>();

/** Records the offset in a cell's text at which it is about to wait at its top level; undefined once it goes on. */
export function noteAwaited(cell: number, at: number | undefined): void {
  if (at === undefined) awaited.delete(cell);
  else awaited.set(cell, at);
}

/**
 * The offset at which a cell waits at its top level, or at which what it awaited failed; undefined once it has gone on.
 */
export function awaitedBy(cell: number): number | undefined {
  return awaited.get(cell);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
