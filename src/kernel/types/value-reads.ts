import type { Node } from 'oxc-parser';
import { walk } from '../walk.js';

/**
 * The names that an expression reads while it is evaluated: not those within its functions, which run later, not keys
 * and properties, and no shorthand such as `{ name }`.
 */
export function valueReads(expression: Node): { name: string; start: number }[] {
  const found: { name: string; start: number }[] = [];
  walk(expression, (node) => {
    if (node.type === 'Identifier') found.push({ name: node.name, start: node.start });
    if (node.type === 'MemberExpression' && !node.computed) found.push(...valueReads(node.object));
    else if (node.type === 'Property' && !node.computed) {
      if (!node.shorthand) found.push(...valueReads(node.value));
    } else return !/Function|Class|^TSType/.test(node.type);
    return false;
  });
  return found;
}
