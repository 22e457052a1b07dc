import type { Place } from '../events.js';
import type { SyntaxFault } from '../transform/strip-types.js';

const places = new WeakMap<object, Place>();
const callers = new WeakMap<object, Error>();

/** The error that importing a module of wrong syntax throws; it carries its place, since it has no call there. */
export function moduleSyntaxError(fault: SyntaxFault, scriptName: string): SyntaxError {
  const error = new SyntaxError(fault.message);
  placeError(error, { name: scriptName, ...fault.position });
  return error;
}

/** Says where an error belongs that has no call there; of two places, the first is kept. */
export function placeError(error: unknown, place: Place): void {
  if (isObject(error) && !places.has(error)) places.set(error, place);
}

/** Where an error belongs that has no call there; undefined of others. */
export function placeOf(error: object): Place | undefined {
  return places.get(error);
}

/**
 * Waits for what the user's code asked for; if it fails, the call that asked is remembered with the error, whose own
 * stack tells nothing of it.
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

/** An error made where the user's code asked for what failed; undefined where nothing is known of that. */
export function callerOf(error: object): Error | undefined {
  return callers.get(error);
}

let last: { value: unknown; here: Error } | undefined;

/** Called with what a cell throws, which need not be an error that knows where it comes from. */
export function noteThrown(value: unknown): unknown {
  last = { value, here: new Error() };
  return value;
}

/** An error made where a cell threw a value; undefined where something else was thrown since. Forgets it. */
export function throwerOf(value: unknown): Error | undefined {
  const here = last && Object.is(last.value, value) ? last.here : undefined;
  last = undefined;
  return here;
}

const awaited = new Map<number, number>();

/** Takes note of where a cell is about to wait at its top level, an offset in its text; undefined where it goes on. */
export function noteAwaited(cell: number, at: number | undefined): void {
  if (at === undefined) awaited.delete(cell);
  else awaited.set(cell, at);
}

/** Where a cell waits at its top level, or what it waited for there failed; undefined where it has gone on since. */
export function awaitedBy(cell: number): number | undefined {
  return awaited.get(cell);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
