import { SKIPPED } from '../transform/nesting-of.js';

/** What may stand on the next line, or go on in the same one. */
const BEGINNINGS = ['', 'x', '{}', '= x', ': x => x', 'x => x', '(x) => x', '.x', '*/', '`', "'", '"'].map(
  (text) => `\n${text}`,
);
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
/** How an arrow function goes on where such a bracket is closed; behind all others, its type has ended. */
const BEHIND: Readonly<Record<string, string[]>> = { '(': ['', ' => x'], '<': ['(x) => x', ' => x'] };
/** Nobody writes the head of a function with more open brackets in it. */
const MOST_OPEN = 8;

/**
 * Texts of which one makes the beginning of a cell right, if any text can. The parser takes the head of an arrow
 * function, or type arguments, for something else until it has met their end, so there they are closed.
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

/** The brackets that a text leaves open, `<` among them wherever it may be one; the innermost is the last. */
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

/** A `<` that another bracket closes was none, nor was a `>` that closes none. */
function close(open: string[], bracket: string): void {
  if (bracket === '>' && open.at(-1) !== '<') return;
  while (bracket !== '>' && open.at(-1) === '<') open.pop();
  open.pop();
}
