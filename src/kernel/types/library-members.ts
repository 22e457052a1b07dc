import type { Node } from 'typescript/unstable/ast';
import type { Symbol as Named, Type } from 'typescript/unstable/async';
import { type Amendment, AT_END, memberType } from './amendments.js';
import type { CellProgram } from './cell-program.js';
import { type Doer, targetsGiven } from './evidence.js';
import { type Finding, NEARLY } from './finding.js';
import { isGivenColumn } from './frame-columns.js';
import { heldBy, plain, saysType, variableOf } from './holders.js';
import { partsOf } from './makers.js';
import { comeFromOne, memberReached } from './reached-members.js';
import { type Access, accessAt } from './reads.js';
import type { Verdict } from './verdicts.js';

/** A member that the language's library, Node's, or a package's types lack: only the very variable that gets it has it. */
export async function libraryMember(
  program: CellProgram,
  finding: Finding,
  { node, object, name }: Access,
  { symbol, isWrite, isSlip, doers }: { symbol: Named; isWrite: boolean; isSlip: boolean; doers: readonly Doer[] },
): Promise<Verdict> {
  const { syntax } = program.typescript;
  if (isWrite) {
    const everywhere = await forAllOfKind(program, object, symbol, name);
    if (everywhere) return everywhere;
    const held = isSlip ? undefined : await memberReached(program, object, name);
    return Array.isArray(held) ? held : 'told';
  }
  if (symbol.name === 'Event' && finding.code !== NEARLY) return 'silent';
  for (const target of await targetsGiven(program, symbol, name, doers)) {
    const isPrototype = syntax.isPropertyAccessExpression(target);
    const given = isPrototype ? await forAllOfKind(program, target, symbol, name) : undefined;
    if (given) return given;
    const [one, other] = [await variableOf(program, target), await variableOf(program, object)];
    const isSame = one === undefined ? await comeFromOne(program, target, object) : one === other;
    const held = isSame ? await memberReached(program, object, name) : undefined;
    if (Array.isArray(held)) return held;
  }
  const type = await program.typeOf(object);
  if (type && (await isOfArrayClass(program, { node, object, name }, type))) return 'silent';
  if (await isStandIn(program, object)) return 'silent';
  return (await isOfProxy(program, object)) ? 'silent' : 'told';
}

/** A column of a frame whose rows have no type, or one that cells add to a frame; not a method. */
export async function isColumn(
  program: CellProgram,
  { node, object, name }: Access,
  types: readonly Type[],
  doers: readonly Doer[],
): Promise<boolean> {
  const { syntax } = program.typescript;
  const isCalled = syntax.isCallExpression(node.parent) && node.parent.expression === node;
  for (const type of types) {
    const symbol = (await type.getAliasSymbol()) ?? (await type.getSymbol());
    if (symbol?.name !== 'DataFrame' || !(await program.isOfLibrary(symbol))) continue;
    if (await isGivenColumn(program, object, name, doers)) return true;
    return !isCalled && /^DataFrame(<object>)?$/.test(await program.checker.typeToString(type));
  }
  return false;
}

/** `Array.prototype.last = …`: all of the kind have it from then on. */
async function forAllOfKind(
  program: CellProgram,
  object: Node,
  symbol: Named,
  name: string,
): Promise<Amendment[] | undefined> {
  const { syntax, api } = program.typescript;
  const isPrototype = syntax.isPropertyAccessExpression(object) && object.name.text === 'prototype';
  const root = isPrototype ? object.expression : object;
  const global = syntax.isIdentifier(root) ? await program.symbolOf(root) : undefined;
  const isGlobal = global !== undefined && (await program.isOfLibrary(global));
  if (!isGlobal || !(symbol.flags & api.SymbolFlags.Interface) || (await symbol.getParent())) return undefined;
  const type = await program.checker.getDeclaredTypeOfSymbol(symbol);
  const parameters = type.isClassOrInterface() ? await type.getTypeParameters() : [];
  const names = await Promise.all(parameters.map(async (each) => (await each.getSymbol())?.name ?? ''));
  const given = names.filter((each) => each !== '' && each !== symbol.name);
  const head = given.length > 0 ? `${symbol.name}<${given.join(', ')}>` : symbol.name;
  const before = `declare global { interface ${head} ${memberType(name)} }`;
  return [{ cell: undefined, start: AT_END, end: AT_END, before, after: '' }];
}

/** Whether a list comes from a class of a cell's that extends the language's list, by its `from` or `of`. */
export async function isOfArrayClass(program: CellProgram, { object, name }: Access, type: Type): Promise<boolean> {
  const parts = await partsOf(program, type);
  const names = await Promise.all(parts.map((each) => program.libraryName(each)));
  return names.some((each) => each === 'Array') && isFromArrayClass(program, object, name);
}

/** Lists made of lists are followed so far. */
const DEEPEST = 4;

async function isFromArrayClass(program: CellProgram, list: Node, name: string, depth = 0): Promise<boolean> {
  const { syntax } = program.typescript;
  const variable = await variableOf(program, list);
  const origin = variable && syntax.isVariableDeclaration(variable) ? variable.initializer : list;
  const named: Node[] = [];
  const visit = (node: Node): void => {
    if (syntax.isIdentifier(node)) named.push(node);
    node.forEachChild(visit);
  };
  if (origin) visit(origin);
  for (const each of named) {
    // The class itself, or one of its lists.
    const symbol = await (await program.typeOf(each))?.getSymbol();
    const declared = symbol ? await program.declarations(symbol) : [];
    const members = declared.flatMap((made) => (syntax.isClassDeclaration(made) ? [...made.members] : []));
    const isOwn = members.some((member) => 'name' in member && (member.name as Node | undefined)?.getText() === name);
    if (isOwn || (depth < DEEPEST && each !== list && (await isFromArrayClass(program, each, name, depth + 1))))
      return true;
  }
  return false;
}

/** Whether an expression is a parameter of a function that stands in for a part of the language: `Object.groupBy ?? (…)`. */
async function isStandIn(program: CellProgram, object: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const { SyntaxKind } = syntax;
  const variable = await variableOf(program, object);
  if (!variable || !syntax.isParameterDeclaration(variable) || variable.type) return false;
  let outer: Node = variable.parent;
  while (outer.parent && syntax.isParenthesizedExpression(outer.parent)) outer = outer.parent;
  const { parent } = outer;
  if (!parent || !syntax.isBinaryExpression(parent) || parent.right !== outer) return false;
  const { kind } = parent.operatorToken;
  return kind === SyntaxKind.QuestionQuestionToken || kind === SyntaxKind.BarBarToken;
}

/**
 * Whether an expression is a variable that holds a proxy, which answers what its traps answer: one made there, by a
 * function of a cell's, or by a class whose constructor returns something else than its object.
 */
export async function isOfProxy(program: CellProgram, object: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const variable = await variableOf(program, object);
  const isVariable = variable !== undefined && syntax.isVariableDeclaration(variable) && !variable.type;
  const value = isVariable && variable.initializer ? plain(program, variable.initializer) : plain(program, object);
  if (isProxy(program, value)) return true;
  if (!syntax.isNewExpression(value) && !syntax.isCallExpression(value)) return false;
  const symbol = await program.symbolOf(value.expression);
  const declared = symbol ? await program.declarations(symbol) : [];
  return declared.some((each) => returnedBy(program, each).some((one) => isProxy(program, one)));
}

function isProxy(program: CellProgram, value: Node): boolean {
  const { syntax } = program.typescript;
  if (!syntax.isNewExpression(value) || saysType(program, value)) return false;
  return syntax.isIdentifier(value.expression) && value.expression.text === 'Proxy';
}

/** What a function, or a class's constructor, returns. */
function returnedBy(program: CellProgram, declared: Node): Node[] {
  const { syntax } = program.typescript;
  const found: Node[] = [];
  const value = syntax.isVariableDeclaration(declared) ? declared.initializer : declared;
  if (value && syntax.isArrowFunction(value)) found.push(plain(program, value.body));
  const isClass = value !== undefined && (syntax.isClassDeclaration(value) || syntax.isClassExpression(value));
  const visit = (node: Node): void => {
    if (syntax.isReturnStatement(node) && node.expression) found.push(plain(program, node.expression));
    node.forEachChild(visit);
  };
  if (isClass) for (const each of value.members) if (syntax.isConstructorDeclaration(each)) visit(each);
  if (value && !isClass) visit(value);
  return found;
}

/** A member of an object of which the types of a library say that it may only be read: its variable may hold anything. */
export async function readonlyMember(program: CellProgram, nodes: readonly Node[]): Promise<Verdict> {
  const access =
    accessAt(program, nodes) ??
    accessAt(
      program,
      nodes.flatMap((node) => namesIn(program, node)),
    );
  const type = access && (await program.typeOf(access.object));
  const infos = type ? await program.checker.getIndexInfosOfType(type) : [];
  const { TypeFlags } = program.typescript.api;
  // By any name: of no member does the library say that it must stay.
  const isOpen = infos.some(
    ({ keyType, declaration }) => keyType.flags & TypeFlags.String && declaration !== undefined,
  );
  const isSaid = infos.some(({ declaration }) => declaration !== undefined && program.isOfCell(declaration));
  if (!access || isSaid) return 'told';
  if (isOpen) return 'silent';
  const held = await heldBy(program, access.object);
  return Array.isArray(held) ? held : 'told';
}

function namesIn(program: CellProgram, node: Node): Node[] {
  return program.typescript.syntax.isPropertyAccessExpression(node) ? [node.name] : [];
}
