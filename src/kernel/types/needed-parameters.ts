import type { BindingElement, Identifier, Node, ParameterDeclaration } from 'typescript/unstable/ast';
import type { CellProgram } from './cell-program.js';
import type { Finding } from './finding.js';
import { isAnother, meantBy } from './missing-members.js';
import { isTested, isWritten, leaves, usesWithin } from './reads.js';

/**
 * Whether a function fails, or makes nothing sensible, without what is given for a parameter, or for an option in one: it
 * has no default, is not tested or assigned, and its value is used as such whatever the others are.
 */
export async function isNeeded(
  program: CellProgram,
  parameter: ParameterDeclaration | BindingElement,
  made: Node = parameter.parent,
): Promise<boolean> {
  const { syntax } = program.typescript;
  const { name, initializer, dotDotDotToken } = parameter;
  const body = 'body' in made ? (made.body as Node | undefined) : undefined;
  if (!name || initializer || dotDotDotToken || !body) return false;
  if (!syntax.isIdentifier(name)) return true;
  const uses = usesWithin(program, made, name);
  if (uses.some((each) => isTested(program, each) || isWritten(program, each))) return false;
  const certain = uses.filter((each) => isCertain(program, each, body));
  for (const each of certain) if (isValue(program, each) || (await isAskedByLibrary(program, each))) return true;
  return false;
}

/** Whether an expression is used where undefined makes an error, or no number and no text: `b.length`, `a * b`. */
function isValue(program: CellProgram, node: Node): boolean {
  const { syntax } = program.typescript;
  const { SyntaxKind } = syntax;
  const { parent } = node;
  if (syntax.isParenthesizedExpression(parent)) return isValue(program, parent);
  if (syntax.isPropertyAccessExpression(parent) || syntax.isElementAccessExpression(parent))
    return parent.expression === node;
  if (syntax.isCallExpression(parent) || syntax.isNewExpression(parent)) return parent.expression === node;
  if (syntax.isForOfStatement(parent)) return parent.expression === node;
  if (syntax.isPrefixUnaryExpression(parent)) return true;
  if (syntax.isSpreadElement(parent) || syntax.isTemplateSpan(parent)) return true;
  if (syntax.isVariableDeclaration(parent)) return parent.initializer === node && !syntax.isIdentifier(parent.name);
  if (!syntax.isBinaryExpression(parent)) return false;
  const { kind } = parent.operatorToken;
  const isSum = kind >= SyntaxKind.PlusToken && kind <= SyntaxKind.PercentToken;
  return isSum || (kind >= SyntaxKind.LessThanToken && kind <= SyntaxKind.GreaterThanEqualsToken);
}

/** Whether an expression is an argument for which a library's function wants something. */
async function isAskedByLibrary(program: CellProgram, node: Node): Promise<boolean> {
  const { syntax, api } = program.typescript;
  const call = node.parent;
  if (!syntax.isCallExpression(call) || call.expression === node) return false;
  const signature = await program.checker.getResolvedSignature(call);
  if (!signature?.declaration || program.isOfCell(signature.declaration)) return false;
  const wanted = await program.checker.getContextualType(node as Identifier);
  return wanted !== undefined && (wanted.flags & (api.TypeFlags.StringLike | api.TypeFlags.NumberLike)) !== 0;
}

/** Whether a use in a function is reached by each call of it, as far as its text tells. */
function isCertain(program: CellProgram, use: Node, body: Node): boolean {
  const { syntax } = program.typescript;
  const { parent: user } = use;
  const isOpened =
    (syntax.isPropertyAccessExpression(user) || syntax.isElementAccessExpression(user)) && user.expression === use;
  for (let node = use; node !== body; node = node.parent) {
    const { parent } = node;
    if (!parent || syntax.isParameterDeclaration(node) || syntax.isCatchClause(node)) return false;
    if (syntax.isConditionalExpression(parent) && parent.condition !== node) return false;
    if (syntax.isIfStatement(parent) && parent.expression !== node) return false;
    if (syntax.isCaseClause(parent) || syntax.isDefaultClause(parent) || syntax.isTryStatement(parent)) return false;
    // A function that is passed on need not be called, as for an empty list: in it, only what would fail counts.
    const isFunction = syntax.isArrowFunction(node) || syntax.isFunctionExpression(node);
    if (isFunction && !(isOpened && syntax.isCallExpression(parent))) return false;
    if (syntax.isFunctionDeclaration(node) || syntax.isClassDeclaration(node) || syntax.isMethodDeclaration(node))
      return false;
    if (syntax.isBinaryExpression(parent) && parent.right === node && isChoice(program, parent.operatorToken.kind))
      return false;
    const isOptional = syntax.isCallExpression(parent) && parent.expression.getText().includes('?.');
    if (isOptional) return false;
    if (!syntax.isBlock(parent)) continue;
    for (const statement of parent.statements) {
      if (statement === node) break;
      if (mayLeave(program, statement)) return false;
    }
  }
  return true;
}

function isChoice(program: CellProgram, kind: number): boolean {
  const { SyntaxKind } = program.typescript.syntax;
  return (
    kind === SyntaxKind.BarBarToken ||
    kind === SyntaxKind.QuestionQuestionToken ||
    kind === SyntaxKind.AmpersandAmpersandToken
  );
}

/** Whether a part of a function may end it, or a loop. */
function mayLeave(program: CellProgram, node: Node): boolean {
  const { syntax } = program.typescript;
  if (leaves(program, node)) return true;
  let found = false;
  const isFunction =
    syntax.isArrowFunction(node) || syntax.isFunctionExpression(node) || syntax.isFunctionDeclaration(node);
  if (!isFunction)
    node.forEachChild((each) => {
      found ||= mayLeave(program, each);
    });
  return found;
}

/** An option that is written nearly as one that there is. */
const NEARLY_OPTION = 2561;

/**
 * Whether an object that is written for a cell's function is a mistake: one of its options is none of those that the
 * function's pattern takes, but nearly one, or it lacks one that the function needs.
 */
export async function areOtherOptions(
  program: CellProgram,
  { code, message }: Finding,
  nodes: readonly Node[],
): Promise<boolean> {
  const { syntax } = program.typescript;
  const literal = nodes
    .flatMap((node) => [node, node.parent?.parent])
    .find((node) => node !== undefined && syntax.isObjectLiteralExpression(node));
  const call = literal?.parent;
  if (!literal || !syntax.isObjectLiteralExpression(literal) || !call || !syntax.isCallExpression(call)) return false;
  const declaration = (await program.checker.getResolvedSignature(call))?.declaration;
  const made = declaration && program.isOfCell(declaration) ? await declaration.resolve() : undefined;
  const parameters = made && 'parameters' in made ? (made.parameters as readonly ParameterDeclaration[]) : [];
  const parameter = parameters[call.arguments.indexOf(literal)];
  if (!made || !parameter || parameter.type || !syntax.isObjectBindingPattern(parameter.name)) return false;
  const { elements } = parameter.name;
  if (elements.some(({ dotDotDotToken }) => dotDotDotToken)) return false;
  if (code === NEARLY_OPTION && !isAnother(meantBy(message), nodes[0]?.getText() ?? '')) return true;
  if (literal.properties.some((each) => syntax.isSpreadAssignment(each))) return false;
  const given = new Set(literal.properties.map((each) => ('name' in each ? (each.name as Node).getText() : '')));
  const lacking = elements.filter(({ propertyName, name }) => !given.has((propertyName ?? name)?.getText() ?? ''));
  for (const each of lacking) if (await isNeeded(program, each, made)) return true;
  return false;
}
