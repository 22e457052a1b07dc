import { type Comment, type Expression, type Program, parseSync, type VariableDeclaration } from 'oxc-parser';
import { InputError } from '../../base/errors.js';
import { parseCell } from '../transform/read-cell.js';
import { LineIndex } from '../transform/source-lines.js';
import { namesOf } from '../transform/syntax-tree.js';
import { ANY, type ParameterShape, shapeOfEnum } from './parameter-shape.js';
import { shapeOfDefault } from './shape-of-default.js';
import { type NamedTypes, namedTypesOf, shapeOfType } from './shape-of-type.js';

/** A variable that a cell declares for others to set. */
export interface DeclaredParameter {
  name: string;
  keyword: 'const' | 'let' | 'var';
  /** Its type as written in the cell; absent if only the default tells it. */
  statedType?: string;
  /** Its default as written in the cell; absent if it has none. */
  defaultText?: string;
  /** The comment beside or above it, on one line; empty without one. */
  description: string;
  shape: ParameterShape;
}

/**
 * The variables that a cell declares at its top level, in order, except destructured ones.
 *
 * @param name The cell's name in errors: `nb.ipynb, cell 2`.
 * @throws {InputError} If the cell does not parse.
 * @example parametersOf('const days = 7; // to look back', 'cell 1');
 * // [{ name: 'days', keyword: 'const', defaultText: '7', description: 'to look back', shape: { kind: 'number' } }]
 */
export function parametersOf(source: string, name: string): DeclaredParameter[] {
  const { program, comments, errors } = parseCell(parseSync, source).parsed;
  const lines = new LineIndex(source);
  const [unparsed] = errors;
  if (unparsed) {
    const { line, column } = lines.position(unparsed.labels[0]?.start ?? 0);
    throw new InputError(`${name}, line ${line}:${column}: the parameters cannot be read: ${unparsed.message}`);
  }
  const cell = { source, lines, comments, named: namedTypesOf(program.body) };
  return variablesIn(program).flatMap(({ declaration, start }) => declaredIn(declaration, start, cell));
}

/**
 * The names that a cell declares at its top level by destructuring, which are not parameters.
 *
 * @example destructuredNamesOf('const { a, b: [c] } = f();'); // ['a', 'c']
 */
export function destructuredNamesOf(source: string): string[] {
  const { program } = parseCell(parseSync, source).parsed;
  const patterns = variablesIn(program).flatMap(({ declaration }) => declaration.declarations.map(({ id }) => id));
  return patterns.flatMap((id) => (id.type === 'Identifier' ? [] : [...namesOf(id)]));
}

/** The declarations of variables at the top level, and where their statements start. */
function variablesIn({ body }: Program): { declaration: VariableDeclaration; start: number }[] {
  return body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    return declaration?.type === 'VariableDeclaration' ? [{ declaration, start: statement.start }] : [];
  });
}

interface ParsedCell {
  source: string;
  lines: LineIndex;
  comments: Comment[];
  named: NamedTypes;
}

function declaredIn(statement: VariableDeclaration, start: number, cell: ParsedCell): DeclaredParameter[] {
  const { kind, declarations } = statement;
  if (kind !== 'const' && kind !== 'let' && kind !== 'var') return [];
  return declarations.flatMap(({ id, init, start: begin, end }, index) => {
    if (id.type !== 'Identifier') return [];
    const isCast = init?.type === 'TSAsExpression' && !isConst(cell.source, init.typeAnnotation);
    const type = id.typeAnnotation?.typeAnnotation ?? (isCast ? init.typeAnnotation : undefined);
    const fromDefault = init ? (enumOf(init, cell.named) ?? shapeOfDefault(init)) : ANY;
    return [
      {
        name: id.name,
        keyword: kind,
        ...(type ? { statedType: sourceAt(cell.source, type) } : {}),
        ...(init ? { defaultText: sourceAt(cell.source, isCast ? init.expression : init) } : {}),
        description: descriptionOf(index === 0 ? start : begin, end, cell),
        shape: type ? shapeOfType(type, cell.named) : fromDefault,
      },
    ];
  });
}

/** The shape of the enum of which a default is a member. */
function enumOf(value: Expression, named: NamedTypes): ParameterShape | undefined {
  const owner = value.type === 'MemberExpression' && value.object.type === 'Identifier' ? value.object.name : '';
  const type = named.get(owner);
  return type?.kind === 'enum' ? shapeOfEnum(type.declaration) : undefined;
}

function isConst(source: string, type: { start: number; end: number }): boolean {
  return sourceAt(source, type) === 'const';
}

function sourceAt(source: string, { start, end }: { start: number; end: number }): string {
  return source.slice(start, end).replace(/\s+/g, ' ');
}

/** The comment at the end of a declaration's line or else those directly above it. */
function descriptionOf(start: number, end: number, { source, lines, comments }: ParsedCell): string {
  const beside = comments.find((each) => each.start >= end && /^[ \t;,]*$/.test(source.slice(end, each.start)));
  if (beside) return plainText(beside);
  const above: Comment[] = [];
  let next = start;
  for (const comment of comments.filter((each) => each.end <= start).reverse()) {
    const isNear = /^[ \t]*\n?[ \t]*$/.test(source.slice(comment.end, next));
    const { column } = lines.position(comment.start);
    const standsAlone = source.slice(comment.start - column + 1, comment.start).trim() === '';
    if (!isNear || !standsAlone) break;
    above.unshift(comment);
    next = comment.start;
  }
  return above.map(plainText).join(' ').trim();
}

function plainText({ value }: Comment): string {
  const lines = value.split('\n').map((line) => line.replace(/^[\s*/]*/, '').replace(/[\s*]*$/, ''));
  return lines.join(' ').trim();
}
