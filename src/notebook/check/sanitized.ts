import { createContext, Script } from 'node:vm';
import { UsageError } from '../../base/errors.js';
import type { Sanitizer } from './sanitizer.js';

/** How long a pattern of the user's may take for one output. */
const MOST_MS = 5000;

const REPLACE = new Script('text.replace(pattern, replace)');

/**
 * Replaces the parts of a text that may differ from run to run by their neutral forms. Patterns of the user's have a
 * time limit, since nothing else, not even a signal, could stop a slow one.
 *
 * @throws {UsageError} If a pattern of the user's takes too long.
 */
export function sanitized(text: string, sanitizers: readonly Sanitizer[]): string {
  return sanitizers.reduce((before, each) => (each.isOwn ? inTime(before, each) : plain(before, each)), text);
}

function plain(text: string, { pattern, replace }: Sanitizer): string {
  return text.replace(pattern, replace);
}

function inTime(text: string, { pattern, replace }: Sanitizer): string {
  try {
    return String(REPLACE.runInContext(createContext({ text, pattern, replace }), { timeout: MOST_MS }));
  } catch (cause) {
    throw new UsageError(
      `The sanitizer ${pattern} takes more than ${MOST_MS / 1000} s over one output: make it simpler. ` +
        'Repetitions within repetitions, such as (a+)+, are what takes so long.',
      { cause },
    );
  }
}
