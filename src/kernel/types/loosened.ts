import type { Node, Program } from 'oxc-parser';
import { Edits, type Rewritten } from '../transform/edits.js';
import { walk } from '../transform/syntax-tree.js';
import { ARITHMETIC, type Finding, NO_MEMBER, NULLISH } from './finding.js';
import { type Freed, isClass, isMadeCollection } from './freed.js';
import { memberName } from './habits.js';
import { isOneOfSeveral } from './strictness.js';
import { type Assignment, askWider } from './widened.js';

/** Prefix of a variable's name, for its first value where it is declared without one. */
const FIRST = 'oddslab_first_';
const HAS = 'oddslab_has';
const NUMBER = 'oddslab_number';
const SOME = 'oddslab_some';
const OPERAND = 'string | number | bigint | boolean | Date | null | undefined';
/** What the text that asks is given beside the cell. */
export const ASKING = [
  `declare function ${HAS}<T>(value: T): { [K in T extends unknown ? keyof T : never]: any };`,
  `declare function ${SOME}<T>(value: T, ...none: [NonNullable<T>] extends [never] ? [never] : []): any;`,
  `declare function ${NUMBER}(value: ${OPERAND}, other?: ${OPERAND}): any;`,
].join('\n');

/** What a text asks about, by the places of the findings. */
interface Asked {
  /** Members of values of several types. */
  unions: Set<number>;
  /** Variables that may be nothing. */
  nothing: Set<number>;
  /** Operations whose operands may be converted. */
  arithmetic: readonly Finding[];
}

function askedBy(found: readonly Finding[]): Asked {
  const placesOf = (isOne: (each: Finding) => boolean) => new Set(found.filter(isOne).map(({ start }) => start));
  return {
    unions: placesOf(({ code, message }) => NO_MEMBER.has(code) && isOneOfSeveral(message)),
    nothing: placesOf(({ code }) => NULLISH.has(code)),
    arithmetic: found.filter(
      ({ code, message }) => ARITHMETIC.has(code) && !/\?$|types .*'(bigint|-?\d+n)'/.test(message),
    ),
  };
}

/**
 * A cell's text with what is freed as `any`. Where findings are given, it asks of each, by {@link ASKING}, whether it
 * would be one if a value of several types were any one of them, or were converted as operators do. Where assignments
 * are given, it asks of each whether it gives more than there was.
 *
 * @param body The cell's text, or one with the same places.
 */
export function loosened(
  body: string,
  program: Program,
  freed: Freed,
  { found = [], assigned = [] }: { found?: readonly Finding[]; assigned?: readonly Assignment[] } = {},
): Rewritten {
  const edits = new Edits(body);
  askWider(edits, assigned);
  const asked = askedBy(found);
  walk(program, (node, parent) => {
    if (node.type.startsWith('TS') && !('expression' in node) && node.type !== 'TSModuleBlock')
      return /^TS(Module|Export)/.test(node.type);
    if (node.type === 'MemberExpression') looseMember(node, { body, edits, freed, asked });
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && !node.id.typeAnnotation) {
      const isHead = node.init === null && isLoopHead(program, parent);
      const { name, end } = node.id;
      if (freed.variables.has(name) && !isHead) edits.replace(end, end, ': any');
      // Assigned within the same declaration, so that its type is that of its last value.
      else if (freed.widened.has(name) && node.init && isAssignable(parent))
        edits.replace(end, end, `, ${FIRST}${name} = ${name}`);
    }
    if (isMadeCollection(node) && freed.mixed.has(node.callee.end))
      edits.replace(
        node.callee.end,
        node.callee.end,
        /Map$/.test(body.slice(node.start, node.callee.end)) ? '<any, any>' : '<any>',
      );
    if (isClass(node) && node.superClass?.type === 'Identifier' && freed.bases.has(node.superClass.name))
      edits.wrap(node.superClass.start, node.superClass.end, '(', ' as any)');
    const isAsked = (operand: Node) =>
      asked.arithmetic.some(({ start, end }) => start <= operand.start && operand.end <= end);
    for (const operand of operandsOf(node))
      if (isAsked(operand)) edits.wrap(operand.start, operand.end, `${NUMBER}(`, ')');
    if (node.type === 'UpdateExpression' && isAsked(node.argument)) {
      edits.replace(node.start, node.argument.start, `${NUMBER}(`);
      edits.replace(node.argument.end, node.end, ')');
    }
    if (node.type === 'AssignmentExpression' && node.operator !== '=' && [node.left, node.right].some(isAsked)) {
      edits.wrap(node.start, node.end, `${NUMBER}(`, ')');
      const at = body.indexOf(node.operator, node.left.end);
      edits.replace(at, at + node.operator.length, ',');
    }
    return true;
  });
  return edits.apply();
}

function isAssignable(declaration: Node | undefined): boolean {
  return declaration?.type === 'VariableDeclaration' && /^(let|var)$/.test(declaration.kind);
}

/** What is written behind a member's object is safe even where a line without semicolon precedes it. */
function looseMember(
  node: Extract<Node, { type: 'MemberExpression' }>,
  { body, edits, freed, asked }: { body: string; edits: Edits; freed: Freed; asked: Asked },
): void {
  const { property, object } = node;
  if (object.type === 'Super') return;
  const name = memberName(node);
  if (name !== undefined && freed.members.has(name)) {
    const from = dotBefore(body, property.start);
    const chain = body[from] === '?' ? '?.' : '';
    if (node.computed) edits.wrap(property.start, property.end, '', ' as any');
    else edits.replace(from, property.end, `${chain}[${JSON.stringify(name)} as any]`);
  } else if (asked.unions.has(property.start)) edits.wrap(object.start, object.end, `${HAS}(`, ')');
  if (asked.nothing.has(object.start) && object.type === 'Identifier')
    edits.wrap(object.start, object.end, `${SOME}(`, ')');
}

/** Where an access by a dot begins, `?.` included. */
function dotBefore(code: string, property: number): number {
  const dot = code.lastIndexOf('.', property - 1);
  return code[dot - 1] === '?' ? dot - 1 : dot;
}

function operandsOf(node: Node): Node[] {
  return node.type === 'BinaryExpression' && node.left.type !== 'PrivateIdentifier' ? [node.left, node.right] : [];
}

function isLoopHead(program: Program, declaration: Node | undefined): boolean {
  let isHead = false;
  walk(program, (node) => {
    if ((node.type === 'ForOfStatement' || node.type === 'ForInStatement') && node.left === declaration) isHead = true;
    return !isHead;
  });
  return isHead;
}
