import type { Node } from 'oxc-parser';

/** A node that is at run time what lies within it. */
type Wrapper = Extract<
  Node,
  { type: 'ParenthesizedExpression' | 'TSAsExpression' | 'TSSatisfiesExpression' | 'TSNonNullExpression' }
>;

/** Whether a node is an expression in parentheses, or one of which a type is claimed. */
export function wrapsExpression(node: Node | null | undefined): node is Wrapper {
  switch (node?.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return true;
    default:
      return false;
  }
}
