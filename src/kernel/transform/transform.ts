import { type Node, type Program, parseSync } from 'oxc-parser';
import { type RewrittenCell, rewriteCell, rewriteTypedCell } from './rewrite.js';
import { LineIndex, type Position } from './source-lines.js';
import { type SyntaxFault, stripTypes } from './strip-types.js';
import { varNames, walk } from './syntax-tree.js';
import { type EarlierNames, type TopLevelNames, topLevelNames } from './top-level-names.js';

/** A cell, ready for V8's REPL mode. */
interface TransformedCell {
  code: string;
  /** Maps a place in `code` to the cell; undefined if it has none there. */
  position(position: Position): Position | undefined;
  /** What the cell declares at its top level. */
  names: TopLevelNames;
  /** Whether the transform was not needed. If V8 then refuses the code, the transform may still accept it. */
  isQuick: boolean;
}

/**
 * Turns a cell's TypeScript into a script that V8's REPL mode can evaluate any number of times: every top-level name
 * becomes a `let`, imports go through the global `__oddslab__`, and the value of a last expression is stored there.
 *
 * @param earlier What earlier cells determine about its names. Default: nothing.
 * @param options.isThorough Uses the transform even where leaving out the types might be enough. Default false.
 * @example transformCell('const a: number = 1; a'); // { code: "'use strict';let a = 1; __oddslab__.value = (a);", … }
 */
export function transformCell(
  source: string,
  earlier: EarlierNames = NOTHING,
  { isThorough = false }: { isThorough?: boolean } = {},
): TransformedCell | { fault: SyntaxFault } {
  // The parsers make a node of a `#!` line, which would have to stay first; a comment of the same length need not.
  const text = source.replace(/^#!/, '//');
  const parsed = parseSync('cell.ts', text, { lang: 'ts', sourceType: 'module' });
  const quick = isThorough || parsed.errors.length > 0 ? undefined : rewriteTypedCell(text, parsed.program, earlier);
  if (quick) return quickCell(text, parsed.program, quick);
  const stripped = stripTypes(text, { filename: 'cell.ts', lang: 'ts', keepImports: true, parsed });
  if ('fault' in stripped) return stripped;
  const showsValue = stripped.parsed.program.body.at(-1)?.type === 'ExpressionStatement';
  const lines = new LineIndex(stripped.code);
  const before = (offset: number): Position | undefined => stripped.position(lines.position(offset));
  const written = (offset: number): number | undefined => {
    const at = before(offset);
    return at && new LineIndex(source).offset(at);
  };
  // The transform also makes `var`s of enums and of names beside `using`; these must not keep earlier values.
  const own = new Set(varNames(parsed.program));
  const among = (vars: ReadonlySet<string>): Set<string> => new Set([...vars].filter((name) => own.has(name)));
  // The transform also makes `var`s of `using`, and of constants beside it.
  const { constants } = topLevelNames(parsed.program, new Set(), new Set(), NOTHING);
  const known = { ...earlier, vars: among(earlier.vars) };
  const rewritten = rewriteCell(stripped.code, known, { showsValue, written, constants });
  const position = (at: Position): Position | undefined =>
    before(rewritten.origin(new LineIndex(rewritten.text).offset(at)));
  const names = { ...rewritten.names, vars: among(rewritten.names.vars) };
  return { code: rewritten.text, position, names, isQuick: false };
}

function quickCell(source: string, program: Program, { text: code, names, origin }: RewrittenCell): TransformedCell {
  const position = (at: Position): Position => {
    const offset = origin(new LineIndex(code).offset(at));
    return new LineIndex(source).position(operationStart(program, source, offset));
  };
  return { code, position, names, isQuick: true };
}

const NOTHING: EarlierNames = { constants: new Set(), vars: new Set(), renamed: new Set(), missing: new Set() };

/**
 * The start of the operation whose operator is at an offset, if it begins on the same line; else the offset. V8 places
 * errors of `a + b` and `a = b` at the operator; readers look for them at `a`, and for those of `a.b = c` at `b`.
 */
function operationStart(program: Program, source: string, offset: number): number {
  let start = offset;
  walk(program, (node) => {
    if (node.start > offset || node.end <= offset) return false;
    if (isOperatorOf(node, offset)) start = startOf(node);
    return true;
  });
  return source.slice(start, offset).includes('\n') ? offset : start;
}

function startOf(node: Node): number {
  const target = node.type === 'AssignmentExpression' ? node.left : undefined;
  return target?.type === 'MemberExpression' ? target.property.start : node.start;
}

function isOperatorOf(node: Node, offset: number): boolean {
  switch (node.type) {
    case 'AssignmentExpression':
    case 'BinaryExpression':
      return node.left.end <= offset && offset < node.right.start;
    case 'UpdateExpression':
      return node.argument.end <= offset;
    default:
      return false;
  }
}
