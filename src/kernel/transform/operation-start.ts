import type { Node, Program } from 'oxc-parser';
import { walk } from './walk.js';

/**
 * The start of the operation whose operator is at an offset. V8 places errors of `a + b` and `a = b` at the operator;
 * readers look for them at `a`, and for those of `a.b = c` at `b`.
 *
 * @returns The same offset if no operator is there or the operation begins on an earlier line.
 */
export function operationStart(program: Program, source: string, offset: number): number {
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
