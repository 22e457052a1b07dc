import type { ContentFields } from '../protocol/message.js';
import { magicsFor } from '../transform/cell-source.js';
import type { Completion, Hover } from '../types/type-service.js';
import type { CellTypes } from './cell-types.js';

/** Answers a `complete_request`. */
export async function answerComplete(fields: ContentFields, types: CellTypes): Promise<object> {
  const { code, offset } = placeIn(fields);
  const { start, end, items } = magicsAt(code, offset) ?? (await types.complete(code, offset));
  const [from, to] = [codePointOffset(code, start), codePointOffset(code, end)];
  const typed = items.map(({ text, kind, signature }) => ({ start: from, end: to, text, type: kind, signature }));
  return {
    matches: [...new Set(items.map(({ text }) => text))],
    cursor_start: from,
    cursor_end: to,
    metadata: { _jupyter_types_experimental: typed },
  };
}

function magicsAt(code: string, offset: number): Completion | undefined {
  const begun = code.slice(0, offset);
  const items = magicsFor(begun)?.map((text) => ({ text, kind: 'keyword', signature: '' }));
  return items && { start: begun.indexOf('%'), end: offset, items };
}

/** Answers an `inspect_request`. */
export async function answerInspect(fields: ContentFields, types: CellTypes): Promise<object> {
  const { code, offset } = placeIn(fields);
  const hover = await types.hover(code, offset);
  return hover ? { found: true, ...hoverBundle(hover) } : { found: false, data: {}, metadata: {} };
}

/** What is known of a name as a front end shows it. */
export function hoverBundle({ signature, documentation }: Hover): { data: Record<string, string>; metadata: object } {
  const join = (first: string, rest: string): string => (rest === '' ? first : `${first}\n\n${rest}`);
  const data = {
    'text/plain': join(signature, plainDocumentation(documentation)),
    'text/markdown': join(`\`\`\`ts\n${signature}\n\`\`\``, documentation),
  };
  return { data, metadata: {} };
}

/** The text of a request, and its cursor as an offset in UTF-16 units; without one, the text's end. */
export function placeIn(fields: ContentFields): { code: string; offset: number } {
  const code = fields.text('code');
  const cursor = fields.integer('cursor_pos');
  return { code, offset: cursor === undefined ? code.length : utf16Offset(code, cursor) };
}

/**
 * Converts an offset in code points, as Jupyter counts, to UTF-16 units, as JavaScript counts; limited to the text.
 *
 * @example utf16Offset('😀a', 1); // 2
 */
export function utf16Offset(text: string, codePoints: number): number {
  return [...text].slice(0, Math.max(0, codePoints)).join('').length;
}

/**
 * Converts an offset in UTF-16 units to code points, as Jupyter counts.
 *
 * @example codePointOffset('😀a', 2); // 1
 */
export function codePointOffset(text: string, utf16: number): number {
  return [...text.slice(0, Math.max(0, utf16))].length;
}

const FENCE = /^\s*```/;
const PARAMETER = /^\*@(?:param|template|typeParam|property)\* `([^`]+)`(?:\s+[—-])?\s*/;
const TAG = /^\*@(\w+)\*(?:\s+[—-])?\s*/;
const CODE_SPAN = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;
const STAND_IN = '\u0000';

/**
 * Turns a language server's Markdown documentation into text that reads well unrendered: removes marks, keeps code as
 * it is, and begins the lines of a doc comment's tags with a name.
 *
 * @example plainDocumentation('Adds **two**.\n\n*@param* `a` — The `first`.') // 'Adds two.\n\na: The first.'
 */
export function plainDocumentation(markdown: string): string {
  let isCode = false;
  const lines = markdown.split('\n').flatMap((line) => {
    if (FENCE.test(line)) {
      isCode = !isCode;
      return [];
    }
    return [isCode ? `  ${line}`.trimEnd() : plainLine(line)];
  });
  return lines.join('\n').trim();
}

function plainLine(line: string): string {
  const [parameter, name = ''] = PARAMETER.exec(line) ?? [];
  if (parameter !== undefined) return labelled(name, line.slice(parameter.length));
  const [tag, what = ''] = TAG.exec(line) ?? [];
  if (tag !== undefined) return labelled(what.charAt(0).toUpperCase() + what.slice(1), line.slice(tag.length), ':');
  return plainSpans(line.replace(/^#{1,6}\s+/, ''));
}

function labelled(label: string, text: string, alone = ''): string {
  return text === '' ? label + alone : `${label}: ${plainSpans(text)}`;
}

/** Removes the marks within a line; text in backticks is code and stays. */
function plainSpans(line: string): string {
  const codes: string[] = [];
  // Marks may surround code, so code is replaced by a stand-in while marks are removed.
  const text = line.replace(CODE_SPAN, (_span, _ticks, code: string) => {
    codes.push(code.replace(/^ (.*\S.*) $/, '$1'));
    return STAND_IN;
  });
  return withoutMarks(text).replaceAll(STAND_IN, () => codes.shift() ?? '');
}

function withoutMarks(text: string): string {
  return text
    .replace(/(?<!\w)!?\[([^\]]*)\]\((\S+?)\)/g, (_, label: string, url: string) =>
      label === url ? url : `${label} (${url})`,
    )
    .replace(/\*\*(\S|\S.*?\S)\*\*/g, '$1')
    .replace(/(?<![\w*])\*(\S|\S[^*]*?\S)\*(?![\w*])/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+.!<>|~-])/g, '$1');
}
