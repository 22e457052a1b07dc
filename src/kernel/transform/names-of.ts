import type { Node } from 'oxc-parser';
import { walk } from './walk.js';

/** The names that a pattern binds: a and c for `{ a, b: [c] }`. */
export function namesOf(pattern: Node): Set<string> {
  const names = new Set<string>();
  addNames(pattern, names);
  return names;
}

function addNames(pattern: Node, names: Set<string>): void {
  walk(pattern, (node) => {
    if (node.type === 'Identifier') {
      names.add(node.name);
      return false;
    }
    if (node.type === 'TSTypeAnnotation') return false;
    if (node.type === 'AssignmentPattern') addNames(node.left, names);
    if (node.type === 'Property') addNames(node.value, names);
    return node.type !== 'AssignmentPattern' && node.type !== 'Property' && node.type !== 'MemberExpression';
  });
}
