import { type InspectOptions, inspect } from 'node:util';
import { InputError } from '../../errors.js';
import { withWrittenNames } from '../reserved-names.js';
import { withOwnCalls } from './display/inspect-value.js';

/** Causes and parts are seen that deep, and their own fields; less deep where that takes more lines than these. */
const DEEPEST = 4;
const MOST_LINES = 40;
/** They are told above. */
const TOLD = new Set(['name', 'message', 'stack']);
const HIDDEN = new Set(['cause', 'errors']);
/** The parts of a SuppressedError, which Node prints as fields alone. */
const SUPPRESSED = new Set(['error', 'suppressed']);
const ABOVE = 'Error\n    at what is told above';

/**
 * What an error has beside its name, message and calls, as Node prints it: fields such as `code`, its cause, and its
 * parts where it is several in one. Errors of requests hold all that the request was made of: where it is long, fields
 * are told less deep, its cause and parts at least by their messages, and no more than some forty lines of all.
 *
 * @returns One text a line, from the opening brace to the closing one; empty where there is nothing.
 * @example errorDetails(new Error('a', { cause: 'b' })); // ['{', "  [cause]: 'b'", '}']
 */
export function errorDetails(error: Error): string[] {
  const { cause } = error;
  const fields = Object.getOwnPropertyDescriptors(error);
  const kept = Object.entries(fields).filter(
    ([name, { enumerable }]) =>
      !TOLD.has(name) &&
      (enumerable || HIDDEN.has(name) || SUPPRESSED.has(name)) &&
      !(name === 'cause' && error instanceof InputError && isMissing(cause)),
  );
  if (kept.length === 0) return [];
  const told = kept.map(([name, field]) => [name, asDetail(name, field)]);
  // Node prints the details of an error as of nothing else, and after its stack.
  const bare = Object.defineProperties(new Error(), { ...Object.fromEntries(told), stack: { value: ABOVE } });
  let lines: string[] = [];
  for (let depth = DEEPEST; depth >= 0; depth--) {
    const text = inspected(bare, depth);
    lines = text.startsWith(`${ABOVE} {`) ? text.slice(ABOVE.length + 1).split('\n') : [];
    if (lines.length <= MOST_LINES) return lines;
  }
  const left = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES - 1), `  … ${left} lines more, which the error itself holds`, '}'];
}

/** What holds other errors is told so deep at least that these are, not by the names of their classes. */
function asDetail(name: string, field: PropertyDescriptor): PropertyDescriptor {
  const { value }: { value?: unknown } = field;
  const enumerable = field.enumerable === true || SUPPRESSED.has(name);
  const isPart = HIDDEN.has(name) || SUPPRESSED.has(name);
  if (!isPart || typeof value !== 'object' || value === null) return { ...field, enumerable };
  const [stand, least] = Array.isArray(value) ? [[], 1] : [{}, 0];
  const print = (depth: number, options: InspectOptions): string =>
    inspect(value, { ...options, depth: Math.max(depth, least) });
  return { value: Object.assign(stand, { [inspect.custom]: print }), enumerable };
}

/** What Node says of a missing module tells no more than our own message, and names paths of this machine. */
function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && /^(ERR_)?MODULE_NOT_FOUND$/.test(String(cause.code));
}

function inspected(error: Error, depth: number): string {
  try {
    return withWrittenNames(withOwnCalls(inspect(error, { depth, breakLength: 120 })));
  } catch {
    return '';
  }
}
