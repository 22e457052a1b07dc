import { inspect } from 'node:util';
import { InputError } from '../../errors.js';
import { withWrittenNames } from '../reserved-names.js';
import { withOwnCalls } from './display/inspect-value.js';

/** Causes and parts are seen that deep, and their own fields. */
const DEPTH = 4;
/** They are told above. */
const TOLD = new Set(['name', 'message', 'stack']);
const HIDDEN = new Set(['cause', 'errors']);
/** The parts of a SuppressedError, which Node prints as fields alone. */
const SUPPRESSED = new Set(['error', 'suppressed']);
const ABOVE = 'Error\n    at what is told above';

/**
 * What an error has beside its name, message and calls, as Node prints it: fields such as `code`, its cause, and its
 * parts where it is several in one.
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
  for (const [name, field] of kept) if (SUPPRESSED.has(name)) field.enumerable = true;
  // Node prints the details of an error as of nothing else, and after its stack.
  const bare = Object.defineProperties(new Error(), { ...Object.fromEntries(kept), stack: { value: ABOVE } });
  const text = inspected(bare);
  return text.startsWith(`${ABOVE} {`) ? text.slice(ABOVE.length + 1).split('\n') : [];
}

/** What Node says of a missing module tells no more than our own message, and names paths of this machine. */
function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && /^(ERR_)?MODULE_NOT_FOUND$/.test(String(cause.code));
}

function inspected(error: Error): string {
  try {
    return withWrittenNames(withOwnCalls(inspect(error, { depth: DEPTH, breakLength: 120 })));
  } catch {
    return '';
  }
}
