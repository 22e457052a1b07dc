import type { Node } from 'oxc-parser';

/**
 * Visits a syntax tree from the outside in.
 *
 * @param visit Gets each node and its parent; returns false to skip what lies inside.
 */
export function walk(root: Node, visit: (node: Node, parent: Node | undefined) => boolean): void {
  const step = (value: unknown, parent: Node | undefined): void => {
    if (Array.isArray(value)) {
      for (const item of value) step(item, parent);
    } else if (isNode(value) && visit(value, parent)) {
      for (const child of Object.values(value)) if (typeof child === 'object') step(child, value);
    }
  };
  step(root, undefined);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
