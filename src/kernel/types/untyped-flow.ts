import type { Identifier, Node, ParameterDeclaration } from 'typescript/unstable/ast';
import type { Symbol as Named, Type } from 'typescript/unstable/async';
import type { CellProgram } from './cell-program.js';
import type { KnownCell } from './cell-scope.js';
import { plain } from './holders.js';
import { makersOf, partsOf } from './makers.js';

const DEEPEST = 8;
/** How far into what is given an object is looked for: a list of rows of objects. */
const DEEPEST_PART = 4;

/** The objects of a place that makes some, and the cells that a program holds. */
export interface Sought {
  symbol: Named;
  cells: readonly (KnownCell | undefined)[];
  /** What is answered where nobody knows what an expression is. */
  otherwise: boolean;
}

/**
 * Whether an expression without a type may be an object that comes from a place: some call gives its parameter one, or
 * an object that holds one.
 */
export async function mayBe(program: CellProgram, expression: Node, sought: Sought, depth = 0): Promise<boolean> {
  const { syntax, api } = program.typescript;
  const node = plain(program, expression);
  if (depth > DEEPEST) return sought.otherwise;
  const further = (each: Node | undefined): Promise<boolean> =>
    each ? mayBe(program, each, sought, depth + 1) : Promise.resolve(false);
  const type = await program.typeOf(node);
  if (type && !(type.flags & api.TypeFlags.Any)) return holds(program, type, sought);
  if (syntax.isIdentifier(node)) return namedMayBe(program, node, sought, depth);
  if (syntax.isPropertyAccessExpression(node) || syntax.isElementAccessExpression(node) || syntax.isAsExpression(node))
    return further(node.expression);
  if (syntax.isAwaitExpression(node) || syntax.isSpreadElement(node)) return further(node.expression);
  if (syntax.isConditionalExpression(node)) return (await further(node.whenTrue)) || further(node.whenFalse);
  if (syntax.isBinaryExpression(node)) return (await further(node.left)) || further(node.right);
  const literal = node.kind === syntax.SyntaxKind.ThisKeyword ? objectOfThis(program, node) : undefined;
  const maker = literal && (await program.typeOf(literal));
  if (maker) return holds(program, maker, { ...sought, otherwise: false });
  if (!syntax.isCallExpression(node)) return sought.otherwise;
  const called = await program.checker.getResolvedSignature(node);
  if (called?.declaration && program.isOfCell(called.declaration)) return sought.otherwise;
  const { expression: callee, arguments: given } = node;
  const all = [...given, ...(syntax.isPropertyAccessExpression(callee) ? [callee.expression] : [])];
  for (const each of all) if (await further(each)) return true;
  return false;
}

/** The object of a cell's that `this` is, in a method that it has by its literal; undefined elsewhere. */
function objectOfThis(program: CellProgram, node: Node): Node | undefined {
  const { syntax } = program.typescript;
  for (let outer = node.parent; outer; outer = outer.parent) {
    const isMethod =
      syntax.isMethodDeclaration(outer) ||
      syntax.isGetAccessorDeclaration(outer) ||
      syntax.isSetAccessorDeclaration(outer);
    if (!isMethod && !syntax.isFunctionExpression(outer) && !syntax.isFunctionDeclaration(outer)) continue;
    const whole = isMethod ? outer.parent : outer.parent.parent;
    return whole && syntax.isObjectLiteralExpression(whole) ? whole : undefined;
  }
  return undefined;
}

async function namedMayBe(program: CellProgram, node: Node, sought: Sought, depth: number): Promise<boolean> {
  const { syntax } = program.typescript;
  const symbol = await program.symbolOf(node);
  const declared = symbol ? await program.declarations(symbol) : [];
  for (const each of declared) {
    let outer: Node = each;
    while (syntax.isBindingElement(outer)) outer = outer.parent.parent;
    if (syntax.isParameterDeclaration(outer)) {
      if (await givenMayBe(program, outer, sought, depth)) return true;
      continue;
    }
    if (!syntax.isVariableDeclaration(outer)) return sought.otherwise;
    const statement = outer.parent.parent;
    const isLoop = statement !== undefined && syntax.isForOfStatement(statement);
    const isConstant = /^const\b/.test(outer.parent.getText());
    const source = isLoop ? statement.expression : outer.initializer;
    if (!source || !isConstant) return sought.otherwise;
    if (await mayBe(program, source, sought, depth + 1)) return true;
    if (syntax.isIdentifier(outer.name) && (await isPut(program, outer.name, sought, depth))) return true;
  }
  // What no cell declares, a package or the language makes.
  return symbol !== undefined && declared.length === 0 && !(await program.isOfLibrary(symbol));
}

/** Whether cells put an object into what a variable holds: `data.items.push(row)`, `data.first = row`. */
async function isPut(program: CellProgram, name: Identifier, sought: Sought, depth: number): Promise<boolean> {
  const { syntax } = program.typescript;
  const uses = await program.usesOf(name.text, sought.cells);
  if (!uses) return sought.otherwise;
  for (const use of uses) {
    let whole = use;
    while (syntax.isPropertyAccessExpression(whole.parent) || syntax.isElementAccessExpression(whole.parent))
      whole = whole.parent;
    const { parent } = whole;
    const given: Node[] = syntax.isCallExpression(parent) ? parent.arguments.filter((each) => each !== whole) : [];
    if (whole !== use && syntax.isBinaryExpression(parent) && parent.left === whole) given.push(parent.right);
    for (const each of given.filter((one) => !syntax.isArrowFunction(one) && !syntax.isFunctionExpression(one))) {
      const type = await program.typeOf(each);
      if (type && (await holds(program, type, { ...sought, otherwise: false }))) return true;
    }
  }
  return depth > DEEPEST;
}

/** Whether a parameter may be given an object, by all calls of its function. */
async function givenMayBe(
  program: CellProgram,
  parameter: ParameterDeclaration,
  sought: Sought,
  depth: number,
): Promise<boolean> {
  const { syntax } = program.typescript;
  const made = parameter.parent;
  const at = 'parameters' in made ? (made.parameters as readonly Node[]).indexOf(parameter) : -1;
  const { parent } = made;
  if (syntax.isCallExpression(parent)) return passedMayBe(program, { passed: made, at }, sought, depth);
  const isConstant = syntax.isVariableDeclaration(parent) && /^const\b/.test(parent.parent.getText());
  const name = syntax.isFunctionDeclaration(made) ? made.name : isConstant ? parent.name : undefined;
  const uses = name && syntax.isIdentifier(name) ? await program.usesOf(name.text, sought.cells) : undefined;
  if (!uses) return sought.otherwise;
  for (const use of uses) {
    const call = use.parent;
    if (!syntax.isCallExpression(call)) return sought.otherwise;
    if (call.expression !== use) {
      if (await passedMayBe(program, { passed: use, at }, sought, depth)) return true;
      continue;
    }
    const given = parameter.dotDotDotToken ? call.arguments.slice(at) : call.arguments.slice(at, at + 1);
    if (call.arguments.some((each) => syntax.isSpreadElement(each))) return sought.otherwise;
    for (const each of given) if (await mayBe(program, each, sought, depth + 1)) return true;
  }
  return false;
}

/** Whether a function that is passed to a method may be given an object: one of what the method is called on. */
async function passedMayBe(
  program: CellProgram,
  { passed, at }: { passed: Node; at: number },
  sought: Sought,
  depth: number,
): Promise<boolean> {
  const { syntax } = program.typescript;
  const call = passed.parent;
  if (!syntax.isCallExpression(call) || !syntax.isPropertyAccessExpression(call.expression)) return sought.otherwise;
  const { name, expression: object } = call.expression;
  const others = call.arguments.filter((each) => each !== passed && !syntax.isArrowFunction(each));
  // What is gathered begins with what is given for it.
  const isGathered = /^reduce(Right)?$/.test(name.text) && at === 0 && others.length > 0;
  for (const each of isGathered ? others : [object, ...others])
    if (await mayBe(program, each, sought, depth + 1)) return true;
  return false;
}

/** Whether a value of a type is an object that comes from a place, or holds one. */
export async function holds(program: CellProgram, type: Type, sought: Sought, depth = 0): Promise<boolean> {
  const { checker } = program;
  const { TypeFlags } = program.typescript.api;
  if (type.flags & TypeFlags.AnyOrUnknown || depth > DEEPEST_PART) return sought.otherwise;
  for (const part of await partsOf(program, type)) {
    if (part.flags & TypeFlags.Primitive) continue;
    const makers = await makersOf(program, part);
    if (makers.some((one) => 'symbol' in one && one.symbol.id === sought.symbol.id)) return true;
    const inner = part.isTypeReference() ? [...(await checker.getTypeArguments(part))] : [];
    for (const { valueType } of inner.length > 0 ? [] : await checker.getIndexInfosOfType(part)) inner.push(valueType);
    if (makers.some(({ kind }) => kind === 'literal' || kind === 'class'))
      for (const each of await checker.getPropertiesOfType(part)) {
        const member = await checker.getTypeOfSymbol(each);
        const isPlain = member !== undefined && (member.flags & (TypeFlags.Primitive | TypeFlags.Any)) !== 0;
        const isCalled =
          member && (await checker.getSignaturesOfType(member, program.typescript.api.SignatureKind.Call)).length > 0;
        if (member && !isPlain && !isCalled) inner.push(member);
      }
    for (const each of inner) if (await holds(program, each, sought, depth + 1)) return true;
  }
  return false;
}
