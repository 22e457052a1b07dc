import type { Program } from 'oxc-parser';
import { continuations } from './continuations.js';
import { type ParsedCell, parseCell } from './parse-cell.js';

/** Whether a text is a whole cell, in the terms of `is_complete_reply`. */
export type Completeness = { status: 'complete' | 'invalid' | 'unknown' } | { status: 'incomplete'; indent: string };

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
  return isRight || (await canGoOn(code, parsed))
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
