import type { Program } from 'oxc-parser';
import { loadNative } from '../../base/packages.js';
import { BRACE, readCell } from '../transform/read-cell.js';
import { isTooDeep, SKIPPED } from '../transform/syntax-tree.js';

/** Whether a text is a whole cell, in the terms of `is_complete_reply`. */
type Completeness = { status: 'complete' | 'invalid' | 'unknown' } | { status: 'incomplete'; indent: string };

const INDENT = '  ';

/**
 * Whether a text can run, needs more lines, or is wrong whatever follows; unknown if it nests too deeply.
 *
 * @example await isComplete('for (const a of list) {'); // { status: 'incomplete', indent: '  ' }
 */
export async function isComplete(code: string): Promise<Completeness> {
  const parsed = await parseCell(code);
  if (!parsed) return { status: 'unknown' };
  const isRight = parsed.errors.length === 0;
  if (isRight && !endsInOverload(parsed.program)) return { status: 'complete' };
  if (isRight || (await canGoOn(code, parsed))) return { status: 'incomplete', indent: indentOf(code) };
  // What is no block yet may become an object.
  const object = BRACE.test(code) ? await parseCell(`(${code}`) : undefined;
  return object && (await canGoOn(`(${code}`, object))
    ? { status: 'incomplete', indent: indentOf(code) }
    : { status: 'invalid' };
}

/** Whether a program ends in a function whose body or next overload is still to come. */
function endsInOverload({ body }: Program): boolean {
  const last = body.at(-1);
  const declared = last && 'declaration' in last ? last.declaration : last;
  return declared?.type === 'TSDeclareFunction' && !declared.declare;
}

/** Whether some continuation leaves nothing wrong in the text itself. */
async function canGoOn(code: string, { errors }: ParsedCell): Promise<boolean> {
  const end = code.trimEnd().length;
  const grammar = await parseCell(code, { isGrammarAlone: true });
  if (!grammar) return false;
  const isGrammatical = grammar.errors.length === 0;
  // If only the meaning is wrong, more text helps only at the last word, which may begin a declaration.
  if (isGrammatical && errors.some((error) => error.end < end)) return false;
  if (!isGrammatical && isBehind(end, grammar)) return true;
  // If the parser has read the text to its end, it may drop the text's errors when it fails in what follows; then no
  // error may remain at all.
  const isRead = grammar.program.body.length > 0;
  for (const more of continuations(code)) {
    const longer = await parseCell(code + more, { isGrammarAlone: !isGrammatical });
    if (longer && (isRead ? longer.errors.length === 0 : isBehind(end, longer))) return true;
  }
  return false;
}

function isBehind(end: number, { errors }: ParsedCell): boolean {
  return errors.every(({ start }) => start >= end);
}

function indentOf(code: string): string {
  const last = code.trimEnd().split('\n').at(-1) ?? '';
  const indent = /^\s*/.exec(last)?.[0] ?? '';
  return /[{([]$|=>$/.test(last) ? indent + INDENT : indent;
}

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
function continuations(code: string): string[] {
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

/** A cell as the parser reads it, and the ranges of what is wrong with it. */
interface ParsedCell {
  program: Program;
  errors: { start: number; end: number }[];
}

/**
 * Parses a cell; undefined if it nests too deeply: the parser would crash the process.
 *
 * @param options.isGrammarAlone Leaves out errors of meaning, such as a name that is declared twice. Default false.
 */
export async function parseCell(
  code: string,
  { isGrammarAlone = false }: { isGrammarAlone?: boolean } = {},
): Promise<ParsedCell | undefined> {
  if (isTooDeep(code)) return undefined;
  const { parseSync } = await loadNative('oxc-parser', () => import('oxc-parser'));
  const options = { sourceType: 'module', showSemanticErrors: !isGrammarAlone } as const;
  const { parsed } = readCell(code, (text, lang) => parseSync('cell.ts', text, { lang, ...options }));
  const errors = parsed.errors.map(({ labels: [label] }) => ({ start: label?.start ?? 0, end: label?.end ?? 0 }));
  return {
    errors,
    get program() {
      return parsed.program;
    },
  };
}
