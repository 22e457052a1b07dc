import type { Node, Program } from 'oxc-parser';
import type { Edits } from '../transform/edits.js';
import { memberName, walk } from '../transform/syntax-tree.js';
import type { Finding } from './finding.js';

/** An assignment that may give a variable or member a value with more members than its type has. */
export interface Assignment {
  /** The variable's name; undefined if a member is assigned. */
  name: string | undefined;
  /** The member's name. */
  member: string | undefined;
  /** The target as it is written. */
  target: string;
  /** Offsets of the value. */
  start: number;
  end: number;
}

const PUT = 'oddslab_put';
const WIDER = 'oddslab_wider';
/** No function of a cell has as many parameters, so that its own message is no answer. */
const ASKED_ARGUMENTS = 99;
const WIDE = new RegExp(`^Expected ${ASKED_ARGUMENTS} arguments, but got 2\\b`);

/**
 * The declarations of a text that asks which assignments give more than there was: `rows = rows.map(…)` with a further
 * column, or a value of any type.
 */
export const ASKING_WIDER = [
  `type ${WIDER}_plain = string | number | boolean | bigint | symbol | null | undefined | ((...given: never[]) => unknown);`,
  `type ${WIDER}<T, V, D extends 0[] = []> = 0 extends 1 & T ? false : 0 extends 1 & V ? true : D['length'] extends 4 ? false`,
  `: [V] extends [${WIDER}_plain] ? false : [T] extends [never] ? false : ${WIDER}_object<NonNullable<T>, NonNullable<V>, [...D, 0]>;`,
  `type ${WIDER}_object<T, V, D extends 0[]> = [T] extends [${WIDER}_plain] ? false`,
  `: [T, V] extends [readonly (infer A)[], readonly (infer B)[]] ? ${WIDER}<A, B, D> : [T] extends [readonly unknown[]] ? false`,
  `: [T, V] extends [ReadonlyMap<any, infer A>, ReadonlyMap<any, infer B>] ? ${WIDER}<A, B, D>`,
  `: [T, V] extends [ReadonlySet<infer A>, ReadonlySet<infer B>] ? ${WIDER}<A, B, D>`,
  ': [keyof V] extends [keyof T]',
  `? true extends { [K in keyof T & keyof V]: ${WIDER}<T[K], V[K], D> }[keyof T & keyof V] ? true : false : true;`,
  `type ${WIDER}_all = [${Array(ASKED_ARGUMENTS - 2)
    .fill('never')
    .join(', ')}];`,
  `declare function ${PUT}<T, V>(target: T, value: V, ...none: ${WIDER}<T, V> extends true ? ${WIDER}_all : []): V;`,
].join('\n');

/** What has no members of its own that a notebook reads later, or another type than a variable's for sure. */
const PLAIN = /^(Literal|TemplateLiteral|BinaryExpression|UnaryExpression|UpdateExpression|ArrowFunctionExpression)$/;
const FUNCTION = /^(Function|Class)Expression$/;

/**
 * The assignments of a cell, at any depth, to variables without a written type and their members.
 *
 * @param isTyped Whether a variable has a written type.
 * @param isKnown Whether a variable's type is derived from its use.
 */
export function assignmentsIn(
  program: Program,
  code: string,
  { isTyped, isKnown }: { isTyped: (name: string) => boolean; isKnown: (name: string) => boolean },
): Assignment[] {
  const found: Assignment[] = [];
  walk(program, (node) => {
    if (node.type !== 'AssignmentExpression' || node.operator !== '=') return true;
    const { left, right } = node;
    if (PLAIN.test(right.type) || FUNCTION.test(right.type)) return true;
    const target = code.slice(left.start, left.end);
    // A copy with more has what it was, and more: what that is, is looked for when it is read.
    const isOwnCopy = (each: Node): boolean =>
      each.type === 'SpreadElement' && code.slice(each.argument.start, each.argument.end) === target;
    const isCopy = right.type === 'ObjectExpression' && right.properties.some(isOwnCopy);
    if (isCopy && left.type === 'MemberExpression') return true;
    const root = rootOf(left);
    if (root === undefined || isTyped(root)) return true;
    const name = left.type === 'Identifier' ? left.name : undefined;
    const member = left.type === 'MemberExpression' ? memberName(left) : undefined;
    const isOther = name === undefined ? member !== undefined : !isKnown(name);
    const place = { start: right.start, end: right.end };
    if (isOther) found.push({ name, member, target, ...place });
    return true;
  });
  return found;
}

/** Writes the questions into a cell's text, which ends with {@link ASKING_WIDER}. */
export function askWider(edits: Edits, assignments: readonly Assignment[]): void {
  for (const { target, start, end } of assignments) edits.wrap(start, end, `${PUT}(${target}, `, ')');
}

/** The assignments of which the answer says that they give more than there was. */
export function widerBy<A extends Assignment>(assignments: readonly A[], answer: readonly Finding[]): A[] {
  const places = new Set(answer.filter(({ message }) => WIDE.test(message)).map(({ start }) => start));
  return assignments.filter(({ start }) => places.has(start));
}

/** The variable, or `this`, in which a chain of members begins; undefined for other expressions. */
function rootOf(target: Node): string | undefined {
  if (target.type === 'Identifier') return target.name;
  if (target.type === 'ThisExpression') return 'this';
  return target.type === 'MemberExpression' && !target.computed ? rootOf(target.object) : undefined;
}
