import type { Identifier, Node } from 'typescript/unstable/ast';
import type { CellProgram } from './cell-program.js';

/** A member that an expression, or a pattern, names. */
export interface Access {
  node: Node;
  /** The object, or the pattern that takes it apart. */
  object: Node;
  name: string;
}

/** The access of which a finding names the member; undefined if it is about something else. */
export function accessAt(program: CellProgram, nodes: readonly Node[]): Access | undefined {
  const { syntax } = program.typescript;
  for (const node of [...nodes].reverse()) {
    const { parent } = node;
    if (syntax.isPropertyAccessExpression(parent) && parent.name === node)
      return { node: parent, object: parent.expression, name: parent.name.text };
    if (syntax.isElementAccessExpression(parent) && parent.argumentExpression === node && syntax.isStringLiteral(node))
      return { node: parent, object: parent.expression, name: node.text };
    if (syntax.isElementAccessExpression(node) && syntax.isStringLiteral(node.argumentExpression))
      return { node, object: node.expression, name: node.argumentExpression.text };
    if (syntax.isBindingElement(parent) && syntax.isObjectBindingPattern(parent.parent)) {
      const key = parent.propertyName ?? parent.name;
      if (key === node && syntax.isIdentifier(key)) return { node: parent, object: parent.parent, name: key.text };
    }
    if (isOfPattern(program, parent) && 'name' in parent && parent.name === node && syntax.isIdentifier(node))
      return { node: parent, object: takenApart(program, parent.parent), name: node.text };
  }
  return undefined;
}

/** Whether an expression is written: assigned, counted up, deleted, a target of a pattern or a loop. */
export function isWritten(program: CellProgram, expression: Node): boolean {
  const { syntax } = program.typescript;
  const { SyntaxKind } = syntax;
  const { parent } = expression;
  if (syntax.isParenthesizedExpression(parent) || syntax.isNonNullExpression(parent)) return isWritten(program, parent);
  if (syntax.isBinaryExpression(parent)) return parent.left === expression && isAssignment(program, parent);
  if (syntax.isDeleteExpression(parent)) return true;
  if (syntax.isPrefixUnaryExpression(parent) || syntax.isPostfixUnaryExpression(parent))
    return parent.operator === SyntaxKind.PlusPlusToken || parent.operator === SyntaxKind.MinusMinusToken;
  if (syntax.isForOfStatement(parent) || syntax.isForInStatement(parent)) return parent.initializer === expression;
  const isPart =
    syntax.isArrayLiteralExpression(parent) ||
    syntax.isObjectLiteralExpression(parent) ||
    syntax.isPropertyAssignment(parent) ||
    syntax.isSpreadElement(parent);
  return isPart && isWritten(program, parent);
}

export function isAssignment(program: CellProgram, node: Node): boolean {
  const { syntax } = program.typescript;
  const { SyntaxKind } = syntax;
  if (!syntax.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;
}

const ASKS = /^(filter|find(Last)?(Index)?|some|every)$/;

/** Whether a read only asks for a value, or says what holds without it: a condition, `??`, a member of a pattern that does. */
export function isTested(program: CellProgram, node: Node): boolean {
  const { syntax } = program.typescript;
  const { SyntaxKind } = syntax;
  if (syntax.isBindingElement(node) || isOfPattern(program, node)) return isPartAsked(program, node);
  const { parent } = node;
  if (syntax.isParenthesizedExpression(parent) || syntax.isNonNullExpression(parent)) return isTested(program, parent);
  if (syntax.isPropertyAccessExpression(parent) || syntax.isElementAccessExpression(parent))
    return parent.expression === node && parent.questionDotToken !== undefined;
  if (syntax.isCallExpression(parent)) {
    if (parent.expression === node) return parent.questionDotToken !== undefined;
    return syntax.isIdentifier(parent.expression) && parent.expression.text === 'Boolean';
  }
  if (syntax.isPrefixUnaryExpression(parent)) return parent.operator === SyntaxKind.ExclamationToken;
  if (syntax.isTypeOfExpression(parent) || syntax.isSpreadAssignment(parent)) return true;
  if (syntax.isIfStatement(parent) || syntax.isWhileStatement(parent) || syntax.isDoStatement(parent))
    return parent.expression === node;
  if (syntax.isConditionalExpression(parent)) return parent.condition === node || isTested(program, parent);
  if (syntax.isBinaryExpression(parent)) {
    const { kind } = parent.operatorToken;
    const { left, right } = parent;
    if (kind === SyntaxKind.BarBarToken || kind === SyntaxKind.QuestionQuestionToken)
      return left === node || isTested(program, parent);
    if (kind === SyntaxKind.AmpersandAmpersandToken) return left === node || isTested(program, parent);
    return isEquality(program, kind) && [left, right].some((side) => isNothing(program, side));
  }
  if (syntax.isArrowFunction(parent) && parent.body === node) {
    const call = parent.parent;
    const callee = syntax.isCallExpression(call) ? call.expression : undefined;
    return callee !== undefined && syntax.isPropertyAccessExpression(callee) && ASKS.test(callee.name.text);
  }
  return false;
}

/** What a pattern takes apart by which variables are assigned; of one within another, the pattern. */
function takenApart(program: CellProgram, pattern: Node): Node {
  const { parent } = pattern;
  return program.typescript.syntax.isBinaryExpression(parent) && parent.left === pattern ? parent.right : pattern;
}

/** Whether a node is a member of a pattern by which variables are assigned: `({ a: x = 1 } = o)`. */
export function isOfPattern(program: CellProgram, node: Node): boolean {
  const { syntax } = program.typescript;
  const isMember = syntax.isPropertyAssignment(node) || syntax.isShorthandPropertyAssignment(node);
  return isMember && isWritten(program, node.parent);
}

/** Whether a pattern only asks for a member: it says what holds without it, or the variable is tested, assigned or not used. */
function isPartAsked(program: CellProgram, part: Node): boolean {
  const { syntax } = program.typescript;
  if (!isPartWithoutDefault(program, part)) return true;
  const variable = syntax.isPropertyAssignment(part) ? part.initializer : 'name' in part ? (part.name as Node) : part;
  // One pattern within another fails without it.
  if (!syntax.isIdentifier(variable)) return !syntax.isObjectBindingPattern(variable);
  const uses = usesWithin(program, scopeOf(program, part), variable);
  return uses.length === 0 || uses.some((each) => isTested(program, each) || isWritten(program, each));
}

/** Whether the variable of a pattern's member is used nowhere in its cell. */
export function isUnused(program: CellProgram, part: Node): boolean {
  const { syntax } = program.typescript;
  const variable = syntax.isBindingElement(part) ? part.name : undefined;
  if (!variable || !syntax.isIdentifier(variable)) return false;
  return usesWithin(program, scopeOf(program, part), variable).length === 0;
}

/** The function, loop or block in which a variable of a pattern is known. */
function scopeOf(program: CellProgram, part: Node): Node {
  const { syntax } = program.typescript;
  let node = part.parent;
  while (node.parent) {
    const isScope = syntax.isParameterDeclaration(node) || syntax.isForOfStatement(node.parent);
    if (isScope) return node.parent;
    if (syntax.isBlock(node)) return node;
    node = node.parent;
  }
  return node;
}

/** Where a variable is used within a part of a cell, by its name. */
export function usesWithin(program: CellProgram, scope: Node, variable: Identifier): Identifier[] {
  const { syntax } = program.typescript;
  const found: Identifier[] = [];
  const visit = (node: Node): void => {
    node.forEachChild(visit);
    if (!syntax.isIdentifier(node) || node.text !== variable.text || node === variable) return;
    const { parent } = node;
    const isKey = syntax.isBindingElement(parent) && parent.propertyName === node;
    const isShorthand = syntax.isShorthandPropertyAssignment(parent);
    const isName = 'name' in parent && parent.name === node && !isShorthand;
    if (!isKey && !isName) found.push(node);
  };
  visit(scope);
  return found;
}

/** Whether a node is a member of a pattern that says nothing of what holds without it. */
export function isPartWithoutDefault(program: CellProgram, node: Node): boolean {
  const { syntax } = program.typescript;
  if (syntax.isBindingElement(node)) return node.initializer === undefined;
  if (!isOfPattern(program, node)) return false;
  if (syntax.isShorthandPropertyAssignment(node)) return node.objectAssignmentInitializer === undefined;
  return syntax.isPropertyAssignment(node) && !isAssignment(program, node.initializer);
}

/** Whether a read stands where the same was asked for before: in the branch of its condition, or after one that leaves. */
export function isGuarded(program: CellProgram, { node: access, object, name }: Access): boolean {
  const { syntax } = program.typescript;
  const { SyntaxKind } = syntax;
  const source = access.getSourceFile();
  const text = access.getText(source);
  const owner = object.getText(source);
  const isOwnership = (node: Node): boolean => {
    const call = syntax.isCallExpression(node) ? node.getText(source) : '';
    return /\bhasOwn(Property)?\b/.test(call) && call.includes(owner) && /["'`]/.test(call) && call.includes(name);
  };
  const asks = (test: Node): boolean => {
    let found = false;
    const visit = (node: Node): void => {
      found ||= (node.kind === access.kind && node.getText(source) === text) || isOwnership(node);
      if (!found) node.forEachChild(visit);
    };
    visit(test);
    return found;
  };
  for (let node = access; node.parent; node = node.parent) {
    const { parent } = node;
    if (syntax.isConditionalExpression(parent) && parent.condition !== node && asks(parent.condition)) return true;
    const isBranch = syntax.isIfStatement(parent) || syntax.isWhileStatement(parent);
    if (isBranch && parent.expression !== node && asks(parent.expression)) return true;
    const isPart = syntax.isBinaryExpression(parent) && parent.right === node;
    if (isPart && parent.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken && asks(parent.left)) return true;
    if (isPart && parent.operatorToken.kind === SyntaxKind.BarBarToken && asks(parent.left)) return true;
    if (!syntax.isBlock(parent) && !syntax.isSourceFile(parent)) continue;
    for (const statement of parent.statements) {
      if (statement === node) break;
      if (syntax.isIfStatement(statement) && leaves(program, statement.thenStatement) && asks(statement.expression))
        return true;
    }
  }
  return false;
}

/** Whether a statement ends its function or its loop. */
export function leaves(program: CellProgram, statement: Node): boolean {
  const { syntax } = program.typescript;
  if (syntax.isBlock(statement)) return statement.statements.some((each) => leaves(program, each));
  return (
    syntax.isReturnStatement(statement) ||
    syntax.isThrowStatement(statement) ||
    syntax.isContinueStatement(statement) ||
    syntax.isBreakStatement(statement)
  );
}

function isEquality(program: CellProgram, kind: number): boolean {
  const { SyntaxKind } = program.typescript.syntax;
  return (
    kind === SyntaxKind.EqualsEqualsToken ||
    kind === SyntaxKind.EqualsEqualsEqualsToken ||
    kind === SyntaxKind.ExclamationEqualsToken ||
    kind === SyntaxKind.ExclamationEqualsEqualsToken
  );
}

function isNothing(program: CellProgram, node: Node): boolean {
  const { syntax } = program.typescript;
  return node.kind === syntax.SyntaxKind.NullKeyword || (syntax.isIdentifier(node) && node.text === 'undefined');
}
