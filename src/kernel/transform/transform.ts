import { type Node, type Program, parseSync } from 'oxc-parser';
import { ASKING, ASKING_CALL, type Asking, aliasesIn, ownless } from './asking-names.js';
import { NO_PROJECT, type ProjectOptions } from './project-options.js';
import { parseCell } from './read-cell.js';
import { type RewrittenCell, rewriteCell, rewriteTypedCell } from './rewrite.js';
import { LineIndex, type Position } from './source-lines.js';
import { type SyntaxFault, stripTypes } from './strip-types.js';
import { varNames, walk } from './syntax-tree.js';
import { type EarlierNames, NOTHING, type TopLevelNames, topLevelNames } from './top-level-names.js';
import { unawaitedCall } from './unawaited.js';

/** A cell, ready for V8's REPL mode. */
interface TransformedCell {
  code: string;
  /** Maps a place in `code` to the cell; undefined if it has none there. */
  position(position: Position): Position | undefined;
  /** What the cell declares at its top level. */
  names: TopLevelNames;
  /** Whether the cell ends in an expression and a semicolon: the value is not to be shown. */
  isSilenced: boolean;
  /** Its constants that are functions that ask the reader. */
  asking: Asking;
  /** Whether the transform was not needed. If V8 then refuses the code, the transform may still accept it. */
  isQuick: boolean;
}

interface TransformOptions {
  isThorough?: boolean;
  project?: () => ProjectOptions;
  asking?: () => Asking;
}

/**
 * Turns a cell's TypeScript into a script that V8's REPL mode can evaluate any number of times: every top-level name
 * becomes a `let`, imports go through the global `__oddslab__`, and the value of a last expression is stored there.
 *
 * @param earlier What earlier cells determine about its names. Default: nothing.
 * @param options.project Gets what the tsconfig.json beside the notebook says. Default: nothing.
 * @param options.asking Gets the names by which earlier cells leave the functions that ask the reader. Default: none.
 * @param options.isThorough Uses the transform even where leaving out the types might be enough. Default false.
 * @example transformCell('const a: number = 1; a'); // { code: "'use strict';let a = 1; __oddslab__.value = (a);", … }
 */
export function transformCell(
  source: string,
  earlier: EarlierNames = NOTHING,
  { isThorough = false, project = () => NO_PROJECT, asking = () => new Map() }: TransformOptions = {},
): TransformedCell | { fault: SyntaxFault } {
  const { parsed, lang, text, shift } = parseCell(parseSync, source);
  const asked = askedIn(text, parsed.program, asking());
  if (asked.unawaited) {
    const place = new LineIndex(source).position(asked.unawaited.offset - shift);
    return { fault: { message: asked.unawaited.message, position: place } };
  }
  const last = parsed.program.body.at(-1);
  const isSilenced = last?.type === 'ExpressionStatement' && text[last.end - 1] === ';';
  const isPlain = !isThorough && lang === 'ts' && parsed.errors.length === 0;
  const quick = !isPlain ? undefined : rewriteTypedCell(text, parsed.program, earlier, shift);
  const told = { isSilenced, asking: asked.aliases };
  if (quick) return shifted({ ...quickCell(text, parsed.program, quick), ...told }, shift);
  const stripped = stripTypes(text, { filename: 'cell.ts', lang, keepImports: true, parsed, project });
  if ('fault' in stripped) return stripped;
  const showsValue = stripped.parsed.program.body.at(-1)?.type === 'ExpressionStatement';
  const lines = new LineIndex(stripped.code);
  const before = (offset: number): Position | undefined => stripped.position(lines.position(offset));
  const written = (offset: number): number | undefined => {
    const at = before(offset);
    return at && new LineIndex(text).offset(at) - shift;
  };
  // The transform also makes `var`s of enums and of names beside `using`; these must not keep earlier values.
  const own = new Set(varNames(parsed.program));
  const among = (vars: ReadonlySet<string>): Set<string> => new Set([...vars].filter((name) => own.has(name)));
  // The transform also makes `var`s of `using`, and of constants beside it.
  const { constants } = topLevelNames(parsed.program, new Set(), new Set(), NOTHING);
  const isWritten = (name: string): boolean => lang === 'ts' || constants.has(name);
  const known = { ...earlier, vars: among(earlier.vars) };
  const rewritten = rewriteCell(stripped.code, known, { showsValue, written, constants });
  const position = (at: Position): Position | undefined =>
    before(rewritten.origin(new LineIndex(rewritten.text).offset(at)));
  // Nor are the imports by which JSX becomes calls the cell's own.
  const kept = new Set([...rewritten.names.constants].filter(isWritten));
  const names = { ...rewritten.names, constants: kept, vars: among(rewritten.names.vars) };
  return shifted({ code: rewritten.text, position, names, ...told, isQuick: false }, shift);
}

/** The call in a cell that does not await the reader's answer, and the cells' names by which later ones may ask. */
function askedIn(
  text: string,
  program: Program,
  asking: Asking,
): { unawaited?: ReturnType<typeof unawaitedCall>; aliases: Asking } {
  const hasOthers = [...asking.keys()].some((name) => !ASKING.includes(name));
  if (!hasOthers && !ASKING_CALL.test(text)) return { aliases: new Map() };
  const named = ownless(asking, program);
  const kept = [...named].filter(([name]) => !ASKING.includes(name));
  return { unawaited: unawaitedCall(program, named), aliases: new Map([...kept, ...aliasesIn(program, named)]) };
}

/** The same for the cell that begins so many characters further on in what was transformed. */
function shifted(cell: TransformedCell, shift: number): TransformedCell {
  if (shift === 0) return cell;
  const position = (at: Position): Position | undefined => {
    const place = cell.position(at);
    return place?.line === 1 ? { line: 1, column: Math.max(1, place.column - shift) } : place;
  };
  return { ...cell, position };
}

function quickCell(source: string, program: Program, { text: code, names, origin }: RewrittenCell) {
  const position = (at: Position): Position => {
    const offset = origin(new LineIndex(code).offset(at));
    return new LineIndex(source).position(operationStart(program, source, offset));
  };
  return { code, position, names, isQuick: true };
}

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
