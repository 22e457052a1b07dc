import { type Node, parseSync } from 'oxc-parser';
import { Edits, type Rewritten } from './edits.js';
import { walk } from './walk.js';

/**
 * Rewrites what the transform makes of an enum's members whose kind it does not know, `E[E["A"] = kind] = "A"` within
 * `function(E) { … return E; }(E || {})`: a text is no key of the enum, as in TypeScript, which knows the values of
 * constants. Each line stays a line.
 */
export function rewriteEnums(code: string): Rewritten {
  const edits = new Edits(code);
  walk(parseSync('module.js', code, { sourceType: 'module' }).program, (node) => {
    rewriteEnum(node, edits);
    return true;
  });
  return edits.apply();
}

function rewriteEnum(node: Node, edits: Edits): void {
  if (node.type !== 'CallExpression' || node.callee.type !== 'FunctionExpression') return;
  const { id, params, body } = node.callee;
  const [param] = params;
  if (id || params.length !== 1 || param?.type !== 'Identifier') return;
  for (const statement of body?.body ?? []) {
    if (statement.type === 'ExpressionStatement') rewriteEnumMember(statement.expression, param.name, edits);
  }
}

function rewriteEnumMember(node: Node, name: string, edits: Edits): void {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return;
  const { object, property: member, start, end } = node.left;
  if (!isNamed(object, name) || member.type !== 'AssignmentExpression' || node.right.type !== 'Literal') return;
  const { left, right } = member;
  if (right.type === 'Literal' || left.type !== 'MemberExpression' || left.property.type !== 'Literal') return;
  if (!isNamed(left.object, name) || left.property.value !== node.right.value) return;
  edits.replace(start, member.start, '(typeof (');
  edits.replace(member.end, end, `) === 'string' ? {} : ${name})[${name}[${left.property.raw}]]`);
}

function isNamed(node: Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}
