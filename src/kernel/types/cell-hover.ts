import { withoutFileLinks } from './file-links.js';
import { plainNames } from './plain-names.js';
import type { Hover } from './type-service.js';

const BLOCK = /^```[a-z]*\n([\s\S]*?)\n```\n?([\s\S]*)$/;

/**
 * What the language server knows of a place, as declaration and documentation.
 *
 * @param answer The answer to `textDocument/hover`, in Markdown.
 * @param offset Converts a place in the document to an offset in the cell.
 * @returns Undefined if the server knows nothing.
 */
export function cellHover(
  answer: unknown,
  offset: (at: { line: number; character: number }) => number,
): Hover | undefined {
  const { contents, range } = (answer ?? {}) as {
    contents?: { value?: string };
    range?: Record<'start' | 'end', { line: number; character: number }>;
  };
  const [, code = '', documentation = ''] = BLOCK.exec(contents?.value ?? '') ?? [];
  // For an undeclared name, the server says no more than `any`.
  if (code === '' || code === 'any' || !range) return undefined;
  return {
    signature: plainNames(declaration(code)),
    documentation: withoutFileLinks(documentation).trim(),
    start: offset(range.start),
    end: offset(range.end),
  };
}

/** Removes the import by which a name of an earlier cell came into this one. */
function declaration(code: string): string {
  const lines = code.split('\n');
  if (lines.length > 1 && /^import [\p{ID_Continue}$]+$/u.test(lines.at(-1) ?? '')) lines.pop();
  const text = lines.map((line) => line.replace(/^\(alias\) /, '')).join('\n');
  // If the value and the type of one name come from two cells, the server repeats the declaration.
  const half = text.slice(0, Math.floor(text.length / 2));
  return text === `${half}\n${half}` ? half : text;
}
