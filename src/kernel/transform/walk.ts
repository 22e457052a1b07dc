import type { Node } from 'oxc-parser';

/**
 * Visits a syntax tree from the outside in, without recursion, so that no depth is too great.
 *
 * @param visit Gets each node and its parent; returns false to skip what is inside.
 */
export function walk(root: Node, visit: (node: Node, parent: Node | undefined) => boolean): void {
  const nodes: Node[] = [root];
  const parents: (Node | undefined)[] = [undefined];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (!visit(node, parents.pop())) continue;
    const inside: Node[] = [];
    for (const key in node) addNodes(node[key as keyof Node], inside);
    // The last first, so that the first is visited next.
    for (let inner = inside.pop(); inner; inner = inside.pop()) {
      nodes.push(inner);
      parents.push(node);
    }
  }
}

function addNodes(value: unknown, nodes: Node[]): void {
  if (Array.isArray(value)) for (const each of value) addNodes(each, nodes);
  else if (isNode(value)) nodes.push(value);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
