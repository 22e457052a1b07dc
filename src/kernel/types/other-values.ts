import type { CallExpression, NewExpression, Node } from 'typescript/unstable/ast';
import { greatestOf } from '../../base/many.js';
import { type Amendment, ANYTHING, inserted } from './amendments.js';
import type { CellProgram } from './cell-program.js';
import { heldBy, plain, type SAID, writtenType } from './holders.js';
import { isOfUntypedParameter, isUntypedApply } from './lenient-calls.js';
import { isAssignment } from './reads.js';
import type { Verdict } from './verdicts.js';

/** Methods that put what they are given into a list, a set or a map. */
const FILLS = /^(push|unshift|splice|add|set|fill|concat|with)$/;
const COLLECTION = /^(Weak)?(Map|Set)$/;
/** What the language calls that has them: other classes of a library mean what their types say. */
const FILLED = /^((Readonly)?Array|(Weak)?(Map|Set))$/;

/**
 * Whether a value that does not fit is a mistake, by what it does not fit: a written type, or what something held before
 * and need not hold any more.
 */
export async function otherValue(program: CellProgram, nodes: readonly Node[]): Promise<Verdict> {
  const { syntax } = program.typescript;
  const [at] = nodes;
  if (!at) return 'doubted';
  for (let node: Node = at; node.parent && !syntax.isSourceFile(node.parent); node = node.parent) {
    const { parent } = node;
    if (syntax.isBinaryExpression(parent) && isAssignment(program, parent)) {
      const isText =
        syntax.isPropertyAccessExpression(parent.left) && (await isOfAddress(program, parent.left.expression));
      return isText ? 'silent' : asHeld(await heldBy(program, targetOf(program, parent.left, at)));
    }
    if (syntax.isCallExpression(parent) && parent.arguments.some((each) => each === node))
      return asArgument(program, parent, node);
    if (syntax.isNewExpression(parent) && parent.arguments?.some((each) => each === node))
      return asArgument(program, parent, node);
    if (syntax.isJsxOpeningElement(parent) || syntax.isJsxSelfClosingElement(parent))
      return (await isOfUntypedParameter(program, parent, undefined)) ? 'silent' : 'doubted';
    const isFunction =
      syntax.isArrowFunction(node) || syntax.isFunctionExpression(node) || syntax.isFunctionDeclaration(node);
    if (isFunction && at !== node) return 'doubted';
    if (
      syntax.isVariableDeclaration(parent) ||
      syntax.isReturnStatement(parent) ||
      syntax.isPropertyDeclaration(parent)
    )
      return 'doubted';
  }
  return 'doubted';
}

/** What an assignment gives a value: of a pattern, the part that a finding is about. */
function targetOf(program: CellProgram, left: Node, at: Node): Node {
  const { syntax } = program.typescript;
  if (!syntax.isArrayLiteralExpression(left) && !syntax.isObjectLiteralExpression(left)) return left;
  if (syntax.isShorthandPropertyAssignment(at)) return at.name;
  return syntax.isPropertyAssignment(at.parent) && at.parent.name === at ? at.parent.initializer : at;
}

/** Whether an object is an address, which makes texts of what its parts are given. */
async function isOfAddress(program: CellProgram, object: Node): Promise<boolean> {
  const type = await program.typeOf(object);
  return type !== undefined && (await program.libraryName(type)) === 'URL';
}

function asHeld(held: Amendment[] | typeof SAID | undefined): Verdict {
  return Array.isArray(held) ? held : 'doubted';
}

async function asArgument(program: CellProgram, call: CallExpression | NewExpression, node: Node): Promise<Verdict> {
  const { syntax } = program.typescript;
  const { expression } = call;
  if (syntax.isNewExpression(call)) {
    const mixed = ofSeveralTypes(program, call);
    if (mixed) return mixed;
  }
  if (syntax.isPropertyAccessExpression(expression) && FILLS.test(expression.name.text)) {
    const symbol = await program.symbolOf(expression.name);
    const isLibrary =
      symbol !== undefined && (await program.isOfLibrary(symbol)) && isFilled((await symbol.getParent())?.name);
    // The list that it makes holds both.
    const isNew =
      expression.name.text === 'concat' && syntax.isArrayLiteralExpression(plain(program, expression.expression));
    if (isLibrary && isNew) return 'silent';
    if (isLibrary) return asHeld(await heldBy(program, expression.expression));
  }
  if (await isUntypedApply(program, call)) return 'silent';
  return (await isOfUntypedParameter(program, call, node)) ? 'silent' : 'doubted';
}

/** Whether a class of a library is one that is filled; a list of several types has no name. */
function isFilled(name: string | undefined): boolean {
  return name === undefined || FILLED.test(name);
}

/** `new Map([['a', 1], ['b', 'two']])`: of values of several types, TypeScript takes the first. */
function ofSeveralTypes(program: CellProgram, call: NewExpression): Amendment[] | undefined {
  const { syntax } = program.typescript;
  const { expression, typeArguments } = call;
  const [first] = call.arguments ?? [];
  if (typeArguments || !syntax.isIdentifier(expression) || !COLLECTION.test(expression.text)) return undefined;
  if (!first || !syntax.isArrayLiteralExpression(plain(program, first))) return undefined;
  const place = program.place(expression);
  const text = /Map$/.test(expression.text) ? '<any, any>' : '<any>';
  return place && [program.amendment(place, inserted(place.end, text))];
}

/** `var` twice, with another type: it may hold either. */
export async function declaredAgain(program: CellProgram, nodes: readonly Node[]): Promise<Verdict> {
  const { syntax } = program.typescript;
  const name = nodes.find((node) => syntax.isIdentifier(node));
  const symbol = name && (await program.symbolOf(name));
  const amendments: Amendment[] = [];
  for (const node of symbol ? await program.declarations(symbol) : []) {
    if (!syntax.isVariableDeclaration(node) || writtenType(program, node)) return 'told';
    const place = program.place(node.name);
    if (place) amendments.push(program.amendment(place, inserted(place.end, ANYTHING)));
  }
  return amendments.length > 0 ? amendments : 'doubted';
}

/** What a class extends that has no constructor by its type: a function of a cell's may have one. */
export async function otherBase(program: CellProgram, nodes: readonly Node[]): Promise<Verdict> {
  const { syntax } = program.typescript;
  const name = nodes.find((node) => syntax.isIdentifier(node));
  const symbol = name && (await program.symbolOf(name));
  const declared = symbol ? await program.declarations(symbol) : [];
  const isFunction = declared.some(
    (each) =>
      syntax.isFunctionDeclaration(each) ||
      (syntax.isVariableDeclaration(each) && each.initializer && syntax.isFunctionExpression(each.initializer)),
  );
  const place = name && program.place(name);
  return isFunction && place ? [asBase(program, name)].flat() : 'told';
}

/**
 * Amendments by which a class of the cells extends a library's that says what it holds, where it leaves that open:
 * `class Counter extends Map` takes entries, too.
 *
 * @param expression The class, `super` in it, or what it extends.
 */
export async function baseOfAnything(program: CellProgram, expression: Node, depth = 0): Promise<Amendment[]> {
  const { syntax, api } = program.typescript;
  if (syntax.isExpressionWithTypeArguments(expression.parent)) {
    const { typeArguments } = expression.parent;
    const type = typeArguments ? undefined : await program.typeOf(expression);
    const signatures = type ? await program.checker.getSignaturesOfType(type, api.SignatureKind.Construct) : [];
    const count = greatestOf([0, ...signatures.map(({ typeParameters }) => typeParameters?.length ?? 0)]);
    const place = count > 0 ? program.place(expression) : undefined;
    const symbol = await program.symbolOf(expression);
    if (place && symbol && (await program.isOfLibrary(symbol)))
      return [program.amendment(place, inserted(place.end, `<${Array(count).fill('any').join(', ')}>`))];
  }
  const own = ownerOf(program, expression);
  const type = own ? undefined : await program.typeOf(expression);
  const symbol = await type?.getSymbol();
  for (const each of own ? [own] : symbol && depth < 10 ? await program.declarations(symbol) : []) {
    if (!syntax.isClassDeclaration(each) && !syntax.isClassExpression(each)) continue;
    const base = each.heritageClauses?.[0]?.types[0]?.expression;
    if (base) return baseOfAnything(program, base, depth + 1);
  }
  return [];
}

/** The class in which `super` stands; undefined for other expressions. */
function ownerOf(program: CellProgram, expression: Node): Node | undefined {
  const { syntax } = program.typescript;
  if (expression.kind !== syntax.SyntaxKind.SuperKeyword) return undefined;
  let node = expression;
  while (node.parent && !syntax.isClassDeclaration(node) && !syntax.isClassExpression(node)) node = node.parent;
  return node;
}

/** An amendment by which a class extends what has any members. */
export function asBase(program: CellProgram, name: Node): Amendment[] {
  const place = program.place(name);
  return place ? [program.amendment(place, { ...place, before: '(', after: ' as any)' })] : [];
}

/** A member of a class that does not fit the one it stands for: of methods that say nothing of what they take, it does. */
export async function otherOverride(program: CellProgram, nodes: readonly Node[]): Promise<Verdict> {
  const { syntax } = program.typescript;
  const method = nodes.map((node) => node.parent).find((node) => syntax.isMethodDeclaration(node));
  if (!method || !syntax.isMethodDeclaration(method)) return 'told';
  const owner = method.parent;
  const isClass = syntax.isClassDeclaration(owner) || syntax.isClassExpression(owner);
  const clause = isClass ? owner.heritageClauses?.[0]?.types[0] : undefined;
  const base = clause && (await program.typeOf(clause.expression));
  const [signature] = base
    ? await program.checker.getSignaturesOfType(base, program.typescript.api.SignatureKind.Construct)
    : [];
  const made = signature && (await program.checker.getReturnTypeOfSignature(signature));
  const name = method.name.getText();
  const symbol = made && (await program.checker.getPropertyOfType(made, name));
  const declared = symbol ? await program.declarations(symbol) : [];
  const isUntyped = (each: Node): boolean =>
    syntax.isMethodDeclaration(each) &&
    each.type === undefined &&
    each.parameters.every(({ type }) => type === undefined);
  return declared.length > 0 && [method, ...declared].every(isUntyped) ? 'silent' : 'told';
}
