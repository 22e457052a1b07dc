import { SKIPPED } from '../transform/nesting-of.js';

/** What may follow on the next line or on the same one. */
const BEGINNINGS = [
  '',
  'x',
  '{}',
  '= x',
  ': x => x',
  'x => x',
  '(x) => x',
  '? x : x => x',
  '.x',
  '*/',
  '`',
  "'",
  '"',
].map((text) => `\n${text}`);
const IN_LINE = [' x {}', ' class A {}', ' => x'];
const IN_CODE = new RegExp(`${SKIPPED.source}|=>|(?<opens>[([{<\`])|(?<closes>[)\\]}>])`, 'g');
const IN_TEMPLATE = /\\[\s\S]|(?<opens>\$\{)|(?<closes>`)/g;
const CLOSING: Readonly<Record<string, string>> = {
  '(': ') => x',
  '[': ']',
  '{': '}',
  '${': '}',
  '`': '`',
  '<': '>',
};
/** How an arrow function goes on once such a bracket is closed; after any other bracket, its return type has ended. */
const BEHIND: Readonly<Record<string, string[]>> = { '(': ['', ' => x'], '<': ['(x) => x', ' => x'] };
/** Nobody writes a function head with more open brackets in it. */
const MOST_OPEN = 8;

/**
 * Texts of which at least one completes the beginning of a cell, if any text can. Until the parser meets the end of an
 * arrow function's head, or of type arguments, it takes them for something else, so these texts close them.
 *
 * @example continuations('f(({ a }: {').includes('\n}) => x') // true
 */
export function continuations(code: string): string[] {
  const found = [...BEGINNINGS, ...IN_LINE];
  let inner = '';
  for (const bracket of openBrackets(code).reverse().slice(0, MOST_OPEN)) {
    const closed = inner + CLOSING[bracket];
    for (const rest of BEHIND[bracket] ?? [' => x']) found.push(`\n${closed}${rest}`, `\nx${closed}${rest}`);
    inner = closed;
  }
  return found;
}

/** The brackets that a text leaves open, innermost last. A `<` counts wherever it may be a bracket. */
function openBrackets(code: string): string[] {
  const open: string[] = [];
  for (let at = 0; ; ) {
    const token = open.at(-1) === '`' ? IN_TEMPLATE : IN_CODE;
    token.lastIndex = at;
    const { opens, closes } = token.exec(code)?.groups ?? {};
    if (token.lastIndex === 0) return open;
    at = token.lastIndex;
    if (opens) open.push(opens);
    if (closes) close(open, closes);
  }
}

/** Closes a bracket. A `<` that another bracket closes was none, nor was a `>` that closes nothing. */
function close(open: string[], bracket: string): void {
  if (bracket === '>' && open.at(-1) !== '<') return;
  while (bracket !== '>' && open.at(-1) === '<') open.pop();
  open.pop();
}
