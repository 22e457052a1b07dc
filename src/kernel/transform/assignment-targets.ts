import type { Node } from 'oxc-parser';
import { walk } from './walk.js';
import { wrapsExpression } from './wraps-expression.js';

/** The offsets at which a program, or part of one, assigns to names, even in patterns, and the names. */
export function assignmentTargets(program: Node): Map<number, string> {
  const targets = new Map<number, string>();
  walk(program, (node) => {
    const assigned = assignedBy(node);
    if (assigned) addTargets(assigned, targets);
    return true;
  });
  return targets;
}

function assignedBy(node: Node): Node | undefined {
  if (node.type === 'AssignmentExpression') return node.left;
  if (node.type === 'UpdateExpression') return node.argument;
  const isLoop = node.type === 'ForOfStatement' || node.type === 'ForInStatement';
  return isLoop && node.left.type !== 'VariableDeclaration' ? node.left : undefined;
}

function addTargets(node: Node, targets: Map<number, string>): void {
  if (node.type === 'Identifier') targets.set(node.start, node.name);
  else if (wrapsExpression(node)) addTargets(node.expression, targets);
  else if (node.type === 'AssignmentPattern') addTargets(node.left, targets);
  else if (node.type === 'RestElement') addTargets(node.argument, targets);
  else if (node.type === 'ArrayPattern') {
    for (const element of node.elements) if (element) addTargets(element, targets);
  } else if (node.type === 'ObjectPattern') {
    for (const property of node.properties)
      addTargets(property.type === 'Property' ? property.value : property, targets);
  }
}
