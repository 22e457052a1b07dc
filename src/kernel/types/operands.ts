import type { Node } from 'typescript/unstable/ast';
import type { Type } from 'typescript/unstable/async';
import type { CellProgram } from './cell-program.js';
import type { Finding } from './finding.js';
import { heldBy, isSaidAtRoot, plain, SAID } from './holders.js';
import { partsOf } from './makers.js';
import type { Verdict } from './verdicts.js';

/** An operator that is not for two such operands. */
const NO_OPERATION = 2365;

/** Whether an operator converts its operands: texts, numbers, dates, and what says in a cell what it is converted to. */
export async function isConverted(
  program: CellProgram,
  { code, message }: Finding,
  nodes: readonly Node[],
): Promise<boolean> {
  const { syntax, api } = program.typescript;
  const { SyntaxKind } = syntax;
  const { TypeFlags } = api;
  // Not awaited.
  if (message.endsWith('?')) return false;
  const around = nodes.map((node) => (syntax.isBinaryExpression(node) ? node : node.parent));
  const operation = around.find((node) => syntax.isBinaryExpression(node));
  const isOfBoth = code === NO_OPERATION && operation !== undefined && syntax.isBinaryExpression(operation);
  const operands = isOfBoth ? [operation.left, operation.right] : nodes.slice(-1);
  const compares =
    operation !== undefined &&
    syntax.isBinaryExpression(operation) &&
    operation.operatorToken.kind >= SyntaxKind.LessThanToken &&
    operation.operatorToken.kind <= SyntaxKind.GreaterThanEqualsToken;
  let [hasBig, hasOther] = [false, false];
  const kinds = new Set<'text' | 'date' | undefined>();
  for (const operand of operands) {
    const type = await program.typeOf(operand);
    if (!type) return false;
    const parts = await partsOf(program, type);
    const isBig = parts.length > 0 && parts.every(({ flags }) => flags & TypeFlags.BigIntLike);
    if (isBig) hasBig = true;
    else hasOther = true;
    // A constant's text that is no number.
    const isWord = (part: Type): boolean => part.isStringLiteralType() && Number.isNaN(Number(part.value));
    if (!compares && !isOfBoth && parts.length > 0 && parts.every(isWord)) return false;
    const convertible = await Promise.all(parts.map((part) => isConvertible(program, part)));
    // What a list of several kinds gives is of the kind that was put there.
    const isSaid = (await saidType(program, operand)) !== undefined || (await heldBy(program, operand)) === SAID;
    const isOneOf = convertible.some(Boolean) && (!isSaid || (await isOfLibraryObject(program, operand)));
    if (!convertible.every(Boolean) && !isOneOf) return false;
    kinds.add(await textOrDate(program, parts));
    // What a function without a value gives is no number.
    if (type.flags & TypeFlags.Void && (await isOfFixed(program, operand))) return false;
  }
  // Their sum is the text of the date.
  if (!compares && isOfBoth && kinds.has('date')) return false;
  // Compared with a date, a text is taken for a number, which that of a date is not: it never holds.
  if (compares && kinds.has('text') && kinds.has('date')) return false;
  return compares || !hasBig || !hasOther;
}

/** Whether an expression is a member that only a library says may be of several kinds: `res.headers['x-count']`. */
async function isOfLibraryObject(program: CellProgram, operand: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const node = plain(program, operand);
  if (!syntax.isPropertyAccessExpression(node) && !syntax.isElementAccessExpression(node)) return false;
  if (await isSaidAtRoot(program, node.expression)) return false;
  const type = await program.typeOf(node.expression);
  const parts = type ? await partsOf(program, type) : [];
  const names = await Promise.all(parts.map((part) => program.libraryName(part)));
  return names.length > 0 && names.every((name) => name !== undefined && name !== 'Array');
}

/** Whether an expression is what a function gives, or a list holds, and no other function may stand there by then. */
async function isOfFixed(program: CellProgram, expression: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const node = plain(program, expression);
  if (syntax.isElementAccessExpression(node)) return true;
  const isCall = syntax.isCallExpression(node);
  const name = isCall && syntax.isPropertyAccessExpression(node.expression) ? node.expression.name : undefined;
  const symbol = await program.symbolOf(name ?? (isCall ? node.expression : node));
  if (!symbol || (await program.isOfLibrary(symbol))) return symbol !== undefined;
  const [made] = await program.declarations(symbol);
  if (!made || name) return false;
  const isConstant = syntax.isVariableDeclaration(made) && /^const\b/.test(made.parent.getText());
  if (isCall) return isConstant || syntax.isFunctionDeclaration(made);
  return isConstant && made.initializer !== undefined && isOfFixed(program, made.initializer);
}

/** What all parts of a type are, if they are either. */
async function textOrDate(program: CellProgram, parts: readonly Type[]): Promise<'text' | 'date' | undefined> {
  const { TypeFlags } = program.typescript.api;
  if (parts.length === 0) return undefined;
  if (parts.every(({ flags }) => flags & TypeFlags.StringLike)) return 'text';
  const names = await Promise.all(parts.map((part) => program.libraryName(part)));
  return names.every((name) => name === 'Date') ? 'date' : undefined;
}

/** Whether an operator, or a text, makes of a value what says something: not `[object Object]`. */
export async function isConvertible(program: CellProgram, type: Type): Promise<boolean> {
  const { TypeFlags } = program.typescript.api;
  if (type.flags & TypeFlags.ESSymbolLike) return false;
  if (type.flags & (TypeFlags.Primitive | TypeFlags.AnyOrUnknown)) return true;
  const name = await program.libraryName(type);
  if (name !== undefined) return name === 'Date';
  const own = await program.checker.getPropertyOfType(type, 'valueOf');
  if (own && !(await program.isOfLibrary(own))) return true;
  const all = await program.checker.getPropertiesOfType(type);
  return all.some(({ escapedName }) => String(escapedName).startsWith('__@toPrimitive'));
}

/**
 * A comparison of values that have no type in common: of settings, as in `const MODE = 'fast'; if (MODE === 'slow')`, it
 * runs; with what a type that the user wrote does not have, it is a slip.
 */
export async function comparison(program: CellProgram, nodes: readonly Node[]): Promise<Verdict> {
  const { syntax } = program.typescript;
  const { SyntaxKind } = syntax;
  const compared = nodes.find((node) => syntax.isBinaryExpression(node));
  const clause = nodes.map((node) => node.parent).find((node) => syntax.isCaseClause(node));
  const block = clause?.parent?.parent;
  const sides: Node[] =
    compared && syntax.isBinaryExpression(compared)
      ? [compared.left, compared.right]
      : clause && syntax.isCaseClause(clause) && block && syntax.isSwitchStatement(block)
        ? [block.expression, clause.expression]
        : [];
  const [left, right] = sides;
  if (!left || !right) return 'doubted';
  // What `typeof` gives is no setting.
  if (sides.some((side) => syntax.isTypeOfExpression(plain(program, side)))) return 'told';
  const types = [await program.typeOf(left), await program.typeOf(right)];
  const [one, other] = types;
  if (!one || !other) return 'doubted';
  const kinds = [await kindOf(program, one), await kindOf(program, other)];
  const { kind } = compared && syntax.isBinaryExpression(compared) ? compared.operatorToken : { kind: undefined };
  const isLoose = kind === SyntaxKind.EqualsEqualsToken || kind === SyntaxKind.ExclamationEqualsToken;
  if (isLoose && (await isTextOfDate(program, one, other))) return 'silent';
  for (const side of sides) if (await isOfMerged(program, side)) return 'silent';
  if (kinds[0] === undefined || kinds[1] === undefined) return 'doubted';
  if (kinds[0] !== kinds[1]) return isLoose ? 'silent' : 'doubted';
  for (const [side, against] of [
    [left, other],
    [right, one],
  ] as const)
    if (await isOutsideOfSaid(program, side, against)) return 'told';
  // A case that none of several values is.
  if (clause) return one.isLiteralType() ? 'silent' : 'doubted';
  return 'silent';
}

/** Whether an expression is a member of an object that was merged with one of any members, which may have given it another. */
async function isOfMerged(program: CellProgram, expression: Node): Promise<boolean> {
  const { syntax, api } = program.typescript;
  const node = plain(program, expression);
  const type = syntax.isPropertyAccessExpression(node) ? await program.typeOf(node.expression) : undefined;
  for (const part of type?.isIntersectionType() ? await type.getTypes() : []) {
    const infos = await program.checker.getIndexInfosOfType(part);
    if (infos.some(({ keyType }) => keyType.flags & api.TypeFlags.String)) return true;
  }
  return false;
}

/** Whether one of two types is a date, and the other a text that a date becomes: `new Date(text) == 'Invalid Date'`. */
async function isTextOfDate(program: CellProgram, one: Type, other: Type): Promise<boolean> {
  const [text, date] = one.isStringLiteralType() ? [one, other] : [other, one];
  if (!text.isStringLiteralType() || (await program.libraryName(date)) !== 'Date') return false;
  return String(new Date(text.value)) === text.value;
}

/** Whether the written type of an expression has nothing in common with another. */
async function isOutsideOfSaid(program: CellProgram, expression: Node, other: Type): Promise<boolean> {
  const said = await saidType(program, expression);
  if (!said?.isUnionType()) return false;
  const { checker } = program;
  return !(await checker.isTypeAssignableTo(other, said)) && !(await checker.isTypeAssignableTo(said, other));
}

/** Whether a type is one of several texts or numbers, which the code that gives them writes out. */
async function isOfChoices(program: CellProgram, type: Type | undefined): Promise<boolean> {
  const parts = type ? await partsOf(program, type) : [];
  return parts.length > 1 && parts.every((each) => each.isStringLiteralType() || each.isNumberLiteralType());
}

/** The type that is written for an expression, or that an own function's or a condition's code says in full: of a variable, a parameter, a member, what a function returns. */
async function saidType(program: CellProgram, expression: Node, depth = 0): Promise<Type | undefined> {
  const { syntax } = program.typescript;
  const node = plain(program, expression);
  if (depth > 8) return undefined;
  const type = await program.typeOf(node);
  if (syntax.isCallExpression(node)) {
    const declaration = (await program.checker.getResolvedSignature(node))?.declaration;
    const declared = declaration && program.isOfCell(declaration) ? await declaration.resolve() : undefined;
    if (declared && 'type' in declared && declared.type) return type;
    return declared && (await isOfChoices(program, type)) ? type : aliased(type);
  }
  if (syntax.isConditionalExpression(node) && (await isOfChoices(program, type))) return type;
  const name = syntax.isPropertyAccessExpression(node) ? node.name : node;
  const symbol = await program.symbolOf(name);
  if (!symbol) return aliased(type);
  if (await program.isOfLibrary(symbol)) return program.checker.getTypeOfSymbol(symbol);
  for (const each of await program.declarations(symbol)) {
    if ('type' in each && each.type) return program.checker.getTypeOfSymbol(symbol);
    const isBound = syntax.isBindingElement(each);
    const isVariable = syntax.isVariableDeclaration(each);
    if (isVariable && each.initializer) return saidType(program, each.initializer, depth + 1);
    if (isBound || isVariable || syntax.isParameterDeclaration(each)) {
      const held = await program.checker.getTypeOfSymbol(symbol);
      const found = await aliased(held);
      if (found) return found;
      const part = isBound ? await partOf(program, each) : undefined;
      if (part) return part;
    }
  }
  return aliased(type);
}

/** The written type of a member that a pattern takes. */
async function partOf(program: CellProgram, element: Node): Promise<Type | undefined> {
  const { syntax } = program.typescript;
  if (!syntax.isBindingElement(element)) return undefined;
  const whole = await program.typeOf(element.parent);
  const key = (element.propertyName ?? element.name)?.getText() ?? '';
  const property = whole && (await program.checker.getPropertyOfType(whole, key));
  const declared = property ? await program.declarations(property) : [];
  const isSaid = declared.some((each) => 'type' in each && each.type !== undefined);
  return isSaid && property ? program.checker.getTypeOfSymbol(property) : undefined;
}

/** A type if it has a name of its own. */
async function aliased(type: Type | undefined): Promise<Type | undefined> {
  return type && (await type.getAliasSymbol()) ? type : undefined;
}

/** The kind of the values of a type that is a text, a number and the like; undefined for others. */
async function kindOf(program: CellProgram, type: Type): Promise<string | undefined> {
  const { TypeFlags } = program.typescript.api;
  const kinds: [string, number][] = [
    ['string', TypeFlags.StringLike],
    ['number', TypeFlags.NumberLike],
    ['bigint', TypeFlags.BigIntLike],
    ['boolean', TypeFlags.BooleanLike],
    ['nothing', TypeFlags.Nullable | TypeFlags.Void],
  ];
  const own = kinds.find(([, flag]) => type.flags & flag)?.[0];
  if (own !== undefined || !type.isUnionType()) return own;
  const parts = await partsOf(program, type);
  const all = new Set(await Promise.all(parts.map((each) => kindOf(program, each))));
  const [only] = all;
  return all.size === 1 ? only : undefined;
}
