import { inspect } from 'node:util';
import { withOwnCalls } from '../display/mime-bundle.js';
import { codeFrame } from '../transform/source-lines.js';
import type { SyntaxFault } from '../transform/strip-types.js';
import { withWrittenNames } from '../transform/top-level-names.js';
import type { CellFault, Place } from '../wire/runner.js';
import { errorDetails, isError } from './error-details.js';
import { callerOf, callsIn, type OwnCall, placeOf, type SourceRegistry, throwerOf } from './stack.js';

/** Turns what a cell threw into a fault to show. */
export class FaultReporter {
  readonly #registry: SourceRegistry;
  readonly #ownCalls: (error: Error) => OwnCall[];

  constructor(registry: SourceRegistry, ownCalls: (error: Error) => OwnCall[]) {
    this.#registry = registry;
    this.#ownCalls = ownCalls;
  }

  /**
   * The fault of any thrown value; a value that is not an error is shown as Node prints it.
   *
   * @param awaitedAt Where the cell awaited what failed, if it did.
   */
  thrown(value: unknown, awaitedAt?: Place): CellFault {
    const thrower = throwerOf(value);
    const awaiting = awaitedAt ? [{ callee: '', place: awaitedAt }] : [];
    const thrownAt = thrower ? this.#ownCalls(thrower) : awaiting;
    try {
      if (isError(value)) return this.#error(value, thrownAt);
    } catch {
      // An error that cannot be read, such as a proxy, is shown as a value.
    }
    const message = clipped(typeof value === 'string' ? value : printed(value));
    const at = thrownAt[0]?.place;
    const traceback = [...heading('Thrown', message), ...this.#frame(at), ...callLines(thrownAt)];
    return { name: 'Thrown', message, traceback, ...(at ? { at } : {}) };
  }

  #error(value: Error, thrownAt: OwnCall[]): CellFault {
    const calls = this.#callsOf(value, thrownAt);
    const at = calls[0]?.place;
    const name = typeof value.name === 'string' && value.name !== '' ? value.name : 'Error';
    const message = clipped(withWrittenNames(String(value.message)));
    const shown = [...heading(name, message), ...this.#frame(at), ...callLines(calls)];
    const traceback = withDetails(shown, errorDetails(value));
    return { name, message, traceback, ...(at ? { at } : {}) };
  }

  /** The fault of source that is not valid TypeScript. */
  syntax(fault: SyntaxFault, scriptName: string): CellFault {
    const at = { name: scriptName, ...fault.position };
    const traceback = [
      ...heading('SyntaxError', fault.message),
      ...this.#frame(at),
      callLine({ callee: '', place: at }),
    ];
    return { name: 'SyntaxError', message: fault.message, traceback, at };
  }

  /** The user's calls that led to an error, innermost first. */
  #callsOf(error: Error, thrownAt: OwnCall[]): OwnCall[] {
    const caller = callerOf(error);
    const own = this.#ownCalls(error);
    const placed = this.#uncompiled(error) ?? placeOf(error);
    const calls = [
      ...(placed ? [{ callee: '', place: placed }] : []),
      ...own,
      // If it failed at once, the call is among the error's own.
      ...(caller && own.length === 0 ? this.#ownCalls(caller) : []),
    ];
    const known = calls.length > 0 ? calls : callsIn(String(error.stack), this.#registry);
    return known.length > 0 ? known : thrownAt;
  }

  /** The place in a file that Node could not compile: Node puts it before the stack, which has no call for it. */
  #uncompiled(error: Error): Place | undefined {
    const [, path, line, before] = (error instanceof SyntaxError && UNCOMPILED.exec(String(error.stack))) || [];
    if (path === undefined) return undefined;
    return this.#registry.place(path, { line: Number(line), column: (before?.length ?? 0) + 1 });
  }

  #frame(at: Place | undefined): string[] {
    const source = at ? this.#registry.source(at.name) : undefined;
    if (!at || source === undefined) return [];
    const frame = codeFrame(source, at);
    return frame.length > 0 ? ['', ...frame, ''] : [];
  }
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
  const lines: string[] = [];
  let repeats = 0;
  for (const [index, line] of calls.map(callLine).entries()) {
    const next = calls[index + 1];
    const isRepeated = next !== undefined && callLine(next) === line;
    if (isRepeated) repeats += 1;
    else {
      lines.push(line, ...(repeats > 1 ? [`    … and ${repeats} times more`] : repeats === 1 ? [line] : []));
      repeats = 0;
    }
  }
  return lines;
}

function callLine({ callee, place }: OwnCall): string {
  const where = `${place.name}:${place.line}:${place.column}`;
  return callee === '' ? `    at ${where}` : `    at ${callee} (${where})`;
}
