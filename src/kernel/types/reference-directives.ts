/**
 * The directives at the top of a cell that make TypeScript read more types.
 *
 * @example referenceDirectives('/// <reference types="react" />\n1') // ['/// <reference types="react" />']
 */
export function referenceDirectives(code: string): string[] {
  const [top = ''] = /^(?:\s*\/\/.*\n?|\s*\/\*[\s\S]*?\*\/)*/.exec(code) ?? [];
  return top.match(/^[ \t]*\/\/\/\s*<reference\s+(?:path|types|lib)\s*=.*\/>/gm) ?? [];
}
