import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Position } from '../transform/source-lines.js';
import type { SyntaxFault } from '../transform/strip-types.js';
import { withWrittenNames } from '../transform/top-level-names.js';
import type { Place } from '../wire/runner.js';

const STACK_DEPTH = 50;

/** One call in the user's own code. */
export interface OwnCall {
  /** Name of the called function; empty at the top level. */
  callee: string;
  place: Place;
}

/**
 * Makes `error.stack` refer to the user's source: places in cells and local modules are mapped, calls within Node and
 * the runner are left out. Returns a function that returns an error's calls in the user's own code, innermost first.
 */
export function installStack(registry: SourceRegistry, runnerUrls: Set<string>): (error: Error) => OwnCall[] {
  const calls = new WeakMap<object, OwnCall[]>();
  keepDepth();
  const prepare: Prepare = (error, sites) => {
    if (sitesTaker) return sitesTaker(error, sites);
    const own: OwnCall[] = [];
    const lines = sites.flatMap((site, at) => {
      const url = site.getScriptNameOrSourceURL() ?? '';
      if (url === '' || url.startsWith('node:') || runnerUrls.has(url) || isForDecorators(sites, at)) return [];
      const line = site.getLineNumber() ?? 1;
      const column = site.getColumnNumber() ?? 1;
      // What makes a decorated class is called behind the class, but begins where its decorators do.
      const begin = isMakingClass(sites, at - 1) ? sites[at - 1] : undefined;
      const place = registry.place(url, {
        line: begin?.getLineNumber() ?? line,
        column: begin?.getColumnNumber() ?? column,
      });
      if (!place) return registry.has(url) ? [] : [`\n    at ${site}`];
      own.push({ callee: callee(String(site), url), place });
      const mapped = `${place.name}:${place.line}:${place.column}`;
      return [`\n    at ${String(site).replace(`${url}:${line}:${column}`, () => mapped)}`];
    });
    if (typeof error === 'object' && error !== null) calls.set(error, own);
    return chosen ? chosen(error, sites) : `${withWrittenNames(header(error))}${lines.join('')}`;
  };
  // A hook that the user's code or a package sets is called, too, but does not keep the calls from being recorded.
  let chosen: Prepare | undefined;
  Object.defineProperty(Error, 'prepareStackTrace', {
    get: () => prepare,
    set(value: unknown) {
      chosen = typeof value === 'function' && value !== prepare ? (value as Prepare) : undefined;
    },
    configurable: true,
    enumerable: true,
  });
  return (error) => {
    // V8 formats a stack when it is first read.
    void error.stack;
    return calls.get(error) ?? [];
  };
}

/** Whether a call stands in what is added to a class that has decorators: what calls these, or the function that makes it. */
function isForDecorators(sites: readonly NodeJS.CallSite[], at: number): boolean {
  const name = sites[at]?.getFunctionName();
  const isInitializer = name === '<static_initializer>' || name === '<instance_members_initializer>';
  return (
    (isInitializer && sites[at - 1]?.getTypeName() === DECORATED) || (isMakingClass(sites, at) && at + 1 < sites.length)
  );
}

/** Whether a call is that of the function, without a name, that makes a decorated class. */
function isMakingClass(sites: readonly NodeJS.CallSite[], at: number): boolean {
  const isApplied = sites[at - 2]?.getTypeName() === DECORATED && sites[at - 2]?.getFunctionName() === 'apply';
  return isApplied && sites[at - 1]?.getFunctionName() === '<static_initializer>';
}

/** The class whose methods call decorators. */
const DECORATED = 'DecoratedClass';

/** The calls in the user's own code that a stack's text names; some packages write their caller's stack there. */
export function callsIn(stack: string, registry: SourceRegistry): OwnCall[] {
  const calls = [...stack.matchAll(CALL)].map(([, call = '', line, column]) => {
    const open = call.lastIndexOf(' (');
    const [callee, name] = open === -1 ? ['', call] : [call.slice(0, open), call.slice(open + 2)];
    return { callee, place: { name, line: Number(line), column: Number(column) } };
  });
  return calls.filter(({ place }) => registry.source(place.name) !== undefined);
}

const CALL = /^ {4}at (?:async )?(.+?):(\d+):(\d+)\)?$/gm;

type Prepare = (error: Error, sites: NodeJS.CallSite[]) => unknown;

let sitesTaker: Prepare | undefined;

/** Makes stacks as deep as faults need, whatever limit a cell has set. */
export function keepDepth(): void {
  const limit = Number(Error.stackTraceLimit) || 0;
  Error.stackTraceLimit = Math.max(limit, STACK_DEPTH);
}

/** The calls that led here, innermost first, without async callers. */
export function currentCalls(depth: number): NodeJS.CallSite[] {
  const { stackTraceLimit } = Error;
  let calls: NodeJS.CallSite[] = [];
  try {
    Error.stackTraceLimit = depth;
    sitesTaker = (_, sites) => {
      calls = sites.filter((site) => !site.isAsync());
      return '';
    };
    void new Error().stack;
  } finally {
    sitesTaker = undefined;
    Error.stackTraceLimit = stackTraceLimit;
  }
  return calls;
}

function callee(site: string, url: string): string {
  const at = site.indexOf(` (${url}`);
  return at === -1 ? '' : site.slice(0, at);
}

function header(error: unknown): string {
  try {
    // As V8 does, even if the object has its own `toString`.
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

/** One of the user's scripts: a cell or a local module. */
export interface UserScript {
  /** Name in traces: `cell 3`, `./wallets.ts`. */
  name: string;
  source: string;
  /** Maps a place in what V8 runs to its place in `source`. */
  position(position: Position): Position | undefined;
}

/** The user's scripts by V8's name for them, to map places in what runs to places in what was written. */
export class SourceRegistry {
  readonly #byUrl = new Map<string, UserScript>();
  readonly #sources = new Map<string, string>();
  readonly #files = new Map<string, string>();
  #fileName: (path: string) => string | undefined = () => undefined;

  /** Makes files that Node itself loads, such as CommonJS ones, count as the user's if they have a name in traces. */
  nameFiles(fileName: (path: string) => string | undefined): void {
    this.#fileName = fileName;
  }

  /** Registers a script, in place of an earlier one of the same URL. */
  add(url: string, script: UserScript): void {
    this.#byUrl.set(url, script);
    this.#sources.set(script.name, script.source);
  }

  /** Registers a file that runs elsewhere, so that the stack of what it throws there is that of the user's code. */
  know(name: string, path: string): void {
    this.#files.set(name, path);
  }

  /** Whether the script of this URL is the user's. */
  has(url: string): boolean {
    return this.#byUrl.has(url) || this.#file(url) !== undefined;
  }

  /** The place in the user's source; undefined if the script is not the user's or the place is in added code. */
  place(url: string, position: Position): Place | undefined {
    const script = this.#byUrl.get(url);
    const name = script?.name ?? this.#file(url);
    const mapped = script ? script.position(position) : position;
    return name !== undefined && mapped ? { name, ...mapped } : undefined;
  }

  /** The source of a script by its name in traces. */
  source(name: string): string | undefined {
    const path = this.#files.get(name);
    return this.#sources.get(name) ?? (path === undefined ? undefined : contentOf(path));
  }

  #file(url: string): string | undefined {
    const path = url.startsWith('file:') ? fileURLToPath(url) : url;
    const name = isAbsolute(path) ? this.#fileName(path) : undefined;
    if (name !== undefined) this.#files.set(name, path);
    return name;
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

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

/** Awaits what the user's code asked for. If it fails, records the call that asked, which the error's stack lacks. */
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

/** The offset at which a cell waits at its top level, or where what it awaited failed; undefined once it goes on. */
export function awaitedBy(cell: number): number | undefined {
  return awaited.get(cell);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
