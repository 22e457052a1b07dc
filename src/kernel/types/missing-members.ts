import type { Node } from 'typescript/unstable/ast';
import type { Type } from 'typescript/unstable/async';
import type { Amendment } from './amendments.js';
import { OF_LANGUAGE } from './callbacks.js';
import type { CellProgram } from './cell-program.js';
import { type Doer, givenByPackage, givenElsewhere, type PackageCall } from './evidence.js';
import { type Finding, NEARLY } from './finding.js';
import { plain, variableOf, writtenType } from './holders.js';
import { isColumn, isOfArrayClass, isOfProxy, libraryMember } from './library-members.js';
import { type Maker, makersOf, partsOf, withAnyMembers, withMember } from './makers.js';
import {
  type Access,
  accessAt,
  isAssignment,
  isGuarded,
  isOfPattern,
  isPartWithoutDefault,
  isTested,
  isUnused,
  isWritten,
} from './reads.js';
import { isOfCollection } from './strictness.js';
import type { Verdict } from './verdicts.js';

/** What a cell, and those before it, do to objects and frames. */
export interface Told {
  doers: readonly Doer[];
  /** The calls of packages without types, with the members that these give objects. */
  packages: readonly PackageCall[];
  /** Whether cells write a name as a text, as a key, or give objects a member of that name. */
  isWord: (name: string) => boolean;
  /** Whether cells give objects a member of a name otherwise than by counting it up, or may. */
  isBegun: (name: string) => boolean;
}

/**
 * Whether a member is missing, by whose type lacks it: of a type that the user named, the language's or a package's, it
 * is; an object that a cell makes without saying what it holds has it if cells give it, or where it is only asked for.
 */
export async function missingMember(
  program: CellProgram,
  finding: Finding,
  nodes: readonly Node[],
  told: Told,
): Promise<Verdict> {
  const access = accessAt(program, nodes);
  const type = access && (await program.typeOf(access.object));
  if (!access || !type) return 'doubted';
  const parts = await partsOf(program, type);
  const { TypeFlags } = program.typescript.api;
  if (parts.length === 0 || parts.some(({ flags }) => flags & TypeFlags.Never))
    return (await isOfAbstract(program, access.object)) ? 'silent' : 'doubted';
  if (await isColumn(program, access, [type, ...parts], told.doers)) return 'silent';
  const having = await Promise.all(parts.map((each) => hasMember(program, each, access.name)));
  // What may be null, but need not.
  if (having.every(Boolean)) return 'silent';
  if (parts.length > 1 && having.some(Boolean)) return ofSeveral(program, access, type);
  const verdicts: Verdict[] = [];
  for (const part of parts)
    for (const maker of await makersOf(program, part))
      verdicts.push(await ofMaker(program, finding, access, part, maker, told));
  if (verdicts.every((each) => each === 'told')) return 'told';
  const amendments = verdicts.flatMap((each) => (typeof each === 'string' ? [] : each));
  return amendments.length > 0 ? amendments : 'silent';
}

async function hasMember(program: CellProgram, type: Type, name: string): Promise<boolean> {
  const { checker, typescript } = program;
  if (await checker.getPropertyOfType(type, name)) return true;
  const infos = await checker.getIndexInfosOfType(type);
  return infos.some(({ keyType }) => keyType.flags & typescript.api.TypeFlags.String);
}

/** A member that some of the types have which a value may be of: it runs, unless the user wrote these types. */
async function ofSeveral(program: CellProgram, access: Access, type: Type): Promise<Verdict> {
  const alias = await type.getAliasSymbol();
  if (alias) return (await program.isOfLibrary(alias)) ? 'silent' : 'told';
  return (await isSaidUnion(program, access.object)) ? 'told' : 'silent';
}

/** Whether the type of an expression is one of several because it is written so. */
async function isSaidUnion(program: CellProgram, expression: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const isNamed = syntax.isIdentifier(expression) || syntax.isPropertyAccessExpression(expression);
  const symbol = isNamed ? await program.symbolOf(expression) : undefined;
  for (const node of symbol ? await program.declarations(symbol) : []) {
    const type = writtenType(program, node);
    if (type?.getText().includes('|')) return true;
  }
  return false;
}

async function ofMaker(
  program: CellProgram,
  finding: Finding,
  access: Access,
  part: Type,
  maker: Maker,
  told: Told,
): Promise<Verdict> {
  const { kind } = maker;
  if (isOfCollection(finding)) return (await isTakenForList(program, access, maker, told)) ? 'told' : 'silent';
  if (kind === 'untyped') return (await isWrittenVariable(program, access.object)) ? 'told' : 'silent';
  const isWrite = !isOfPattern(program, access.node) && isWritten(program, access.node);
  const isNearly = finding.code === NEARLY && !isAnother(meantBy(finding.message) || access.name, access.name);
  if (kind === 'library') {
    const isSlip = isNearly && isOneLetterOff(meantBy(finding.message), access.name);
    return libraryMember(program, finding, access, { symbol: maker.symbol, isWrite, isSlip, doers: told.doers });
  }
  if (kind === 'plain' && (await isReplaced(program, access.object, told))) return 'silent';
  if (kind === 'said' || kind === 'plain') return (await isOfArrayClass(program, access, part)) ? 'silent' : 'told';
  const isNamedNearly = isNearly && !isWrite && isOneLetterOff(meantBy(finding.message), access.name);
  if (kind === 'literal' && !isNamedNearly && (await spreadsAnyMembers(program, maker.node)))
    return isWrite ? orSilent(withMember(program, access.name, maker)) : 'silent';
  if (isWrite && isCountedOnly(program, access, told)) {
    if ((await givenElsewhere(program, maker, access.name, told.doers)) === undefined) return 'told';
  }
  if (isWrite && kind === 'class' && isSlipOfOwn(program, access, maker.node)) return 'told';
  if (isWrite && !isNearly) return orSilent(withMember(program, access.name, maker));
  const isAsked =
    finding.code !== NEARLY && !saysSignature(program, maker.node) && !(await isSlip(program, access, part));
  if (isAsked && (isTested(program, access.node) || isGuarded(program, access))) return 'silent';
  if (isAsked && isOfOptions(program, access, maker.node)) return 'silent';
  const given =
    (await givenElsewhere(program, maker, access.name, told.doers)) ??
    (finding.code !== NEARLY ? await givenByPackage(program, maker, access.name, told.packages) : undefined);
  if (given === 'member') return orSilent(withMember(program, access.name, maker));
  if (given === 'any members' && isNamedNearly && !told.isWord(access.name)) return 'told';
  if (given === 'any members') return orSilent(withAnyMembers(program, maker));
  if (kind === 'class' && (await isOfSubclass(program, access))) return 'silent';
  return (await isOfProxy(program, access.object)) ? 'silent' : 'told';
}

/** Whether an object is what a method of a class gives, called on one that extends it and has the member: `Dog.create()`. */
async function isOfSubclass(program: CellProgram, { object, name }: Access): Promise<boolean> {
  const { syntax, api } = program.typescript;
  const variable = await variableOf(program, object);
  const value = variable && syntax.isVariableDeclaration(variable) ? variable.initializer : object;
  const call = value && plain(program, value);
  if (!call || !syntax.isCallExpression(call) || !syntax.isPropertyAccessExpression(call.expression)) return false;
  const type = await program.typeOf(call.expression.expression);
  const [signature] = type ? await program.checker.getSignaturesOfType(type, api.SignatureKind.Construct) : [];
  const made = signature && (await program.checker.getReturnTypeOfSignature(signature));
  return made !== undefined && hasMember(program, made, name);
}

/** Whether a value is what a method gives that is there for others to stand for it: its body is empty, or throws. */
async function isOfAbstract(program: CellProgram, object: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const call = plain(program, object);
  const declaration = syntax.isCallExpression(call)
    ? (await program.checker.getResolvedSignature(call))?.declaration
    : undefined;
  const method = declaration && program.isOfCell(declaration) ? await declaration.resolve() : undefined;
  if (!method || !syntax.isMethodDeclaration(method) || method.type || syntax.isObjectLiteralExpression(method.parent))
    return false;
  return method.body?.statements.every(syntax.isThrowStatement) ?? false;
}

/** Objects within objects are followed so far. */
const DEEPEST = 4;

/** Whether an object is a copy of one with members by any name, or has keys that only the run knows, which its type loses. */
async function spreadsAnyMembers(program: CellProgram, literal: Node, depth = 0): Promise<boolean> {
  const { syntax, api } = program.typescript;
  if (!syntax.isObjectLiteralExpression(literal) || depth > DEEPEST) return false;
  for (const each of literal.properties) {
    const name = 'name' in each ? (each.name as Node | undefined) : undefined;
    const key = name && syntax.isComputedPropertyName(name) ? await program.typeOf(name.expression) : undefined;
    if (key && key.flags & api.TypeFlags.Any) return true;
  }
  for (const { expression } of literal.properties.filter(syntax.isSpreadAssignment)) {
    const type = await program.typeOf(expression);
    for (const part of type ? await partsOf(program, type) : []) {
      const infos = await program.checker.getIndexInfosOfType(part);
      if (infos.some(({ keyType }) => keyType.flags & api.TypeFlags.String)) return true;
      for (const maker of await makersOf(program, part))
        if (maker.kind === 'literal' && (await spreadsAnyMembers(program, maker.node, depth + 1))) return true;
    }
  }
  return false;
}

/** Whether an expression is a member to which a package gives an object for the text that it was: a link's source. */
async function isReplaced(program: CellProgram, expression: Node, { packages }: Told): Promise<boolean> {
  if (packages.length === 0 || !program.typescript.syntax.isPropertyAccessExpression(expression)) return false;
  const type = await program.typeOf(expression.expression);
  for (const part of type ? await partsOf(program, type) : [])
    for (const maker of await makersOf(program, part))
      if ('node' in maker && (await givenByPackage(program, maker, expression.name.text, packages))) return true;
  return false;
}

/** Whether an expression is a variable with a written type. */
async function isWrittenVariable(program: CellProgram, expression: Node): Promise<boolean> {
  const variable = await variableOf(program, expression);
  return variable !== undefined && writtenType(program, variable) !== undefined;
}

function orSilent(amendments: Amendment[]): Verdict {
  return amendments.length > 0 ? amendments : 'silent';
}

/**
 * Whether a constant that is made as an empty object, and filled by names or keys, is taken for a list, a map or a set: by
 * a member that no cell gives it, nor writes as a text that may be a key.
 */
async function isTakenForList(
  program: CellProgram,
  access: Access,
  maker: Maker,
  { doers, packages, isWord }: Told,
): Promise<boolean> {
  if (maker.kind !== 'literal' || isWritten(program, access.node) || isTested(program, access.node)) return false;
  const { name } = access;
  if (isWord(name) || !(await isMadeBy(program, access.object, maker.node))) return false;
  const isMerged = doers.some(({ habits }) => habits.merged.length > 0);
  const given = await givenElsewhere(program, maker, name, doers);
  // A key that only the run knows may be a column's name, as `size` is; what is called is no column.
  const { parent } = access.node;
  const isCalled = program.typescript.syntax.isCallExpression(parent) && parent.expression === access.node;
  return (
    (given === undefined || (given === 'any members' && !isMerged && isCalled)) &&
    !(await givenByPackage(program, maker, name, packages))
  );
}

/** Whether a variable holds the very object of a literal: it begins as that, or is what a list is gathered in. */
async function isMadeBy(program: CellProgram, object: Node, literal: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const variable = await variableOf(program, object);
  const call = literal.parent;
  const isSeed =
    syntax.isCallExpression(call) &&
    call.arguments[1] === literal &&
    syntax.isPropertyAccessExpression(call.expression) &&
    call.expression.name.text === 'reduce';
  if (!variable) return false;
  if (syntax.isParameterDeclaration(variable)) {
    const [made] = isSeed ? call.arguments : [];
    return made !== undefined && 'parameters' in made && (made.parameters as readonly Node[])[0] === variable;
  }
  if (!syntax.isVariableDeclaration(variable) || !/^const\b/.test(variable.parent.getText())) return false;
  return variable.initializer === literal || (isSeed && variable.initializer === call);
}

/** Whether a pattern takes a parameter apart whose default an object is: calls may give it other members. */
function isOfOptions(program: CellProgram, { node }: Access, literal: Node): boolean {
  const { syntax } = program.typescript;
  return syntax.isBindingElement(node) && syntax.isParameterDeclaration(literal.parent);
}

/** Whether a function says what it takes or returns. */
function saysSignature(program: CellProgram, node: Node): boolean {
  const { syntax } = program.typescript;
  const isFunction =
    syntax.isArrowFunction(node) || syntax.isFunctionExpression(node) || syntax.isFunctionDeclaration(node);
  return isFunction && (node.type !== undefined || node.parameters.some(({ type }) => type !== undefined));
}

/** Whether a member is written nearly as one that there is: with the letters of it, or, in a pattern without a default, one more. */
async function isSlip(program: CellProgram, { node, name }: Access, type: Type): Promise<boolean> {
  if (name.length < 4) return false;
  const all = await program.checker.getPropertiesOfType(type);
  const isPart = isPartWithoutDefault(program, node);
  if (isPart && isUnused(program, node) && all.some((each) => isOneReplaced(each.name, name))) return true;
  return all.some((each) => (isPart || each.name.length === name.length) && isOneLetterOff(each.name, name));
}

/** Whether a member is counted up that no cell begins with a value, so that it is no number: `this.runing--`. */
function isCountedOnly(program: CellProgram, { node, name }: Access, { isBegun }: Told): boolean {
  const { syntax } = program.typescript;
  const { SyntaxKind } = syntax;
  const { parent } = node;
  if (isBegun(name)) return false;
  if (!syntax.isBinaryExpression(parent))
    return syntax.isPrefixUnaryExpression(parent) || syntax.isPostfixUnaryExpression(parent);
  const { kind } = parent.operatorToken;
  const isChoice =
    kind === SyntaxKind.AmpersandAmpersandEqualsToken ||
    kind === SyntaxKind.BarBarEqualsToken ||
    kind === SyntaxKind.QuestionQuestionEqualsToken;
  return isAssignment(program, parent) && kind !== SyntaxKind.EqualsToken && !isChoice;
}

/** Whether a member that is written from outside is nearly one that the class gives itself, of which no type tells. */
function isSlipOfOwn(program: CellProgram, { object, name }: Access, node: Node): boolean {
  const { syntax } = program.typescript;
  const isThis = (each: Node): boolean => each.kind === syntax.SyntaxKind.ThisKeyword;
  if (isThis(object) || name.length < 4) return false;
  const own = new Set<string>();
  const visit = (each: Node): void => {
    if (syntax.isPropertyAccessExpression(each) && isThis(each.expression) && isWritten(program, each))
      own.add(each.name.text);
    each.forEachChild(visit);
  };
  visit(node);
  return !own.has(name) && [...own].some((each) => isOneLetterOff(each, name) && !isAnother(each, name));
}

/** Whether one text becomes the other by a letter more, or two letters in the other order. */
function isOneLetterOff(one: string, other: string): boolean {
  if (one.length === other.length) return one !== other && [...one].sort().join('') === [...other].sort().join('');
  const [long, short] = one.length > other.length ? [one, other] : [other, one];
  return (
    long.length === short.length + 1 && [...long].some((_, at) => long.slice(0, at) + long.slice(at + 1) === short)
  );
}

/** Whether one text is another with one letter replaced. */
function isOneReplaced(one: string, other: string): boolean {
  if (one.length !== other.length || one.length < 5) return false;
  return [...one].filter((letter, at) => letter !== other[at]).length === 1;
}

/** Whether a name that is nearly another is rather a further one: `pnl2` beside `pnl` or `pnl1`, `onIdle` beside `idle`. */
export function isAnother(meant: string, name: string): boolean {
  const isNumbered = name !== meant && withoutDigits(name) === withoutDigits(meant);
  const isLonger = name.length > meant.length && name.toLowerCase().includes(meant.toLowerCase());
  return isNumbered || isLonger || meant === `${name}s`;
}

/** The name that TypeScript takes for the one that is meant; empty if there is none. */
export function meantBy(message: string): string {
  return /Did you mean (?:to write )?'([^']+)'/.exec(message)?.[1] ?? '';
}

function withoutDigits(name: string): string {
  return name.replace(/\d+/g, '');
}

/** A key by which the run finds a member: what it is a key of, if that is a promise, is not awaited. */
export async function keyedMember(
  program: CellProgram,
  finding: Finding,
  nodes: readonly Node[],
  told: Told,
): Promise<Verdict> {
  const { syntax } = program.typescript;
  const access = accessAt(program, nodes);
  const element = nodes.find((node) => syntax.isElementAccessExpression(node));
  const object =
    access?.object ?? (element && syntax.isElementAccessExpression(element) ? element.expression : undefined);
  const type = object && (await program.typeOf(object));
  if (object && syntax.isIdentifier(object) && object.text === 'globalThis') return 'silent';
  for (const part of type ? await partsOf(program, type) : []) {
    if ((await program.libraryName(part)) === 'Promise') return 'told';
  }
  if (!access) return element && (await isNumbered(program, element)) ? 'told' : 'silent';
  return missingMember(program, finding, nodes, told);
}

/** Whether an element is read, by its number, of what the language says has none: a set, a map, an iterator. */
async function isNumbered(program: CellProgram, element: Node): Promise<boolean> {
  const { syntax, api } = program.typescript;
  if (!syntax.isElementAccessExpression(element) || isWritten(program, element) || isTested(program, element))
    return false;
  const [key, type] = [await program.typeOf(element.argumentExpression), await program.typeOf(element.expression)];
  const parts = type ? await partsOf(program, type) : [];
  if (!key || !(key.flags & api.TypeFlags.NumberLike) || parts.length === 0) return false;
  for (const part of parts) {
    const declared = (await part.getSymbol())?.declarations ?? [];
    if (!declared.some(({ path }) => OF_LANGUAGE.test(path))) return false;
  }
  return true;
}
