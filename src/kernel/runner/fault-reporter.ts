import { inspect } from 'node:util';
import { withOwnCalls } from '../display/mime-bundle.js';
import { codeFrame } from '../transform/source-lines.js';
import type { SyntaxFault } from '../transform/strip-types.js';
import { withWrittenNames } from '../transform/top-level-names.js';
import type { CellFault, Place } from '../wire/runner.js';
import { errorDetails, isError } from './error-details.js';
import { callerOf, callsIn, type OwnCall, placeOf, type SourceRegistry, throwerOf } from './stack.js';

/** Makes the functions that turn what a cell threw into a fault to show; `ownCalls` is made by `installStack`. */
export function faultReporter(registry: SourceRegistry, ownCalls: (error: Error) => OwnCall[]) {
  const frameAt = (at: Place | undefined): string[] => {
    const source = at ? registry.source(at.name) : undefined;
    const frame = at && source !== undefined ? codeFrame(source, at) : [];
    return frame.length > 0 ? ['', ...frame, ''] : [];
  };
  const faultOf = (name: string, message: string, calls: OwnCall[], details: string[] = []): CellFault => {
    const at = calls[0]?.place;
    const shown = [...heading(name, message), ...frameAt(at), ...callLines(calls)];
    return { name, message, traceback: withDetails(shown, details), ...(at ? { at } : {}) };
  };
  const errorFault = (error: Error, thrownAt: OwnCall[]): CellFault => {
    const name = typeof error.name === 'string' && error.name !== '' ? error.name : 'Error';
    const message = clipped(withWrittenNames(String(error.message)));
    return faultOf(name, message, callsOf(error, thrownAt), errorDetails(error));
  };
  /** The user's calls that led to an error, innermost first. */
  const callsOf = (error: Error, thrownAt: OwnCall[]): OwnCall[] => {
    const caller = callerOf(error);
    const own = ownCalls(error);
    const placed = uncompiled(error) ?? placeOf(error);
    const calls = [
      ...(placed ? [{ callee: '', place: placed }] : []),
      ...own,
      // If it failed at once, the call is among the error's own.
      ...(caller && own.length === 0 ? ownCalls(caller) : []),
    ];
    const known = calls.length > 0 ? calls : callsIn(String(error.stack), registry);
    return known.length > 0 ? known : thrownAt;
  };
  /** The place in a file that Node could not compile: Node puts it before the stack, which has no call for it. */
  const uncompiled = (error: Error): Place | undefined => {
    const [, path, line, before] = (error instanceof SyntaxError && UNCOMPILED.exec(String(error.stack))) || [];
    if (path === undefined) return undefined;
    return registry.place(path, { line: Number(line), column: (before?.length ?? 0) + 1 });
  };
  return {
    /** The fault of any thrown value, shown as Node prints it if it is no error, and awaited by the cell at a place. */
    thrown(value: unknown, awaitedAt?: Place): CellFault {
      const thrower = throwerOf(value);
      const awaiting = awaitedAt ? [{ callee: '', place: awaitedAt }] : [];
      const thrownAt = thrower ? ownCalls(thrower) : awaiting;
      try {
        if (isError(value)) return errorFault(value, thrownAt);
      } catch {
        // An error that cannot be read, such as a proxy, is shown as a value.
      }
      return faultOf('Thrown', clipped(typeof value === 'string' ? value : printed(value)), thrownAt);
    },
    /** The fault of source that is not valid TypeScript. */
    syntax: ({ message, position }: SyntaxFault, scriptName: string): CellFault =>
      faultOf('SyntaxError', message, [{ callee: '', place: { name: scriptName, ...position } }]),
  };
}

/** A value as Node prints it. */
function printed(value: unknown): string {
  try {
    return withOwnCalls(inspect(value));
  } catch {
    // The value's own inspect method or a getter throws.
    return `a value of type ${typeof value} that cannot be printed`;
  }
}

const UNCOMPILED = /^([^\n]+):(\d+)\n(?:[^\n]*\n([ \t]*)\^+\n)?/;

/** Nobody reads more, and no message can carry unlimited text. */
const LONGEST_MESSAGE = 1_000_000;

function clipped(message: string): string {
  const rest = message.length - LONGEST_MESSAGE;
  return rest <= 0 ? message : `${message.slice(0, LONGEST_MESSAGE)}… (${rest} characters more)`;
}

/** Appends details as Node does: the opening brace ends the line above them. */
function withDetails(lines: string[], [opening, ...details]: string[]): string[] {
  if (opening === undefined) return lines;
  return [...lines.slice(0, -1), `${lines.at(-1)} ${opening}`, ...details];
}

function heading(name: string, message: string): string[] {
  return (message === '' ? name : `${name}: ${message}`).split('\n');
}

/** Formats calls; consecutive repetitions, as in endless recursion, are counted instead of listed. */
function callLines(calls: OwnCall[]): string[] {
  const lines = calls.map(callLine);
  return lines.flatMap((line, index) => {
    if (line === lines[index - 1]) return [];
    const next = lines.findIndex((each, at) => at > index && each !== line);
    const repeats = (next === -1 ? lines.length : next) - index - 1;
    return [line, ...(repeats > 1 ? [`    … and ${repeats} times more`] : repeats === 1 ? [line] : [])];
  });
}

function callLine({ callee, place }: OwnCall): string {
  const where = `${place.name}:${place.line}:${place.column}`;
  return callee === '' ? `    at ${where}` : `    at ${callee} (${where})`;
}
