import { parseSync } from 'oxc-parser';
import { walk } from './walk.js';

/**
 * The offset of the JSX that keeps a text from parsing.
 *
 * @returns Undefined if the text has no JSX, or does not parse as JSX either.
 * @example jsxStart('const a = <p>b</p>', 'ts') // 10
 */
export function jsxStart(source: string, lang: 'ts' | 'js'): number | undefined {
  const { program, errors } = parseSync(`jsx.${lang}x`, source, { lang: `${lang}x`, sourceType: 'module' });
  if (errors.length > 0) return undefined;
  let first: number | undefined;
  walk(program, ({ type, start }) => {
    if (type === 'JSXElement' || type === 'JSXFragment') first ??= start;
    return first === undefined;
  });
  return first;
}
