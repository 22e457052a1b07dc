import type { Place } from '../events.js';
import { withWrittenNames } from '../transform/reserved-names.js';
import type { SourceRegistry } from './source-registry.js';

const STACK_DEPTH = 50;

/** One call in the user's own code. */
export interface OwnCall {
  /** Name of the called function; empty at the top level. */
  callee: string;
  place: Place;
}

/**
 * Makes `error.stack` refer to the user's source: places in cells and local modules are mapped, calls within Node and
 * the runner are left out.
 *
 * @returns A function that returns an error's calls in the user's own code, innermost first.
 */
export function installStack(registry: SourceRegistry, runnerUrls: Set<string>): (error: Error) => OwnCall[] {
  const calls = new WeakMap<object, OwnCall[]>();
  keepDepth();
  const prepare: Prepare = (error, sites) => {
    if (sitesTaker) return sitesTaker(error, sites);
    const own: OwnCall[] = [];
    const lines = sites.flatMap((site) => {
      const url = site.getScriptNameOrSourceURL() ?? '';
      if (url === '' || url.startsWith('node:') || runnerUrls.has(url)) return [];
      const line = site.getLineNumber() ?? 1;
      const column = site.getColumnNumber() ?? 1;
      const place = registry.place(url, { line, column });
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
