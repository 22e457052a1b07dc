import type {
  BindingElement,
  CallExpression,
  Expression,
  Identifier,
  Node,
  ParameterDeclaration,
  VariableDeclaration,
} from 'typescript/unstable/ast';
import type { Symbol as Named } from 'typescript/unstable/async';
import { appendAll } from '../../base/many.js';
import { type Amendment, ANYTHING, anyValue, inserted, memberType, valueMember } from './amendments.js';
import type { CellProgram } from './cell-program.js';

/** What holds a value said its type, so that nothing else is meant. */
export const SAID = 'said';

/** What may hold anything from then on; or that its type is said; undefined where nothing is known. */
export type Held = Amendment[] | typeof SAID | undefined;

/**
 * Where a value is held whose type does not hold for what runs: the variable, or member, that the expression begins with,
 * since what is taken from it by loops, callbacks, indices and methods has its type from there.
 */
export async function heldBy(program: CellProgram, expression: Node, depth = 0): Promise<Held> {
  const { syntax } = program.typescript;
  const node = plain(program, expression);
  if (depth > 12) return undefined;
  if (syntax.isAsExpression(node) || syntax.isSatisfiesExpression(node) || syntax.isTypeAssertion(node)) return SAID;
  if (syntax.isIdentifier(node)) return byName(program, node, depth);
  if (syntax.isPropertyAccessExpression(node) || syntax.isElementAccessExpression(node)) {
    const name = syntax.isPropertyAccessExpression(node) ? node.name : node.argumentExpression;
    const isNamed = syntax.isPropertyAccessExpression(node) || syntax.isStringLiteral(name);
    const symbol = isNamed ? await memberOf(program, node.expression, (name as Identifier).text) : undefined;
    if (await isSaidAtRoot(program, node.expression)) return SAID;
    const held = symbol ? await asMember(program, symbol) : undefined;
    return held ?? heldBy(program, node.expression, depth + 1);
  }
  if (syntax.isCallExpression(node)) return byCall(program, node, depth);
  return syntax.isAwaitExpression(node) ? heldBy(program, node.expression, depth + 1) : undefined;
}

/** Whether a chain of members begins with a variable whose type is written. */
export async function isSaidAtRoot(program: CellProgram, expression: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const node = plain(program, expression);
  if (syntax.isPropertyAccessExpression(node) || syntax.isElementAccessExpression(node))
    return isSaidAtRoot(program, node.expression);
  const variable = await variableOf(program, node);
  return variable !== undefined && writtenType(program, variable) !== undefined;
}

/** The member of an expression's type that has a name; undefined if only the run knows it. */
export async function memberOf(program: CellProgram, object: Node, name: string): Promise<Named | undefined> {
  const type = await program.typeOf(object);
  const certain = type && (await program.checker.getNonNullableType(type));
  return certain && program.checker.getPropertyOfType(certain, name);
}

/** The type that is written for a variable, a parameter or a field, and not for the checker alone. */
export function writtenType(program: CellProgram, node: Node): Node | undefined {
  const type = 'type' in node ? (node.type as Node | undefined) : undefined;
  return type && !program.isInserted(type) ? type : undefined;
}

/** A member of an object that may hold anything: where the object is made. */
export async function asMember(program: CellProgram, symbol: Named): Promise<Held> {
  const { syntax } = program.typescript;
  if (await program.isOfLibrary(symbol)) return SAID;
  const amendments: Amendment[] = [];
  const declared = await program.declarations(symbol);
  for (const node of declared.flatMap((each) => alike(program, each))) {
    if (syntax.isPropertyAssignment(node)) {
      // Made of another's members, as what a schema parses.
      if (declared.includes(node) && !(await isOfValue(program, symbol, node.initializer))) return SAID;
      const place = program.place(node.initializer);
      if (place) amendments.push(program.amendment(place, anyValue(place.start, place.end)));
    } else if (syntax.isShorthandPropertyAssignment(node)) {
      const place = program.place(node.name);
      const name = node.name.getText();
      if (place) amendments.push(program.amendment(place, inserted(place.end, `: (${name} as any)`)));
    } else if (syntax.isPropertyDeclaration(node) && !writtenType(program, node)) {
      const place = program.place(node.name);
      if (place) amendments.push(program.amendment(place, inserted(place.end, ANYTHING)));
    } else if (syntax.isGetAccessorDeclaration(node)) {
      if (writtenType(program, node)) return SAID;
    } else if (syntax.isSetAccessorDeclaration(node)) {
      const [given] = node.parameters;
      const place = given && !writtenType(program, given) ? program.place(given.name) : undefined;
      if (!place) return SAID;
      amendments.push(program.amendment(place, inserted(place.end, ANYTHING)));
    } else if (syntax.isMethodDeclaration(node) && syntax.isObjectLiteralExpression(node.parent)) {
      const literal = node.parent;
      const place = program.place(literal);
      const comma = literal.properties.hasTrailingComma ? '' : ', ';
      const text = `${comma}...({} as ${memberType(symbol.name)})`;
      if (place) amendments.push(program.amendment(place, inserted(place.end - 1, text)));
    } else if (
      syntax.isBindingElement(node) ||
      syntax.isVariableDeclaration(node) ||
      syntax.isParameterDeclaration(node)
    ) {
      const held = await asVariable(program, node, 0);
      if (held === SAID || held === undefined) return held;
      appendAll(amendments, held);
    } else return SAID;
  }
  return amendments.length > 0 ? amendments : undefined;
}

/** Whether a member has the type of the value that it is declared with. */
export async function isOfValue(program: CellProgram, member: Named, value: Node): Promise<boolean> {
  const { checker } = program;
  const [type, given] = [await checker.getTypeOfSymbol(member), await program.typeOf(value)];
  return !type || !given || checker.isTypeAssignableTo(given, type);
}

/** The objects of a list that is written out, of which TypeScript takes equal ones for one; of others, the one itself. */
export function inList(program: CellProgram, literal: Node): Node[] {
  const { syntax } = program.typescript;
  const list = literal.parent;
  return syntax.isArrayLiteralExpression(list) ? list.elements.filter(syntax.isObjectLiteralExpression) : [literal];
}

/** A member of an object and those of its name in the others of its list. */
function alike(program: CellProgram, member: Node): Node[] {
  const { syntax } = program.typescript;
  const name = syntax.isPropertyAssignment(member) ? member.name.getText() : undefined;
  if (name === undefined) return [member];
  return inList(program, member.parent).flatMap((each) => {
    const members = syntax.isObjectLiteralExpression(each) ? [...each.properties] : [];
    return members.filter((one) => syntax.isPropertyAssignment(one) && one.name.getText() === name);
  });
}

/** A further member for what a variable holds, where it is declared; undefined if that is no place for it. */
export async function memberOfVariable(program: CellProgram, expression: Node, name: string): Promise<Held> {
  const { syntax } = program.typescript;
  const node = plain(program, expression);
  const symbol = syntax.isIdentifier(node) ? await program.symbolOf(node) : undefined;
  const declared = symbol ? await program.declarations(symbol) : [];
  for (const each of declared) {
    const isTaken = syntax.isParameterDeclaration(each) || syntax.isBindingElement(each);
    if (isTaken) return asVariable(program, each, 0);
    if (!syntax.isVariableDeclaration(each)) continue;
    const isWritten = writtenType(program, each) !== undefined;
    if (isWritten || !each.initializer) return isWritten ? SAID : asVariable(program, each, 0);
    const value = plain(program, each.initializer);
    if (syntax.isAsExpression(value) || syntax.isSatisfiesExpression(value)) return SAID;
    const isEmpty = syntax.isArrayLiteralExpression(value) && value.elements.length === 0;
    const place = program.place(each.initializer);
    if (isEmpty) return asVariable(program, each, 12);
    if (place) return [program.amendment(place, valueMember(place.start, place.end, name))];
  }
  return undefined;
}

/** The declaration of the variable that an expression is; undefined if it is none, or of no cell. */
export async function variableOf(program: CellProgram, expression: Node): Promise<Node | undefined> {
  const node = plain(program, expression);
  if (!program.typescript.syntax.isIdentifier(node)) return undefined;
  const symbol = await program.symbolOf(node);
  return symbol && (await program.declarations(symbol))[0];
}

/** An expression without parentheses and `!`. */
export function plain(program: CellProgram, node: Node): Node {
  const { syntax } = program.typescript;
  if (syntax.isParenthesizedExpression(node) || syntax.isNonNullExpression(node))
    return plain(program, node.expression);
  return node;
}

async function byName(program: CellProgram, node: Node, depth: number): Promise<Held> {
  const { syntax } = program.typescript;
  const symbol = await program.symbolOf(node);
  if (!symbol || (await program.isOfLibrary(symbol))) return undefined;
  const all: Amendment[] = [];
  for (const each of await program.declarations(symbol)) {
    const isVariable =
      syntax.isVariableDeclaration(each) || syntax.isParameterDeclaration(each) || syntax.isBindingElement(each);
    const held = isVariable ? await asVariable(program, each, depth) : undefined;
    if (held === SAID || held === undefined) return held;
    appendAll(all, held);
  }
  return all.length > 0 ? all : undefined;
}

async function asVariable(
  program: CellProgram,
  node: VariableDeclaration | ParameterDeclaration | BindingElement,
  depth: number,
): Promise<Held> {
  const { syntax } = program.typescript;
  if (syntax.isBindingElement(node)) return asPart(program, node, depth);
  if (writtenType(program, node)) return SAID;
  const source = sourceOf(program, node);
  const held = source && depth < 12 ? await heldBy(program, source, depth + 1) : undefined;
  if (held) return held;
  if (!syntax.isIdentifier(node.name)) return undefined;
  const { parent } = node;
  const statement = syntax.isVariableDeclaration(node) ? parent.parent : undefined;
  if (statement && (syntax.isForOfStatement(statement) || syntax.isForInStatement(statement))) return undefined;
  if (syntax.isVariableDeclaration(node) && node.initializer && saysType(program, node.initializer)) return SAID;
  const place = program.place(node.name);
  if (!place) return undefined;
  // `row => …`
  const isBare =
    syntax.isParameterDeclaration(node) &&
    syntax.isArrowFunction(parent) &&
    !parent.getSourceFile().text.slice(node.name.end, parent.equalsGreaterThanToken.end).match(/[),]/);
  if (isBare) return [program.amendment(place, { ...place, before: '(', after: ': any)' })];
  return [program.amendment(place, inserted(place.end, ANYTHING))];
}

/** A part of what is taken apart: a member of the object, or whatever that is. */
async function asPart(program: CellProgram, node: BindingElement, depth: number): Promise<Held> {
  let outer: Node = node;
  while (program.typescript.syntax.isBindingElement(outer)) outer = outer.parent.parent;
  const { syntax } = program.typescript;
  if (!syntax.isVariableDeclaration(outer) && !syntax.isParameterDeclaration(outer)) return undefined;
  if (writtenType(program, outer)) return SAID;
  const source = sourceOf(program, outer);
  const held = source ? await heldBy(program, source, depth + 1) : undefined;
  return held ?? asPattern(program, outer);
}

/** All that a pattern takes apart may hold anything. */
function asPattern(program: CellProgram, whole: VariableDeclaration | ParameterDeclaration): Held {
  const { syntax } = program.typescript;
  const loop = syntax.isVariableDeclaration(whole) ? whole.parent.parent : undefined;
  if (loop && syntax.isForOfStatement(loop)) {
    const place = program.place(loop.expression);
    return place && [program.amendment(place, anyValue(place.start, place.end))];
  }
  const place = program.place(whole.name);
  return place && [program.amendment(place, inserted(place.end, ANYTHING))];
}

/**
 * The expression from which a variable has its type by a step that keeps it: what a loop goes over, what a callback is
 * given of a list, a member of something else.
 */
export function sourceOf(
  program: CellProgram,
  node: VariableDeclaration | ParameterDeclaration,
): Expression | undefined {
  const { syntax } = program.typescript;
  if (syntax.isParameterDeclaration(node)) {
    const { parent } = node;
    const call = parent.parent;
    if (!syntax.isArrowFunction(parent) && !syntax.isFunctionExpression(parent)) return undefined;
    if (!call || !syntax.isCallExpression(call) || !call.arguments.some((each) => each === parent)) return undefined;
    return syntax.isPropertyAccessExpression(call.expression) ? call.expression.expression : undefined;
  }
  const statement = node.parent.parent;
  if (statement && (syntax.isForOfStatement(statement) || syntax.isForInStatement(statement)))
    return statement.expression;
  const value = node.initializer && plain(program, node.initializer);
  if (!value) return undefined;
  const isStep =
    syntax.isIdentifier(value) || syntax.isPropertyAccessExpression(value) || syntax.isElementAccessExpression(value);
  if (isStep) return value as Expression;
  return syntax.isCallExpression(value) ? value : undefined;
}

/** Methods whose values are of what they are called on. */
const STEPS =
  /^(slice|filter|sort|reverse|toSorted|toReversed|concat|at|find|findLast|get|values|entries|pop|shift|splice|with)$/;

/** What is a step from what: `rows.slice(1)`, `Object.entries(index)`. A row made of texts by key has the type of these. */
async function byCall(program: CellProgram, node: CallExpression, depth: number): Promise<Held> {
  const { syntax } = program.typescript;
  const { expression, arguments: given } = node;
  if (syntax.isPropertyAccessExpression(expression)) {
    const { name } = expression;
    const text = name.text;
    const [first] = given;
    if (/^(entries|values|from)$/.test(text) && first && syntax.isIdentifier(expression.expression)) {
      if (/^(Object|Array)$/.test(expression.expression.text)) return heldBy(program, first, depth + 1);
    }
    const rows = rowsMadeIn(program, node);
    if (rows.length > 0) return rows;
    const symbol = await program.symbolOf(name);
    const isStep = STEPS.test(text) && symbol !== undefined && (await program.isOfLibrary(symbol));
    return isStep ? heldBy(program, expression.expression, depth + 1) : undefined;
  }
  const symbol = syntax.isIdentifier(expression) ? await program.symbolOf(expression) : undefined;
  const made = symbol ? await program.declarations(symbol) : [];
  if (made.some((each) => saysResult(program, each))) return SAID;
  const rows = made.flatMap((each) => rowsMadeIn(program, each));
  return rows.length > 0 ? rows : undefined;
}

/** Whether a function says what it returns. */
function saysResult(program: CellProgram, declared: Node): boolean {
  const { syntax } = program.typescript;
  const isVariable = syntax.isVariableDeclaration(declared);
  const made = isVariable ? declared.initializer : declared;
  const isFunction =
    made !== undefined &&
    (syntax.isFunctionDeclaration(made) || syntax.isFunctionExpression(made) || syntax.isArrowFunction(made));
  return (isVariable && writtenType(program, declared) !== undefined) || (isFunction && made.type !== undefined);
}

/** The calls of `Object.fromEntries` in a part of a cell: what they make may hold anything. */
function rowsMadeIn(program: CellProgram, part: Node): Amendment[] {
  const { syntax } = program.typescript;
  const found: Amendment[] = [];
  const visit = (node: Node): void => {
    if (syntax.isCallExpression(node) && !node.typeArguments && syntax.isPropertyAccessExpression(node.expression)) {
      const place = node.expression.name.text === 'fromEntries' ? program.place(node.expression) : undefined;
      if (place) found.push(program.amendment(place, inserted(place.end, '<any>')));
    }
    node.forEachChild(visit);
  };
  visit(part);
  return found;
}

/** `new Map<string, number>()`, `[] as Row[]`. */
export function saysType(program: CellProgram, value: Node): boolean {
  const { syntax } = program.typescript;
  const node = plain(program, value);
  if (syntax.isNewExpression(node)) return node.typeArguments !== undefined;
  return syntax.isAsExpression(node) || syntax.isSatisfiesExpression(node) || syntax.isTypeAssertion(node);
}
