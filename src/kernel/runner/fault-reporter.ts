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

/** The fault with what helps where a cell is written for another place. */
export function hinted(fault: CellFault, code: string): CellFault {
  const hint = hintFor(code, fault);
  if (hint === undefined) return fault;
  return { ...fault, message: `${fault.message.replace(/\.$/, '')}. ${hint}`, traceback: [...fault.traceback, hint] };
}

/** Names of other places that people write into cells, and what is there instead. */
const ELSEWHERE: Record<string, string> = {
  Worker: "Node.js has it in a module: import { Worker } from 'node:worker_threads'",
  Deno: "Cells run in Node.js: Deno.readTextFile is readFile of 'node:fs/promises', Deno.env is process.env.",
  Bun: "Cells run in Node.js: Bun.file is readFile of 'node:fs/promises', Bun.env is process.env.",
  document: 'Cells run in Node.js, which has no page: show HTML by display.html(…).',
  window: 'Cells run in Node.js, which has no window: globalThis has what is global.',
  alert: 'Cells run in Node.js: print by console.log(…), ask by await confirm(…).',
  $$: '$$ is of another kernel: here display(…), display.html(…) and its like show things, and a cell may await.',
  print: 'In TypeScript: console.log(…).',
  None: 'In TypeScript: null.',
  True: 'In TypeScript: true.',
  False: 'In TypeScript: false.',
  len: 'In TypeScript: rows.length.',
  pip: "Packages come from npm: run npm install in a terminal in the notebook's folder.",
};

/** A line that is, or assigns, what a command that is well known tells. */
const SHELL_LINE =
  /^\s*(?:[\w$, ]+=\s*)?!\s*((?:ls|cat|cd|cp|curl|echo|find|git|grep|head|mkdir|mv|node|npm|npx|pip|pwd|python3?|rm|tail|wc|wget)\b(?:\s+[-\w./'"*].*|\s*$))/m;
/** Where a line other than the first begins with a magic. */
const MAGICS =
  'Of lines that begin with %, there are %time, %timeit and %who, each as a whole cell, and %%time, %%timeit, %%sql and languages in the first line.';
/** How to run the command of a line such as `!ls`. */
function shellFor(command: string): string {
  const text = JSON.stringify(command).slice(1, -1).replaceAll("'", "\\'");
  return `Cells run no commands by '!'. Run one by: import { execSync } from 'node:child_process'; execSync('${text}', { encoding: 'utf8' })`;
}

/** Lines of Python that are no TypeScript. */
const PYTHON =
  /^\s*(?:import\s+[\w.]+(?:\s+as\s+\w+)?\s*$|from\s+[\w.]+\s+import\s|def\s+\w+\s*\(.*:\s*$|(?:for|while|if|elif|with|except)\s+[^({\s][^{]*:\s*$|(?:try|else|except|finally):\s*$|#\s)|\blambda(?:\s+\w+(?:\s*,\s*\w+)*)?\s*:|\bf(?:"[^"\n]*"|'[^'\n]*')/m;

/** Functions of the language that came with Node.js 21 and later. */
const NEWER =
  /^(?:(?:Object|Map)\.groupBy|Array\.fromAsync|Promise\.(?:withResolvers|try)|RegExp\.escape|Math\.sumPrecise) is not a function/;

/** Whether a line of a cell begins by assigning a name, as one declares it in Python. */
function assigns(code: string, name: string): boolean {
  return code.split('\n').some((line) => line.startsWith(name) && /^\s*=(?![=>])/.test(line.slice(name.length)));
}

/** What helps where a cell fails because it is written for another place; undefined if nothing is known to. */
function hintFor(code: string, { name, message }: CellFault): string | undefined {
  const [, missing = ''] = (name === 'ReferenceError' && /^([\w$]+) is not defined/.exec(message)) || [];
  const isFailed = name === 'SyntaxError' || missing !== '';
  const [, command] = (isFailed && (/^\s*!\s*([a-z].*)/.exec(code) ?? SHELL_LINE.exec(code))) || [];
  if (command !== undefined) return /^pip\b/.test(command) ? ELSEWHERE.pip : shellFor(command.trim());
  if (name === 'SyntaxError' && /^[^\S\n]*%{1,2}[a-z]/m.test(code)) return MAGICS;
  if (name === 'SyntaxError' && PYTHON.test(code))
    return 'This looks like Python: cells hold TypeScript or JavaScript.';
  if (missing === 'Deno' && /\bDeno\.jupyter\b/.test(code))
    return 'Here display(value), display.html(…), display.markdown(…) and display.raw(bundle) show things.';
  if (Object.hasOwn(ELSEWHERE, missing)) return ELSEWHERE[missing];
  if (missing !== '' && assigns(code, missing)) return `Declare it: let ${missing} = …`;
  if (name !== 'TypeError') return undefined;
  if (message === 'Assignment to constant variable.')
    return 'Declare it again, as const or as let, which can be assigned.';
  return NEWER.test(message) ? `Newer Node.js has it, not this one (${process.version}).` : undefined;
}
