import { parsedErrors } from './parsed-errors.js';

/** Whether a text is a whole cell, as `is_complete_reply` says it. */
export type Completeness = { status: 'complete' | 'invalid' | 'unknown' } | { status: 'incomplete'; indent: string };

const INDENT = '  ';
/** Faults that more text mends though they begin before the end of it: a reserved word may begin a declaration. */
const MENDABLE =
  /^(Unterminated multiline comment|Missing initializer|Identifier expected after|The keyword '(let|interface)')/;

/**
 * Tells whether a text can run, needs more lines, or cannot become right by any; unknown where it nests too deeply.
 *
 * @example await isComplete('for (const a of list) {'); // { status: 'incomplete', indent: '  ' }
 */
export async function isComplete(code: string): Promise<Completeness> {
  const errors = await parsedErrors(code);
  if (!errors) return { status: 'unknown' };
  const [error] = errors;
  if (!error) return { status: 'complete' };
  const end = code.trimEnd().length;
  const isOpen =
    error.start >= end || (error.end >= end && (MENDABLE.test(error.message) || isOpenTemplate(code, error)));
  return isOpen ? { status: 'incomplete', indent: indentOf(code) } : { status: 'invalid' };
}

/** A template goes on over lines; its parts begin with a backtick or the brace behind a value. */
function isOpenTemplate(code: string, { message, start }: { message: string; start: number }): boolean {
  return message === 'Unterminated string' && /[`}]/.test(code.charAt(start));
}

function indentOf(code: string): string {
  const last = code.trimEnd().split('\n').at(-1) ?? '';
  const indent = /^\s*/.exec(last)?.[0] ?? '';
  return /[{([]$|=>$/.test(last) ? indent + INDENT : indent;
}
