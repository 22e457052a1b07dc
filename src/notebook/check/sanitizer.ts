import { createContext, Script } from 'node:vm';
import { InputError, UsageError } from '../../base/errors.js';
import { fieldOf } from '../../base/texts.js';
import type { Notebook } from '../format/nbformat.js';

/** A pattern of output that may differ from run to run, and what replaces it when outputs are compared. */
export interface Sanitizer {
  /** The pattern, with the flag `g`. */
  pattern: RegExp;
  /** The replacement, as `String.replace` takes it: `$1` is the first group. */
  replace: string;
  /** Whether the user wrote the pattern, so that it may be slow. */
  isOwn?: boolean;
}

/** What always applies: it differs from run to run and is never data. */
const ALWAYS: readonly Sanitizer[] = [
  { pattern: /\r\n/g, replace: '\n' },
  // A line that a progress bar overwrote: a screen shows only its last state.
  { pattern: /^[^\n]*\r(?=[^\n])/gm, replace: '' },
  {
    pattern: /(?<![\w.])(?:\/private)?(?:\/var\/folders\/[^/\s]+\/[^/\s]+\/T|\/var\/tmp|\/tmp)\/[\w.+~@%-]+/g,
    replace: '<temp>',
  },
  {
    pattern:
      /[A-Za-z]:(?:\\|\/)Users(?:\\|\/)[^\\/\s]+(?:\\|\/)AppData(?:\\|\/)Local(?:\\|\/)Temp(?:\\|\/)[\w.+~@%-]+/g,
    replace: '<temp>',
  },
  // A port, which the system may choose anew each time.
  { pattern: /(?<![\w.])(localhost|127\.0\.0\.1|\[::1\]):\d{1,5}(?!\d)/g, replace: '$1:<port>' },
];

/** What applies only where a notebook or its user asks for it by name, since it could be data. */
const NAMED: Readonly<Record<string, readonly Sanitizer[]>> = {
  dates: [{ pattern: /\b\d{4}-\d\d-\d\d(?!\d)/g, replace: '<date>' }],
  times: [{ pattern: /(?<![\d:])\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?: ?[AP]M\b|Z|[+-]\d\d:?\d\d)?/g, replace: '<time>' }],
  durations: [
    {
      pattern: /(?<![\w.])\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|sec|secs|seconds?|min|minutes?|h|hours?)\b/g,
      replace: '<duration>',
    },
  ],
  uuids: [{ pattern: /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, replace: '<uuid>' }],
};

const FORMS = `one of ${Object.keys(NAMED).join(', ')}, or s/PATTERN/REPLACEMENT/FLAGS`;

/**
 * Reads a value of `--sanitize`: the name of a built-in sanitizer (dates, times, durations, uuids), or a substitution
 * whose character after `s` separates its parts: `s/run \d+/run N/`, `s|/data/\w+|DATA|i`.
 *
 * @throws {UsageError} If it is neither, or its pattern is not a regular expression.
 */
export function parseSanitizer(text: string): Sanitizer[] {
  const named = Object.hasOwn(NAMED, text) ? NAMED[text] : undefined;
  if (named) return [...named];
  const [, , pattern, replace, flags] =
    /^s([^\w\s\\])((?:\\.|(?!\1).)+)\1((?:\\.|(?!\1).)*)\1([a-z]*)$/su.exec(text) ?? [];
  if (pattern === undefined || replace === undefined) {
    throw new UsageError(`--sanitize takes ${FORMS}; "${text}" is none of them.`);
  }
  const separator = text.charAt(1);
  const plain = (part: string): string => part.replaceAll(`\\${separator}`, separator);
  try {
    return [{ pattern: compile(plain(pattern), flags ?? ''), replace: plain(replace), isOwn: true }];
  } catch (cause) {
    throw new UsageError(`--sanitize "${text}": ${reasonOf(cause)}`, { cause });
  }
}

/**
 * The sanitizers for a notebook: those that always apply, then those in its metadata (`oddslab.check.sanitize`: names,
 * or objects with `pattern` and `replace`), then the given ones.
 *
 * @param name How errors call the notebook.
 * @throws {InputError} If the metadata holds something else.
 */
export function sanitizersOf(notebook: Notebook, given: readonly Sanitizer[] = [], name = 'the notebook'): Sanitizer[] {
  const list = checkField(notebook, 'sanitize') ?? [];
  if (!Array.isArray(list)) throw new InputError(`${name}: its metadata \`oddslab.check.sanitize\` must be a list.`);
  return [
    ...ALWAYS,
    ...list.flatMap((entry, index) => sanitizerIn(entry, `${name}: its metadata \`oddslab.check.sanitize[${index}]\``)),
    ...given,
  ];
}

/** A field of `oddslab.check` in the notebook's metadata, which says how its outputs are compared. */
export function checkField(notebook: Notebook, name: string): unknown {
  return fieldOf(fieldOf(fieldOf(notebook.metadata, 'oddslab'), 'check'), name);
}

function sanitizerIn(entry: unknown, where: string): Sanitizer[] {
  if (typeof entry === 'string' && Object.hasOwn(NAMED, entry)) return [...(NAMED[entry] ?? [])];
  const [pattern, replace] = [fieldOf(entry, 'pattern'), fieldOf(entry, 'replace') ?? ''];
  if (typeof pattern !== 'string' || typeof replace !== 'string') {
    const names = Object.keys(NAMED).join(', ');
    throw new InputError(`${where} must be one of ${names}, or { "pattern": "…", "replace": "…" }.`);
  }
  try {
    return [{ pattern: compile(pattern, ''), replace, isOwn: true }];
  } catch (cause) {
    throw new InputError(`${where}: ${reasonOf(cause)}`, { cause });
  }
}

function compile(pattern: string, flags: string): RegExp {
  return new RegExp(pattern, [...new Set(`gm${flags}`)].join(''));
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? `${cause.message.replace(/\.$/, '')}.` : String(cause);
}

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
  return sanitizers.reduce(
    (before, each) => (each.isOwn ? inTime(before, each) : before.replace(each.pattern, each.replace)),
    text,
  );
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
