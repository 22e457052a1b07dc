import type { Identifier, Node, ParameterDeclaration, PropertyAccessExpression } from 'typescript/unstable/ast';
import type { Symbol as Named, Type } from 'typescript/unstable/async';
import type { CellProgram } from './cell-program.js';
import type { KnownCell } from './cell-scope.js';
import { namesInPath } from './habits.js';
import { plain, sourceOf, variableOf } from './holders.js';
import { type Maker, makersOf, partsOf } from './makers.js';

const DEEPEST = 8;
/** How far into what is given an object is looked for: a list of rows of objects. */
const DEEPEST_PART = 4;

/** What is looked for in what an expression may be, and the cells that a program holds. */
export interface Sought {
  /** Whether a value of one type is it: an object of a place that makes some, or what names a member. */
  isIt: (part: Type, makers: readonly Maker[]) => boolean | Promise<boolean>;
  cells: readonly (KnownCell | undefined)[];
  /** What is answered where nobody knows what an expression is. */
  otherwise: boolean;
}

/** The objects that come from a place. */
export function comingFrom(symbol: Named): Sought['isIt'] {
  return (_, makers) => makers.some((one) => 'symbol' in one && one.symbol.id === symbol.id);
}

/**
 * What makes a type one that names a member: an object that has it, a class whose objects do, a text that may be a path to it.
 *
 * @param isCertain Whether it must name just this one, not any.
 */
export function naming(program: CellProgram, name: string, isCertain = false): Sought['isIt'] {
  const { checker } = program;
  const { TypeFlags } = program.typescript.api;
  const has = async (type: Type): Promise<boolean> => {
    if (name.startsWith('['))
      return (await checker.getPropertiesOfType(type)).some((each) => memberName(each) === name);
    const member = await checker.getPropertyOfType(type, name);
    if (member) return !(await program.isOfLibrary(member));
    const infos = isCertain ? [] : await checker.getIndexInfosOfType(type);
    return infos.some(({ keyType }) => keyType.flags & TypeFlags.String);
  };
  return async (part) => {
    if (part.isStringLiteralType()) return namesInPath(part.value).includes(name);
    // No text names what has a symbol for its name.
    if (part.flags & TypeFlags.StringLike) return !isCertain && !name.startsWith('[');
    if (part.flags & TypeFlags.Primitive) return false;
    if (await has(part)) return true;
    const prototype = await checker.getPropertyOfType(part, 'prototype');
    const made = prototype && (await checker.getTypeOfSymbol(prototype));
    return made !== undefined && !(made.flags & TypeFlags.Any) && has(made);
  };
}

/** The name of a member as a literal has it: of one by a symbol of the language's, `[Symbol.iterator]`. */
export function memberName({ name, escapedName }: Named): string {
  const [, symbol] = /^__@(\w+)@\d+$/.exec(String(escapedName)) ?? [];
  return symbol === undefined ? name : `[Symbol.${symbol}]`;
}

/**
 * Whether an expression without a type may be what is looked for, or hold it: an object that comes from a place, since
 * some call gives its parameter one.
 */
export async function mayBe(
  program: CellProgram,
  expression: Node,
  sought: Sought,
  path: readonly Node[] = [],
): Promise<boolean> {
  const { syntax, api } = program.typescript;
  const node = plain(program, expression);
  if (path.length > DEEPEST) return sought.otherwise;
  const steps = [...path, node];
  const further = (each: Node | undefined): Promise<boolean> =>
    each ? mayBe(program, each, sought, steps) : Promise.resolve(false);
  const type = await program.typeOf(node);
  const isOpen = type === undefined || (type.flags & api.TypeFlags.Any) !== 0;
  if (!isOpen && (!(await takesMore(program, node)) || (await holds(program, type, { ...sought, otherwise: false }))))
    return holds(program, type, sought);
  if (syntax.isIdentifier(node)) return namedMayBe(program, node, sought, steps);
  const ofThis = syntax.isPropertyAccessExpression(node) ? objectOfThis(program, node.expression) : undefined;
  const whole = ofThis && (await program.typeOf(ofThis));
  const member =
    whole && (await program.checker.getPropertyOfType(whole, (node as PropertyAccessExpression).name.text));
  const held = member && (await program.checker.getTypeOfSymbol(member));
  if (held && !(held.flags & api.TypeFlags.Any)) return holds(program, held, sought);
  if (syntax.isPropertyAccessExpression(node) || syntax.isElementAccessExpression(node) || syntax.isAsExpression(node))
    return further(node.expression);
  if (syntax.isAwaitExpression(node) || syntax.isSpreadElement(node)) return further(node.expression);
  if (syntax.isConditionalExpression(node)) return (await further(node.whenTrue)) || further(node.whenFalse);
  if (syntax.isBinaryExpression(node)) return (await further(node.left)) || further(node.right);
  const literal = objectOfThis(program, node);
  const maker = literal && (await program.typeOf(literal));
  if (maker) return holds(program, maker, { ...sought, otherwise: false });
  if (!syntax.isCallExpression(node)) return sought.otherwise;
  const called = await program.checker.getResolvedSignature(node);
  if (called?.declaration && program.isOfCell(called.declaration)) return sought.otherwise;
  const { expression: callee, arguments: given } = node;
  const all = [...given, ...(syntax.isPropertyAccessExpression(callee) ? [callee.expression] : [])];
  for (const each of all) if (await further(each)) return true;
  const variable = await variableOf(program, callee);
  const isPassed = variable !== undefined && syntax.isParameterDeclaration(variable);
  if (isPassed) return mayBe(program, callee, givenBack(program, sought), steps);
  // What is read may have members that nothing passed to it names: `JSON.parse(text)`.
  return isOpen && 'name' in sought && sought.otherwise;
}

/** A function that may give what is looked for. */
function givenBack(program: CellProgram, sought: Sought): Sought {
  const { checker, typescript } = program;
  const isIt = async (part: Type): Promise<boolean> => {
    for (const signature of await checker.getSignaturesOfType(part, typescript.api.SignatureKind.Call)) {
      const type = await checker.getReturnTypeOfSignature(signature);
      if (type && (await holds(program, type, sought))) return true;
    }
    return false;
  };
  return { ...sought, isIt };
}

/** Whether an expression is a parameter that takes more than its type tells: all further arguments, or one with a default. */
export async function takesMore(program: CellProgram, node: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const variable = syntax.isIdentifier(node) ? await variableOf(program, node) : undefined;
  if (!variable || !syntax.isParameterDeclaration(variable) || variable.type) return false;
  return variable.dotDotDotToken !== undefined || variable.initializer !== undefined;
}

/** The object of a cell's that `this` is, in a method that it has by its literal; undefined for other expressions. */
function objectOfThis(program: CellProgram, node: Node): Node | undefined {
  const { syntax } = program.typescript;
  if (node.kind !== syntax.SyntaxKind.ThisKeyword) return undefined;
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

async function namedMayBe(program: CellProgram, node: Node, sought: Sought, path: readonly Node[]): Promise<boolean> {
  const { syntax } = program.typescript;
  const symbol = await program.symbolOf(node);
  const declared = symbol ? await program.declarations(symbol) : [];
  for (const each of declared) {
    let outer: Node = each;
    while (syntax.isBindingElement(outer)) outer = outer.parent.parent;
    if (syntax.isParameterDeclaration(outer)) {
      if (await givenMayBe(program, outer, sought, path)) return true;
      continue;
    }
    if (!syntax.isVariableDeclaration(outer)) return sought.otherwise;
    const statement = outer.parent.parent;
    const isLoop = statement !== undefined && syntax.isForOfStatement(statement);
    const isConstant = /^const\b/.test(outer.parent.getText());
    const source = isLoop ? statement.expression : outer.initializer;
    if (!source || !isConstant) return sought.otherwise;
    if (await mayBe(program, source, sought, path)) return true;
    if (syntax.isIdentifier(outer.name) && (await isPut(program, outer.name, sought))) return true;
  }
  // What no cell declares, a package or the language makes.
  return symbol !== undefined && declared.length === 0 && !(await program.isOfLibrary(symbol));
}

/** Whether cells put an object into what a variable holds: `data.items.push(row)`, `data.first = row`. */
async function isPut(program: CellProgram, name: Identifier, sought: Sought): Promise<boolean> {
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
  return false;
}

/** Whether a parameter may be given an object, by all calls of its function. */
async function givenMayBe(
  program: CellProgram,
  parameter: ParameterDeclaration,
  sought: Sought,
  path: readonly Node[],
): Promise<boolean> {
  const { syntax } = program.typescript;
  // By a call within itself: what the others give.
  if (path.includes(parameter)) return false;
  const steps = [...path, parameter];
  const made = parameter.parent;
  const at = 'parameters' in made ? (made.parameters as readonly Node[]).indexOf(parameter) : -1;
  const { parent } = made;
  if (syntax.isCallExpression(parent)) return passedMayBe(program, { passed: made, at }, sought, steps);
  const { name, isMember } = calledAs(program, made) ?? {};
  const uses = name === undefined ? undefined : await program.usesOf(name, sought.cells, isMember);
  if (!uses) return sought.otherwise;
  for (const use of uses) {
    const call = use.parent;
    const isMade = syntax.isNewExpression(call) && syntax.isConstructorDeclaration(made);
    if (!syntax.isCallExpression(call) && !isMade) return sought.otherwise;
    if (call.expression !== use) {
      if (await passedMayBe(program, { passed: use, at }, sought, steps)) return true;
      continue;
    }
    const all = call.arguments ?? [];
    const given = parameter.dotDotDotToken ? all.slice(at) : all.slice(at, at + 1);
    if (all.some((each) => syntax.isSpreadElement(each))) return sought.otherwise;
    for (const each of given) if (await mayBe(program, each, sought, steps)) return true;
  }
  return false;
}

/** The name by which cells call a function, a method, or make objects of a class; undefined if it has none that is its own. */
function calledAs(program: CellProgram, made: Node): { name: string; isMember: boolean } | undefined {
  const { syntax } = program.typescript;
  const { parent } = made;
  const isMethod = syntax.isMethodDeclaration(made);
  const isMember = isMethod || syntax.isPropertyAssignment(parent) || syntax.isPropertyDeclaration(parent);
  const isVariable = syntax.isVariableDeclaration(parent);
  const isClass = syntax.isConstructorDeclaration(made) && syntax.isClassDeclaration(parent);
  const name =
    isMethod || syntax.isFunctionDeclaration(made)
      ? made.name
      : isVariable || isClass || syntax.isPropertyAssignment(parent) || syntax.isPropertyDeclaration(parent)
        ? parent.name
        : undefined;
  return name && syntax.isIdentifier(name) ? { name: name.text, isMember } : undefined;
}

/** Whether a function that is passed to a method may be given an object: one of what the method is called on. */
async function passedMayBe(
  program: CellProgram,
  { passed, at }: { passed: Node; at: number },
  sought: Sought,
  path: readonly Node[],
): Promise<boolean> {
  const { syntax } = program.typescript;
  const call = passed.parent;
  if (!syntax.isCallExpression(call) || !syntax.isPropertyAccessExpression(call.expression)) return sought.otherwise;
  const { name, expression: object } = call.expression;
  const others = call.arguments.filter((each) => each !== passed && !syntax.isArrowFunction(each));
  // What is gathered begins with what is given for it.
  const isGathered = /^reduce(Right)?$/.test(name.text) && at === 0 && others.length > 0;
  for (const each of isGathered ? others : [object, ...others])
    if (await mayBe(program, each, sought, path)) return true;
  return false;
}

/** Whether a value of a type is what is looked for, or holds it. */
export async function holds(program: CellProgram, type: Type, sought: Sought, depth = 0): Promise<boolean> {
  const { checker } = program;
  const { TypeFlags } = program.typescript.api;
  if (type.flags & TypeFlags.AnyOrUnknown || depth > DEEPEST_PART) return sought.otherwise;
  for (const part of await partsOf(program, type)) {
    const makers = part.flags & TypeFlags.Primitive ? [] : await makersOf(program, part);
    if (await sought.isIt(part, makers)) return true;
    if (part.flags & TypeFlags.Primitive) continue;
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

/** The object of which a key is one: `e` of `for (const k in e)`, of `Object.entries(e).forEach(([k, v]) => …)`. */
export async function ownerOfKey(program: CellProgram, key: Node): Promise<Node | undefined> {
  const { syntax } = program.typescript;
  let outer = await variableOf(program, key);
  while (outer && syntax.isBindingElement(outer)) outer = outer.parent.parent;
  if (!outer) return undefined;
  const loop = syntax.isVariableDeclaration(outer) ? outer.parent.parent : undefined;
  if (loop && syntax.isForInStatement(loop)) return loop.expression;
  let list: Node | undefined = loop && syntax.isForOfStatement(loop) ? loop.expression : undefined;
  if (syntax.isParameterDeclaration(outer)) list = sourceOf(program, outer);
  while (list && syntax.isCallExpression(list) && syntax.isPropertyAccessExpression(list.expression)) {
    const { expression, name } = list.expression;
    const isOfLanguage = syntax.isIdentifier(expression) && /^(Object|Reflect)$/.test(expression.text);
    if (isOfLanguage) return /^(keys|entries|ownKeys|getOwn\w+)$/.test(name.text) ? list.arguments[0] : undefined;
    list = expression;
  }
  return undefined;
}
