import type { Node } from 'oxc-parser';
import { walk } from '../transform/walk.js';

/** What a variable's type evolves by: the elements added to the array, or the values assigned. */
export type Evolving = 'array' | 'value';

/**
 * The variables of a declaration whose type TypeScript derives from their use: `let best`, `let best = null`, `const
 * rows = []`.
 *
 * @example evolvingVariables(parse('let best, n = 1, rows = []')) // [['best', 'value'], ['rows', 'array']]
 */
export function evolvingVariables(declaration: Node): [name: string, evolving: Evolving][] {
  if (declaration.type !== 'VariableDeclaration' || declaration.declare) return [];
  const isAssignable = declaration.kind === 'let' || declaration.kind === 'var';
  return declaration.declarations.flatMap(({ id, init }): [string, Evolving][] => {
    if (id.type !== 'Identifier' || id.typeAnnotation) return [];
    if (init?.type === 'ArrayExpression' && init.elements.length === 0) return [[id.name, 'array']];
    return isAssignable && isNothing(init) ? [[id.name, 'value']] : [];
  });
}

function isNothing(init: Node | null): boolean {
  if (init?.type === 'Identifier') return init.name === 'undefined';
  return !init || (init.type === 'Literal' && init.raw === 'null');
}

/**
 * Where a part of a program adds elements to an array, as far as TypeScript sees: the offset of its name, and the name.
 */
export function filledArrays(part: Node): Map<number, string> {
  const filled = new Map<number, string>();
  walk(part, (node) => {
    const array = filledBy(node);
    if (array?.type === 'Identifier') filled.set(array.start, array.name);
    return true;
  });
  return filled;
}

function filledBy(node: Node): Node | undefined {
  const isCall = node.type === 'CallExpression';
  const target = isCall ? node.callee : node.type === 'AssignmentExpression' ? node.left : undefined;
  if (target?.type !== 'MemberExpression') return undefined;
  if (!isCall) return target.computed ? target.object : undefined;
  const isFilling = !target.computed && /^(push|unshift)$/.test('name' in target.property ? target.property.name : '');
  return isFilling ? target.object : undefined;
}
