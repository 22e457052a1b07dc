import type { Node, Program } from 'oxc-parser';
import { walk } from './walk.js';

/**
 * Where the operation begins whose operator stands at an offset: V8 puts the errors of `a + b` and `a = b` at the operator,
 * readers look for them at `a`.
 *
 * @returns The offset itself where no operator stands.
 */
export function operationStart(program: Program, offset: number): number {
  let start = offset;
  walk(program, (node) => {
    if (node.start > offset || node.end <= offset) return false;
    if (isOperatorOf(node, offset)) start = node.start;
    return true;
  });
  return start;
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
