import { LineIndex, type Position } from './line-index.js';
import { rewriteCell } from './rewrite.js';
import { type SyntaxFault, stripTypes } from './strip-types.js';
import type { EarlierNames, TopLevelNames } from './top-level-names.js';

/** A cell, ready for the REPL mode of V8. */
export interface TransformedCell {
  code: string;
  /** The place in the cell of a place in `code`; undefined where it has none. */
  position(position: Position): Position | undefined;
  /** What the cell declares at its top level. */
  names: TopLevelNames;
}

/**
 * Turns the TypeScript of a cell into a script that V8's REPL mode evaluates any number of times: every top-level
 * name becomes a `let`, imports go through the global `__oddslab__`, and the value of a last expression is put there.
 *
 * @param earlier What the cells before say of its names. Default: nothing.
 * @returns The script, or what is wrong with the cell.
 * @example transformCell('const a: number = 1; a'); // { code: "'use strict';let a = 1;\n__oddslab__.value = (a);", … }
 */
export function transformCell(
  source: string,
  earlier: EarlierNames = NOTHING,
): TransformedCell | { fault: SyntaxFault } {
  // Of a first line for a shell, the parsers make a node that must stay first; a comment of its length need not.
  const stripped = stripTypes(source.replace(/^#!/, '//'), { filename: 'cell.ts', lang: 'ts', keepImports: true });
  if ('fault' in stripped) return stripped;
  const showsValue = stripped.parsed.program.body.at(-1)?.type === 'ExpressionStatement';
  const rewritten = rewriteCell(stripped.code, showsValue, earlier);
  const position = (at: Position): Position | undefined => {
    const offset = new LineIndex(rewritten.text).offset(at);
    return stripped.position(new LineIndex(stripped.code).position(rewritten.origin(offset)));
  };
  return { code: rewritten.text, position, names: rewritten.names };
}

const NOTHING: EarlierNames = { constants: new Set(), renamed: new Set(), missing: new Set() };
