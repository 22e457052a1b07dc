import type { CellTypes } from './cell-types.js';
import { codePointOffset, utf16Offset } from './code-points.js';
import type { ContentFields } from './content-fields.js';
import { plainDocumentation } from './plain-documentation.js';

/** Answers a `complete_request`. */
export async function answerComplete(fields: ContentFields, types: CellTypes): Promise<object> {
  const { code, offset } = placeIn(fields);
  const { start, end, items } = await types.complete(code, offset);
  const [from, to] = [codePointOffset(code, start), codePointOffset(code, end)];
  const typed = items.map(({ text, kind, signature }) => ({ start: from, end: to, text, type: kind, signature }));
  return {
    matches: [...new Set(items.map(({ text }) => text))],
    cursor_start: from,
    cursor_end: to,
    metadata: { _jupyter_types_experimental: typed },
  };
}

/** Answers an `inspect_request`. */
export async function answerInspect(fields: ContentFields, types: CellTypes): Promise<object> {
  const { code, offset } = placeIn(fields);
  const hover = await types.hover(code, offset);
  if (!hover) return { found: false, data: {}, metadata: {} };
  const { signature, documentation } = hover;
  const join = (first: string, rest: string): string => (rest === '' ? first : `${first}\n\n${rest}`);
  const data = {
    'text/plain': join(signature, plainDocumentation(documentation)),
    'text/markdown': join(`\`\`\`ts\n${signature}\n\`\`\``, documentation),
  };
  return { found: true, data, metadata: {} };
}

function placeIn(fields: ContentFields): { code: string; offset: number } {
  const code = fields.text('code');
  const cursor = fields.integer('cursor_pos');
  return { code, offset: cursor === undefined ? code.length : utf16Offset(code, cursor) };
}
