import type { Node } from 'oxc-parser';

/**
 * Visits a syntax tree from the outside in, without recursion, so that no depth is too great.
 *
 * @param visit Gets each node and its parent; returns false to skip what is inside.
 */
export function walk(root: Node, visit: (node: Node, parent: Node | undefined) => boolean): void {
  const values: unknown[] = [root];
  const parents: (Node | undefined)[] = [undefined];
  while (values.length > 0) {
    const value = values.pop();
    const parent = parents.pop();
    if (Array.isArray(value)) pushAll(value, parent);
    else if (isNode(value) && visit(value, parent)) pushAll(Object.values(value), value);
  }
  /** Pushes the last first, so that the first is visited next. */
  function pushAll(inner: unknown[], parent: Node | undefined): void {
    for (let at = inner.length - 1; at >= 0; at--) {
      if (typeof inner[at] !== 'object' || inner[at] === null) continue;
      values.push(inner[at]);
      parents.push(parent);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
