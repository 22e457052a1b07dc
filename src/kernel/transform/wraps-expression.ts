import type { Node } from 'oxc-parser';

/** A node whose value at run time is that of the expression inside it. */
type Wrapper = Extract<
  Node,
  { type: 'ParenthesizedExpression' | 'TSAsExpression' | 'TSSatisfiesExpression' | 'TSNonNullExpression' }
>;

/** Whether a node is an expression in parentheses or with a type assertion. */
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
