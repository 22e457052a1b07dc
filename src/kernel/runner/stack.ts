import { fileURLToPath } from 'node:url';
import type { Place } from '../events.js';
import type { SourceRegistry } from './source-registry.js';

const STACK_DEPTH = 50;

/** One call in the user's own code. */
export interface OwnCall {
  /** Empty at the top level. */
  callee: string;
  place: Place;
}

/**
 * Makes `error.stack` speak of the user's text: places in cells and local modules are mapped, calls within Node and
 * within the runner are left out.
 *
 * @returns A function that gives the calls in the user's own code of an error, innermost first.
 */
export function installStack(registry: SourceRegistry, runnerUrls: Set<string>): (error: Error) => OwnCall[] {
  const calls = new WeakMap<object, OwnCall[]>();
  const hidden = new Set([...runnerUrls].flatMap((url) => [url, fileURLToPath(url)]));
  Error.stackTraceLimit = STACK_DEPTH;
  Error.prepareStackTrace = (error, sites) => {
    const own: OwnCall[] = [];
    const lines = sites.flatMap((site) => {
      const url = site.getScriptNameOrSourceURL() ?? '';
      if (url === '' || url.startsWith('node:') || hidden.has(url)) return [];
      const line = site.getLineNumber() ?? 1;
      const column = site.getColumnNumber() ?? 1;
      const place = registry.place(url, { line, column });
      if (!place) return registry.has(url) ? [] : [`\n    at ${site}`];
      own.push({ callee: callee(String(site), url), place });
      const mapped = `${place.name}:${place.line}:${place.column}`;
      return [`\n    at ${String(site).replace(`${url}:${line}:${column}`, () => mapped)}`];
    });
    if (typeof error === 'object' && error !== null) calls.set(error, own);
    return `${header(error)}${lines.join('')}`;
  };
  return (error) => {
    // V8 formats a stack when it is first read.
    void error.stack;
    return calls.get(error) ?? [];
  };
}

function callee(site: string, url: string): string {
  const at = site.indexOf(` (${url}`);
  return at === -1 ? '' : site.slice(0, at);
}

function header(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}
